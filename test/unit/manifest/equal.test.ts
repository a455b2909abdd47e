import type * as Fs from "node:fs";
import { resolve } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import fc from "fast-check";
import { format } from "prettier";
import ts from "typescript";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { fromManifest } from "../../../provider";
import { parseDuration } from "../../../provider/duration";
import { Deployment as DeploymentShape } from "../../../schema/deployment";
import { problemsOf } from "../../../schema/problems";
import {
  generate,
  manifests,
  outcomeOf,
  runProgram,
  standInForTheEngine,
  surroundings,
  toYaml,
  type Registered,
} from "./support";

const file = "deployments.yaml";
const texts = vi.hoisted(() => new Map<string, string>());
vi.mock("node:fs", async (original) => {
  const fs = await original<typeof Fs>();
  const readFileSync = ((path: string, ...rest: never[]) =>
    texts.has(path)
      ? Buffer.from(texts.get(path)!)
      : fs.readFileSync(path, ...rest)) as typeof fs.readFileSync;
  return { ...fs, readFileSync };
});

const { env, config, secrets } = surroundings;

/** A fixed seed, or as many others as `MANIFEST_RUNS` says. */
const more = process.env["MANIFEST_RUNS"];
const runs = more === undefined ? { numRuns: 40, seed: 1 } : { numRuns: Number(more) };

function setUp(variables: Record<string, string | undefined>, settings: Record<string, string | undefined>) {
  for (const name of [...Object.keys(env), "ZONE", "NONE"]) vi.stubEnv(name, variables[name]);
  const full = (key: string) => (key.includes(":") ? key : `shop:${key}`);
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  const all = Object.fromEntries(given.map(([key, value]) => [full(key), value])) as Record<string, string>;
  pulumi.runtime.setAllConfig(all, secrets.map(full));
}

beforeAll(standInForTheEngine);
beforeEach(() => setUp(env, config));
afterAll(() => {
  vi.unstubAllEnvs();
  pulumi.runtime.setAllConfig({});
});

/** What a manifest registers, and the program made from it; or that it is refused, by the program or by the checks. */
async function both(yaml: string) {
  texts.set(resolve(file), yaml);
  const read = await outcomeOf(() => fromManifest(file));
  const written = await outcomeOf(() => runProgram(generate(yaml)));
  return [judged(read), judged(written)] as const;
}

function judged(outcome: Registered[] | Error): Registered[] | string {
  if (outcome instanceof Error) return "refused";
  const isSound = outcome.every(({ inputs }) => {
    const { __provider: _, __context: context, ...args } = unsealed(inputs) as Record<string, unknown>;
    const { create = "30m" } = (context as { timeouts?: { create?: string } }).timeouts ?? {};
    return problemsOf(DeploymentShape, args).length === 0 && parseDuration(create) !== undefined;
  });
  return isSound ? outcome : "refused";
}

/** Inputs without the marks of secrets. */
function unsealed(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(unsealed);
  const { [secretMark]: mark, value: inner } = value as Record<string, unknown>;
  if (mark !== undefined) return unsealed(inner);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, unsealed(each)]));
}

const secretMark = "4dabf18193072939515e22adb298388d";

/** What may be wrong with a value from outside: not there, empty, or another text than is expected. */
const wrong = fc.constantFrom(undefined, "", "abc", "0x10", " 4", "-1", "1.5", "1e3", "TRUE", "yes", "NaN");

describe("the generated program", { timeout: 3_600_000 }, () => {
  it("registers what the manifest registers, the same parts of it secret", async () => {
    let secretParts = 0;
    await fc.assert(
      fc.asyncProperty(manifests, async (manifest) => {
        const [read, written] = await both(toYaml(manifest));
        expect(written).toEqual(read);
        expect(read).toHaveLength(Object.keys(manifest["deployments"] as object).length);
        secretParts += JSON.stringify(read).split(secretMark).length - 1;
      }),
      runs,
    );
    expect(secretParts).toBeGreaterThan(runs.numRuns);
  });

  it("refuses what the manifest refuses, whatever stands in the environment and the configuration", async () => {
    const seen = { refused: 0, registered: 0 };
    const changes = fc.dictionary(fc.constantFrom(...Object.keys(env), ...Object.keys(config)), wrong, {
      minKeys: 1,
      maxKeys: 3,
    });
    await fc.assert(
      fc.asyncProperty(manifests, changes, async (manifest, changed) => {
        setUp({ ...env, ...changed }, { ...config, ...changed });
        const [read, written] = await both(toYaml(manifest));
        expect(written).toEqual(read);
        seen[read === "refused" ? "refused" : "registered"]++;
      }),
      runs,
    );
    expect(Math.min(seen.refused, seen.registered)).toBeGreaterThan(runs.numRuns / 10);
  });

  it("is formatted as the common formatter would", async () => {
    await fc.assert(
      fc.asyncProperty(manifests, async (manifest) => {
        const program = generate(toYaml(manifest));
        expect(await format(program, { parser: "typescript" })).toBe(program);
      }),
      { numRuns: 30 },
    );
  });

  it("compiles under --strict", () => {
    const programs = fc
      .sample(manifests, { numRuns: 15, seed: 1 })
      .map((manifest) => generate(toYaml(manifest)));
    expect(errorsIn(programs)).toEqual([]);
    expect(errorsIn(["export const a: number = 'a';"])).toHaveLength(1);
  });

  it("is the same every time", () => {
    fc.assert(
      fc.property(manifests, (manifest) => {
        const yaml = toYaml(manifest);
        expect(generate(yaml)).toBe(generate(yaml));
      }),
      { numRuns: 20 },
    );
  });
});

function errorsIn(programs: readonly string[]): string[] {
  const root = resolve(__dirname, "../../..");
  const files = new Map(
    programs.map((text, index) => [resolve(root, `examples/generated-${index}.ts`), text]),
  );
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.Node16,
    moduleResolution: ts.ModuleResolutionKind.Node16,
    esModuleInterop: true,
    types: ["node"],
    baseUrl: root,
    paths: { "pulumi-deployment-service": ["provider/index.ts"] },
  };
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile } = host;
  host.fileExists = (path) => files.has(path) || fileExists(path);
  host.readFile = (path) => files.get(path) ?? readFile(path);
  const program = ts.createProgram([...files.keys()], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(
      (diagnostic) =>
        `${diagnostic.file?.fileName}: ${ts.flattenDiagnosticMessageText(diagnostic.messageText, "\n")}`,
    );
}
