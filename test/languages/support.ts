import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import type { EmulatorOptions } from "../../emulator";
import { useProduct, type Product } from "../e2e/support";
import { makeProgram, writeFiles } from "../engine/program";
import { newest } from "../support/provider-process/sdks";
import { bin, sdks, venv } from "./folders";

const root = resolve(__dirname, "../..");

/** The languages that programs run in here. */
export const languages = ["nodejs", "python", "yaml"] as const;
export type Language = (typeof languages)[number];

/** Python comes first, since its host starts the one that it finds, and the hosts last, so that an installed CLI has its own. */
const path = [join(venv, "bin"), dirname(process.execPath), process.env["PATH"] ?? "", bin].join(delimiter);

/** What `pulumi package add` writes into `Pulumi.yaml`. */
const packages = "packages:\n  deployment-service: ./node_modules/pulumi-deployment-service/plugin\n";

/** A stack of the example, in the state that `npm install` and `pulumi package add` leave it in. */
export function useLanguage(language: Language): Product {
  const emulator: EmulatorOptions = { idSeed: 1 };
  const folder = makeProgram(exampleIn(language));
  const project = readFileSync(join(exampleIn(language), "Pulumi.yaml"), "utf8");
  writeFiles(folder, { "Pulumi.yaml": packages + project });
  link(root, join(folder, "node_modules", "pulumi-deployment-service"));
  if (language === "nodejs") linkSdk(folder);
  return useProduct({
    program: folder,
    inPlace: true,
    // What is kept runs programs in JavaScript.
    keeps: "nothing",
    config: { "every-language:modelApiKey": { secret: "sk-1" } },
    emulator,
    env: { PATH: path },
  });
}

/** The SDK for Node.js, as a program in that folder finds it, with a Pulumi SDK of its age. */
function linkSdk(folder: string): void {
  link(join(root, "node_modules", newest), join(folder, "node_modules/@pulumi/pulumi"));
  link(join(sdks, "nodejs"), join(folder, "node_modules/@agentdeployments/deployment-service"));
}

export function exampleIn(language: Language): string {
  return join(root, "examples/07-every-language", language);
}

function link(to: string, from: string): void {
  mkdirSync(dirname(from), { recursive: true });
  symlinkSync(to, from, "junction");
}
