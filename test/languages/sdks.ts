/** Makes the SDKs of the schema, as `pulumi package add` does, and has those compiled or installed that programs run with. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import { newest } from "../support/provider-process/sdks";
import { bin, sdks, venv } from "./folders";

const root = resolve(__dirname, "../..");

export default function makeSdks(): void {
  if (!existsSync(venv)) throw new Error("There are no language hosts yet. Run: npm run test:languages");
  rmSync(sdks, { recursive: true, force: true });
  const schema = join(venv, "schema.json");
  writeFileSync(schema, withVersion(readFileSync(join(root, "plugin", "schema.json"), "utf8")));
  run(join(bin, "codegen"), [schema, sdks]);
  const pulumi = join(sdks, "nodejs/node_modules/@pulumi/pulumi");
  mkdirSync(dirname(pulumi), { recursive: true });
  symlinkSync(join(root, "node_modules", newest), pulumi, "junction");
  // As npm does when it has installed it.
  run(process.execPath, ["scripts/postinstall.js"], join(sdks, "nodejs"));
  const flags = ["--no-deps", "--no-build-isolation", "--force-reinstall", "--quiet"];
  run(join(venv, "bin", "pip"), ["install", ...flags, join(sdks, "python")]);
}

/** As the plugin answers it. */
function withVersion(schema: string): string {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  return JSON.stringify({ ...(JSON.parse(schema) as object), version });
}

function run(command: string, args: string[], cwd = root): void {
  const path = [join(root, "node_modules/.bin"), process.env["PATH"]].join(delimiter);
  execFileSync(command, args, {
    cwd,
    env: { ...process.env, PATH: path },
    encoding: "utf8",
    stdio: ["ignore", "ignore", "pipe"],
  });
}
