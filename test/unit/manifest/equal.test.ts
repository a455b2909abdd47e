import type * as Fs from "node:fs";
import { resolve } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import fc from "fast-check";
import { format } from "prettier";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { fromManifest } from "../../../provider";
import {
  generate,
  manifests,
  registrationsOf,
  runProgram,
  standInForTheEngine,
  surroundings,
  toYaml,
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

const { env, config } = surroundings;

beforeAll(() => {
  standInForTheEngine();
  vi.stubEnv("REGION", env.REGION);
  vi.stubEnv("ZONE", undefined);
  const settings = Object.entries(config).map(([key, value]) => [`shop:${key}`, value]);
  pulumi.runtime.setAllConfig(Object.fromEntries(settings) as Record<string, string>, ["shop:hidden"]);
});
afterAll(() => {
  vi.unstubAllEnvs();
  pulumi.runtime.setAllConfig({});
});

describe("the generated program", { timeout: 60_000 }, () => {
  it("registers what the manifest registers", async () => {
    await fc.assert(
      fc.asyncProperty(manifests, async (manifest) => {
        const yaml = toYaml(manifest);
        texts.set(resolve(file), yaml);
        const count = Object.keys(manifest["deployments"] as object).length;
        const read = await registrationsOf(() => fromManifest(file), count);
        const written = await registrationsOf(() => runProgram(generate(yaml)), count);
        expect(written).toEqual(read);
        expect(read).toHaveLength(count);
      }),
      { numRuns: 30 },
    );
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
