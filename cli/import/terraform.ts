/**
 * Reads deployments from a Terraform or OpenTofu state: the state file, or the output of `terraform show -json`. A state
 * contains secrets in plain text, so only addresses and ids leave this module.
 */
import { z } from "zod";
import { isUuid } from "../../schema/uuid";

/** The resource of the official provider, `langchain-ai/langsmith`. */
const resourceType = "langsmith_deployment";

export interface TerraformDeployment {
  /** In Terraform's notation: `module.eu.langsmith_deployment.agent["chat"]`. */
  readonly address: string;
  readonly id: string;
  /** From the address; not always unique. */
  readonly key: string;
  /** Id of the workspace, if the state has it. */
  readonly workspace: string | undefined;
}

/** What is left of a replacement: Terraform deletes it in its next apply. `terraform state rm` of the address forgets it too. */
export interface DeposedDeployment {
  readonly address: string;
  /** Undefined if the state has none. */
  readonly id: string | undefined;
}

export interface TerraformState {
  readonly deployments: readonly TerraformDeployment[];
  /** The addresses of deployments without an id in the state. */
  readonly withoutId: readonly string[];
  readonly deposed: readonly DeposedDeployment[];
  readonly others: number;
}

/** Thrown if the text is not a state with deployments. The message says what it is instead. */
export class NoState extends Error {}

const how = "`terraform show -json > state.json` (or `tofu show`) writes one";

export function readTerraformState(text: string): TerraformState {
  const objects = resourcesIn(parseState(text));
  const resources = objects.filter(({ isDeposed }) => !isDeposed);
  const isDeployment = ({ type }: Resource) => type === resourceType;
  const found = resources.filter(isDeployment);
  const others = resources.length - found.length;
  const deposed = objects
    .filter((each) => each.isDeposed && isDeployment(each))
    .map(({ address, id }) => ({ address, id }));
  if (found.length === 0 && deposed.length > 0) {
    const ids = deposed.map(({ address, id = "without an id" }) => `${address} (${id})`).join(", ");
    throw new NoState(
      `contains only deployments that Terraform still has to delete: ${ids}. Run \`terraform apply\``,
    );
  }
  if (found.length === 0) throw new NoState(`contains no ${resourceType}`);
  if (found.every(({ id }) => id === undefined))
    throw new NoState("contains no created deployment: none of them has an id");
  return {
    deployments: found.flatMap((each) => {
      const { address, id, workspace } = each;
      return id === undefined ? [] : [{ address, id, workspace, key: keyOf(each) }];
    }),
    withoutId: found.filter(({ id }) => id === undefined).map(({ address }) => address),
    deposed,
    others,
  };
}

function parseState(text: string): Readonly<Record<string, unknown>> {
  const json = text.replace(/^\ufeff/, "").trim();
  if (json === "") throw new NoState(`is empty; ${how}`);
  try {
    const value = z.record(z.string(), z.unknown()).safeParse(JSON.parse(json));
    if (value.success) return value.data;
  } catch {
    throw new NoState(`is not JSON; ${how}`);
  }
  throw unknownForm();
}

function unknownForm(): NoState {
  return new NoState(`is JSON, but not a state that can be read, like a plan or an encrypted state; ${how}`);
}

interface Resource {
  readonly type: string;
  readonly name: string;
  readonly index: string | number | undefined;
  /** The address of the module; empty for the root. */
  readonly module: string;
  readonly address: string;
  readonly id: string | undefined;
  readonly workspace: string | undefined;
  /** Replaced, and not deleted yet. */
  readonly isDeposed: boolean;
}

function resourcesIn(state: Readonly<Record<string, unknown>>): Resource[] {
  if (state["version"] === 4) return resourcesInStateFile(state);
  // The same command shows a plan, if it gets its name.
  if ("format_version" in state && !("planned_values" in state)) return resourcesInShow(state);
  throw unknownForm();
}

const index = z.union([z.string(), z.number()]).optional();
const Attributes = z
  .object({ id: z.unknown(), workspace_id: z.unknown(), tenant_id: z.unknown() })
  .partial()
  .nullish();

const StateFile = z.object({
  resources: z
    .array(
      z.object({
        module: z.string().default(""),
        mode: z.string(),
        type: z.string(),
        name: z.string(),
        instances: z.array(
          z.object({ index_key: index, deposed: z.string().optional(), attributes: Attributes }),
        ),
      }),
    )
    .default([]),
});

function resourcesInStateFile(state: unknown): Resource[] {
  return parseAs(StateFile, state)
    .resources.filter(({ mode }) => mode === "managed")
    .flatMap(({ module, type, name, instances }) =>
      instances.map(({ index_key: index, attributes, deposed }) => {
        const place = module === "" ? "" : `${module}.`;
        const address = `${place}${type}.${name}${indexText(index)}`;
        return { type, name, index, module, address, ...idsOf(attributes), isDeposed: deposed !== undefined };
      }),
    );
}

/** An instance key in Terraform's notation. */
function indexText(index: string | number | undefined): string {
  if (typeof index !== "string") return index === undefined ? "" : `[${index}]`;
  return `[${JSON.stringify(index).replace(/[$%](?=\{)/g, "$&$&")}]`;
}

const ShownResource = z.object({
  address: z.string(),
  mode: z.string(),
  type: z.string(),
  name: z.string(),
  index,
  deposed_key: z.string().optional(),
  values: Attributes,
});

interface ShownModule {
  readonly address: string;
  readonly resources: readonly z.infer<typeof ShownResource>[];
  readonly child_modules: readonly ShownModule[];
}

const ShownModule: z.ZodType<ShownModule> = z.object({
  address: z.string().default(""),
  resources: z.array(ShownResource).default([]),
  child_modules: z.lazy(() => z.array(ShownModule)).default([]),
});
const Shown = z.object({ values: z.object({ root_module: ShownModule }).optional() });

function resourcesInShow(state: unknown): Resource[] {
  const { values } = parseAs(Shown, state);
  return values === undefined ? [] : inModule(values.root_module);
}

function inModule({ address: module, resources, child_modules }: ShownModule): Resource[] {
  const own = resources
    .filter(({ mode }) => mode === "managed")
    .map(({ address, type, name, index, values, deposed_key }) => ({
      type,
      name,
      index,
      module,
      address,
      ...idsOf(values),
      isDeposed: deposed_key !== undefined,
    }));
  return [...own, ...child_modules.flatMap(inModule)];
}

function parseAs<T>(shape: z.ZodType<T>, state: unknown): T {
  const result = shape.safeParse(state);
  // zod's messages can quote values.
  if (!result.success) throw new NoState(`is a damaged state; ${how}`);
  return result.data;
}

function idsOf(attributes: z.infer<typeof Attributes>): Pick<Resource, "id" | "workspace"> {
  const { id, workspace_id, tenant_id } = attributes ?? {};
  return { id: uuidIn(id), workspace: uuidIn(workspace_id) ?? uuidIn(tenant_id) };
}

function uuidIn(value: unknown): string | undefined {
  return typeof value === "string" && isUuid(value) ? value : undefined;
}

/** `module.eu.langsmith_deployment.agent["chat"]` becomes `eu-agent-chat`. */
function keyOf({ name, index, module }: Resource): string {
  const modules = module.replace(/\bmodule\./g, "").split(/[^\p{L}\p{N}_-]+/u);
  return [...modules.filter((word) => word !== ""), name, ...(index === undefined ? [] : [index])].join("-");
}
