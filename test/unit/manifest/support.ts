/** Runs programs against the SDK's own stand-in for the engine, and manifests that are arbitrary but valid. */
import * as pulumi from "@pulumi/pulumi";
import fc, { type Arbitrary } from "fast-check";
import ts from "typescript";
import { vi } from "vitest";
import { stringify } from "yaml";
import * as provider from "../../../provider";
import { checkManifest, type Checked } from "../../../provider/manifest/check";
import { generateProgram } from "../../../provider/manifest/generate/program";
import { Source } from "../../../provider/manifest/source";
import type { Known } from "../../../provider/manifest/reference";
import type { Values } from "../../../provider/deployment/values";
import { validArguments } from "../support/arbitraries";

export interface Registered {
  readonly name: string;
  readonly inputs: unknown;
  readonly options: unknown;
}

const registered: Registered[] = [];

/** Once in a file, before anything is registered. */
export function standInForTheEngine(): void {
  void pulumi.runtime.setMocks(
    {
      newResource: ({ name, inputs }) => ({
        id: `${name}-id`,
        state: { ...(inputs as object), url: `https://${name}.example.com`, generation: 1 },
      }),
      call: () => ({}),
    },
    "shop",
    "dev",
  );
  const monitor = (pulumi.runtime as unknown as { getMonitor(): Monitor }).getMonitor();
  const register = monitor.registerResource.bind(monitor);
  monitor.registerResource = (request, done) => {
    const { name, object, ...rest } = request.toObject();
    const inputs: unknown = request.getObject().toJavaScript();
    registered.push({ name: String(name), inputs, options: optionsIn({ ...rest, object }) });
    return register(request, done);
  };
}

interface Request {
  toObject(): Record<string, unknown>;
  getObject(): { toJavaScript(): unknown };
}

interface Monitor {
  registerResource(request: Request, done: unknown): unknown;
}

function optionsIn(request: Record<string, unknown>): unknown {
  const names = [
    "protect",
    "retainondelete",
    "deletebeforereplace",
    "ignorechangesList",
    "replaceonchangesList",
    "customtimeouts",
    "dependenciesList",
    "propertydependenciesMap",
  ];
  return Object.fromEntries(names.map((name) => [name, request[name]]));
}

/** What a program registers, in the order of names. */
export async function registrationsOf(program: () => unknown, count: number): Promise<Registered[]> {
  registered.length = 0;
  program();
  await vi.waitFor(() => {
    if (registered.length < count) throw new Error(`${registered.length} of ${count} are registered`);
  });
  return [...registered].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Runs a generated program in this process. */
export function runProgram(text: string): void {
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
  });
  const modules: Record<string, unknown> = {
    "@pulumi/pulumi": pulumi,
    "pulumi-deployment-service": provider,
  };
  new Function("exports", "require", outputText)({}, (name: string) => modules[name]);
}

export function check(text: string, known: Known = {}): Checked & { source: Source } {
  const source = new Source("deployments.yaml", text);
  return { source, ...checkManifest(source, known) };
}

export function generate(text: string, stack?: string): string {
  const { source, root, view, problems } = check(text, { stack });
  const errors = problems.filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new Error(`the manifest is not valid: ${JSON.stringify(errors)}`);
  return generateProgram(source, root!, view!);
}

/** Keys that the manifest refuses, and those that the SDK stumbles over in whatever program. */
const impossible = ["__proto__", "toString"];

/** A literal in the manifest: no reference, no key that cannot be. */
export function escaped(value: unknown): unknown {
  if (typeof value === "string") return value.replace(/\$\{/g, "$$$${");
  if (Array.isArray(value)) return value.map(escaped);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => !impossible.includes(key));
  return Object.fromEntries(entries.map(([key, inner]) => [key, escaped(inner)]));
}

const references = fc.constantFrom(
  "${config.plain}",
  "${config.hidden}",
  "v-${config.plain}-${stack}",
  "${env.REGION}",
  "${env.ZONE:-a}",
  "${project}/${stack}",
  "$${literal}",
);

const keys = ["chat", "search-api", "shop.front", "class"];

/** Deployments, those later in the file referring to those before. */
export const manifests: Arbitrary<Values> = fc
  .tuple(
    fc.array(fc.tuple(validArguments, fc.dictionary(fc.constantFrom("A", "B"), references), fc.boolean()), {
      minLength: 1,
      maxLength: 3,
    }),
    fc.record({ protect: fc.boolean(), retainOnDelete: fc.boolean() }, { requiredKeys: [] }),
  )
  .map(([list, options]) => {
    const deployments = list.map(([{ name: _, ...args }, texts, refers], index) => {
      const [before] = keys.slice(0, index).slice(-1);
      const own = escaped(args) as Values;
      const url = before !== undefined && refers ? { URL: `\${deployments.${before}.url}` } : {};
      const dependsOn = before !== undefined ? { dependsOn: [before] } : {};
      return [
        keys[index]!,
        {
          ...own,
          secrets: { ...(own["secrets"] as object), ...texts, ...url },
          options: { ...options, ...dependsOn },
        },
      ] as const;
    });
    return { version: 1, deployments: Object.fromEntries(deployments) };
  });

export function toYaml(value: Values): string {
  return stringify(value, { aliasDuplicateObjects: false });
}

export const surroundings = {
  env: { REGION: "eu" },
  config: { plain: "p", hidden: "h" },
};
