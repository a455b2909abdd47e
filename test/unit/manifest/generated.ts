/** Programs that are generated from manifests. */
import * as pulumi from "@pulumi/pulumi";
import { generateProgram } from "../../../cli/generate/program";
import * as provider from "../../../provider";
import { check } from "./checked";

export function generate(text: string, stack?: string): string {
  const { source, view, problems } = check(text, { stack });
  const errors = problems.filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new Error(`the manifest is not valid: ${JSON.stringify(errors)}`);
  return generateProgram(source, view!);
}

/** A generated program, to be run in this process. */
export async function compile(
  text: string,
  others: Readonly<Record<string, unknown>> = {},
): Promise<() => void> {
  // Ten times as fast as the compiler, which has its own test.
  const { transformWithEsbuild } = await import("vite");
  const { code } = await transformWithEsbuild(text, "index.ts", { format: "cjs", target: "es2022" });
  const modules: Record<string, unknown> = {
    "@pulumi/pulumi": pulumi,
    "pulumi-deployment-service": provider,
    ...others,
  };
  const run = new Function("module", "exports", "require", code);
  return () => void run({ exports: {} }, {}, (name: string) => modules[name]);
}
