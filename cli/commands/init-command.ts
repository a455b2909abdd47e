/** The command `init`: writes a new project. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { dialects, type Dialect } from "../../provider/dialects";
import { agentProject } from "../init/agent-project";
import { sampleProject } from "../init/sample-project";
import { projectWorkflows } from "../init/project-workflows";
import type { CiService } from "../init/workflows";
import { settingsTable } from "../../provider/settings/table";
import { jsonOf, sanitize } from "../../provider/text/sanitize";
import { attempt } from "../usage-error";
import { UsageError, type Command, type Io, type ParsedArguments } from "../command";

export const initCommand: Command = async (args, io) => {
  const { positionals, flags, switches } = args;
  const { from } = flags;
  const name = positionals[0] ?? (from !== undefined && readdirSync(io.cwd).length > 0 ? usualFolder : ".");
  const dialect = dialectFor(args, io);
  const kind = switches.has("yaml") ? "manifest" : "typescript";
  const place = { folder: resolve(io.cwd, name), name, kind, dialect } as const;
  const ci = flags["ci"] as CiService | undefined;
  const isProject = from === undefined && ci !== undefined && existsSync(join(place.folder, "Pulumi.yaml"));
  if (from !== undefined && flags["source"] !== undefined)
    throw new UsageError("--from deploys a folder: omit --source");
  const others = isProject ? ["name", "stacks"] : ["name", "ci", "stacks"];
  const unused = others.find((other) => flags[other] !== undefined);
  if (from === undefined && unused !== undefined)
    throw new UsageError(
      `--${unused} needs --from${unused === "ci" ? ", or a folder with a Pulumi.yaml" : ""}`,
    );
  const made = isProject
    ? projectWorkflows(ci, flags["dialect"], place.folder, io)
    : from === undefined
      ? sampleProject(flags["source"], place)
      : await agentProject(from, flags, place, io);
  if (!isProject) makeFolder(place.folder, name, from !== undefined);
  writeAll(place.folder, name, made.files);
  const files = Object.keys(made.files);
  const project = isProject ? "" : `${sanitize(name)} with `;
  io.stdout.write(
    switches.has("json")
      ? jsonOf({ folder: place.folder, files, next: made.commands })
      : `Created ${project}${files.join(", ")}.\n\n${made.text}`,
  );
};

/** Where a project goes that is next to its agent, or in its folder. */
const usualFolder = "infra";

/** For an agent, one that has uploads; else that of the environment. */
function dialectFor({ flags: { dialect, from } }: ParsedArguments, { env }: Io): Dialect {
  const { env: variable, default: standard } = settingsTable.dialect;
  const uploading = Object.values(dialects).filter(hasUploads);
  const usual = from === undefined ? (env[variable] ?? standard) : uploading[0]!.name;
  const found = dialects[dialect ?? usual];
  if (found === undefined) throw new UsageError(`${variable} is not a known dialect: use --dialect`);
  if (from !== undefined && !hasUploads(found)) {
    const names = uploading.map(({ name }) => name).join(", ");
    throw new UsageError(`--from needs a dialect with uploads: ${names}`);
  }
  return found;
}

function hasUploads({ paths }: Dialect): boolean {
  return paths.uploadAddress !== undefined;
}

function makeFolder(folder: string, name: string, isFromAgent: boolean): void {
  const [first] = attempt(name, "write to", () => {
    mkdirSync(folder, { recursive: true });
    return readdirSync(folder);
  });
  if (first === undefined) return;
  const isAgent = Object.values(dialects).some(({ graphConfigFile }) =>
    existsSync(join(folder, graphConfigFile)),
  );
  const next =
    isAgent && !isFromAgent ? `. To deploy the agent in it: \`init --from ${sanitize(name)}\`` : "";
  throw new UsageError(
    `${sanitize(name)} is not empty: it contains ${sanitize(first)}; choose a new or empty folder${next}`,
  );
}

function writeAll(folder: string, name: string, files: Readonly<Record<string, string>>): void {
  attempt(name, "write to", () => {
    // The flag never overwrites a file that was created in the meantime.
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text, { flag: "wx" });
    }
  });
}
