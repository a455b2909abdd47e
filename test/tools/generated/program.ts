/** The program that the command line makes from the manifest of an example. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { checkManifest } from "../../../provider/manifest/check-manifest";
import { generateProgram } from "../../../cli/generate/program";
import { SourceText } from "../../../provider/manifest/source";

export function programOf(example: string, stack: string): string {
  const file = resolve(__dirname, "../../..", example, "deployments.yaml");
  const source = new SourceText(file, readFileSync(file));
  const { problems, view } = checkManifest(source, { stack });
  if (problems.length > 0) throw new Error(`${file} has problems`);
  return generateProgram(source, view!);
}
