/**
 * The manifest: deployments described in YAML. The fields of a deployment are the resource's own; what is added here
 * is the frame around them, and the options of the resource that make sense in a file.
 */
import { z } from "zod";
import { deployment, duration, type Fields } from "./fields";
import { outputNames } from "./outputs";

export const manifestVersion = 1;

/** A key under `deployments` is the logical name of the resource. */
export const deploymentKey = /^[A-Za-z][A-Za-z0-9_.-]*$/;
const DeploymentKey = z
  .string()
  .regex(deploymentKey, 'a key begins with a letter and holds letters, digits, "_", "-" and "."');
/** A stack's name, or with `*` a pattern of names. */
const StackName = z
  .string()
  .regex(
    /^[A-Za-z0-9_.*-]{1,100}$/,
    'the name of a stack holds letters, digits, "_", "-" and ".", and "*" for any part of a name',
  );
const flag = (doc: string) => z.boolean().nullish().describe(doc);
const words = (item: string, doc: string) => z.array(z.string().describe(item)).nullish().describe(doc);
const time = (doc: string) => duration.nullish().describe(doc);

/** The resource option of that name. */
export const CustomTimeouts = z.strictObject({
  create: time("How long a creation may take, such as `45m`. Default: 30m."),
  update: time("How long an update may take, such as `45m`. Default: 30m."),
  delete: time("How long a deletion may take, such as `20m`. Default: 10m."),
});

const part = (doc: string) => z.string().min(1).nullish().describe(doc);

/** What was different before; what is left out is as it is now. */
export const Alias = z.strictObject({
  name: part("The former key, or the former logical name in a program."),
  type: part("The former type: `deployment-service:index:Deployment`, say."),
  stack: part("The stack that the deployment was in."),
  project: part("The project that the deployment was in."),
});

/** A key that a deployment had before, or a whole URN. */
const formerKey = z
  .string()
  .regex(
    /^(?!urn:).+$|^urn:pulumi:.+::.+::.+::.+$/,
    "expected a former key, or a URN: urn:pulumi:STACK::PROJECT::TYPE::NAME",
  );

/** Options of a Pulumi resource, in the words of Pulumi. */
export const Options = z.strictObject({
  protect: flag("Refuse to delete this deployment. Default: false."),
  retainOnDelete: flag("Leave the deployment on the service when it leaves the stack. Default: false."),
  deleteBeforeReplace: flag(
    "Delete the old deployment first when it is replaced. Default: chosen by the names.",
  ),
  ignoreChanges: words("`sourceRevisionConfig.imageUri`", "Paths of fields whose changes are ignored."),
  replaceOnChanges: words("`sourceConfig.repoUrl`", "Paths of fields whose changes replace the deployment."),
  dependsOn: words("A key under `deployments`.", "Deployments that must be ready before this one is made."),
  customTimeouts: CustomTimeouts.nullish().describe("How long operations may take."),
  aliases: z
    .array(
      z.union([
        formerKey.describe("A former key, or the URN that the resource had: `urn:pulumi:…`."),
        Alias.describe("What was different before."),
      ]),
    )
    .nullish()
    .describe(
      "Former keys: a renamed deployment stays the same resource. Its `name` is the key by default: set it to the old one.",
    ),
});

/** Every field may be left out or, unless it is required, be `null`: defaults and overlays fill in or remove. */
function objectOf(fields: Fields, required: readonly string[] = []): z.ZodObject {
  return z.strictObject(
    Object.fromEntries(
      Object.entries(fields).map(([name, field]) => {
        const type = field.kind === "leaf" ? field.type : objectOf(field.fields, field.required);
        return [name, (required.includes(name) ? type : type.nullish()).describe(field.doc)];
      }),
    ),
  );
}

export const ManifestDeployment = objectOf(deployment).extend({
  source: deployment.source.type.optional().describe(deployment.source.doc),
  options: Options.nullish().describe("Options of the resource, in the words of Pulumi."),
});

const deployments = z.record(DeploymentKey, ManifestDeployment.nullable());

export function isPattern(stackKey: string): boolean {
  return stackKey.includes("*");
}

export const Stack = z.strictObject({
  deployments: deployments
    .nullish()
    .describe(
      "Changes of the deployments in this stack, key by key, and deployments of this stack alone. `null` takes one away.",
    ),
});

/** The names of the dialects, which are data elsewhere. */
export const dialectNames = ["standard", "langsmith"] as const;

export const Manifest = z.strictObject({
  version: z.literal(manifestVersion).describe("Version of the manifest's format: 1."),
  dialect: z
    .enum(dialectNames)
    .nullish()
    .describe(
      "The dialect of the service whose rules are checked. A stack's connection must have the same. Default: that of the connection.",
    ),
  defaults: ManifestDeployment.nullish().describe("What every deployment has unless it says otherwise."),
  deployments: deployments
    .nullish()
    .describe("The deployments by their keys; a key is the logical name of the resource."),
  stacks: z
    .record(StackName, Stack.nullable())
    .nullish()
    .describe(
      "What differs in a stack, by the stack's name. A name with `*` (`pr-*`) is for stacks without a key of their own; of several that fit, the one with the longest literal part, and two as long as each other are an error. A stack that is not named here has no changes.",
    ),
});

/** What `${deployments.KEY.…}` can name: what the service decides, the id and the name. */
export const referable = ["id", "name", ...outputNames] as const;
export type Referable = (typeof referable)[number];
