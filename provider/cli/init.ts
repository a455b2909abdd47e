import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { sanitize } from "../text/sanitize";
import { version } from "../version";
import { exitCodes, UsageError, type Command } from "./command";
import { reasonOf } from "./files";
import { emulatorFlags, projectFiles, type Kind } from "./project-files";

export const init: Command = {
  name: "init",
  summary: "Make a project that runs against the emulator at once",
  positionals: ["[FOLDER]"],
  flags: [
    { name: "yaml", doc: "Declare deployments in a manifest instead of in TypeScript" },
    { name: "folder", doc: "Deploy a folder of source code, as the public service takes it" },
  ],
  examples: [
    ["deployment-service init chat", "a project in the new folder chat, in TypeScript"],
    ["deployment-service init --yaml", "in this folder, which must be empty, with a manifest"],
  ],
  run({ positionals: [name = "."], switches }, io) {
    const folder = resolve(io.cwd, name);
    if (switches.has("yaml") && switches.has("folder"))
      throw new UsageError("--yaml and --folder are two kinds of projects: choose one");
    const kind: Kind = switches.has("yaml") ? "manifest" : switches.has("folder") ? "folder" : "typescript";
    const files = projectFiles(projectName(folder), kind, version());
    writeAll(folder, name, files);
    if (switches.has("json")) io.stdout.write(`${JSON.stringify({ folder, files: Object.keys(files) })}\n`);
    else io.stdout.write(nextSteps(name, kind, Object.keys(files)));
    return Promise.resolve(exitCodes.done);
  },
};

/** A folder's name, as far as Pulumi and npm take it for a project's. */
function projectName(folder: string): string {
  const name = basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, "-")
    .replace(/^[-_]+|-+$/g, "")
    .slice(0, 100);
  return name === "" ? "deployments" : name;
}

function writeAll(folder: string, name: string, files: Readonly<Record<string, string>>): void {
  try {
    mkdirSync(folder, { recursive: true });
    const [first] = readdirSync(folder);
    if (first !== undefined)
      throw new UsageError(
        `${sanitize(name)} is not empty: it holds ${sanitize(first)}; name a folder that is new or empty`,
      );
    // Never over a file that somebody else has made meanwhile.
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text, { flag: "wx" });
    }
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`cannot write to ${sanitize(name)}: ${reasonOf(error)}`);
  }
}

function nextSteps(name: string, kind: Kind, files: readonly string[]): string {
  const commands = [
    ...(name === "." ? [] : [`cd ${quote(name)}`]),
    "npm install",
    `npx pulumi-deployment-service emulator${emulatorFlags[kind]}     # in another terminal; it plays the service`,
    "pulumi stack init dev",
    "pulumi up",
  ];
  return [
    `Made ${sanitize(name)} with ${files.join(", ")}.`,
    "",
    "Next:",
    ...commands.map((command) => `  ${command}`),
    "",
    "For the real service, make a stack of its own and say where it is:",
    "  pulumi stack init prod",
    "  pulumi config set deployment-service:baseUrl https://deployments.example.com",
    "  pulumi config set --secret deployment-service:apiKey",
    "  pulumi config set --secret modelApiKey",
    "",
  ].join("\n");
}

function quote(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${sanitize(text).replaceAll("'", `'\\''`)}'`;
}
