import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import type { EmulatorOptions } from "../../emulator";
import { useProduct, type Product } from "../e2e/support";
import { makeProgram, writeFiles } from "../engine/program";
import { bin, sdks, venv } from "./folders";

const root = resolve(__dirname, "../..");

/** The languages that programs run in here. */
export const languages = ["nodejs", "python", "yaml"] as const;
export type Language = (typeof languages)[number];

/** The hosts and Python come first: the host starts the Python that it finds. */
const path = [bin, join(venv, "bin"), dirname(process.execPath), process.env["PATH"] ?? ""].join(delimiter);

/** A stack of a program in that language, which is in the state that `npm install` and `pulumi package add` leave it in. */
export function useLanguage(language: Language, files: Record<string, string> = {}): Product {
  const emulator: EmulatorOptions = { idSeed: 1 };
  const folder = makeProgram(join(root, "examples/07-every-language", language));
  writeFiles(folder, files);
  link(root, join(folder, "node_modules", "pulumi-deployment-service"));
  if (language === "nodejs") link(join(sdks, "nodejs"), join(folder, "node_modules/@pulumi/deployment-service"));
  return useProduct({
    program: folder,
    inPlace: true,
    config: { "every-language:modelApiKey": { secret: "sk-1" } },
    emulator,
    env: { PATH: path },
  });
}

/** `Pulumi.yaml` of the example in Pulumi YAML up to its resources. */
export function yamlHead(): string {
  const text = readFileSync(join(root, "examples/07-every-language/yaml/Pulumi.yaml"), "utf8");
  return text.slice(0, text.indexOf("\nresources:"));
}

function link(to: string, from: string): void {
  mkdirSync(dirname(from), { recursive: true });
  symlinkSync(to, from, "junction");
}
