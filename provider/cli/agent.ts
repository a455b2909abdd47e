/** An agent project, read as the service's own command line does: the folder with its graph configuration. */
import { accessSync, constants, existsSync, readdirSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { namesIn } from "../archive/environment-file";
import { readGraphConfig } from "../archive/graph-config";
import { SourceError } from "../archive/source-error";
import type { Dialect } from "../dialects";
import { isCredentialName } from "../text/credential";
import { messageOf } from "../errors";
import { sanitize } from "../text/sanitize";
import type { Existing } from "./agent-import";
import { UsageError, type Io } from "./command";
import { attempt } from "./files";

export interface Agent {
  /** The deployment's name. */
  readonly name: string;
  /** Of the agent, relative to the project's folder. */
  readonly directory: string;
  /** Variables of the file that the graph configuration names, which the deployment gets as secrets. */
  readonly secrets: readonly string[];
  /** The deployment that runs it already. */
  readonly existing?: Existing | undefined;
  /** That file, relative to the project's folder; undefined if there is none. */
  readonly environmentFile: string | undefined;
}

/** @param folder of the new project */
export async function readAgent(
  from: string,
  folder: string,
  name: string | undefined,
  dialect: Dialect,
  io: Io,
): Promise<Agent> {
  const root = resolve(io.cwd, from);
  const config = await configOf(root, from, folder, io, dialect.graphConfigFile);
  const { environmentFile: written, environment } = config;
  const found = written === undefined ? undefined : resolve(root, written);
  if (found !== undefined && !existsSync(found))
    io.stderr.write(
      `${sanitize(written!)}, which ${dialect.graphConfigFile} names, does not exist: no secrets are declared\n`,
    );
  else if (found !== undefined) attempt(written!, "read", () => accessSync(found, constants.R_OK));
  const reserved = dialect.reservedSecrets?.names ?? [];
  const names = found === undefined ? [] : (await namesIn(found)).filter((each) => !reserved.includes(each));
  const credentials = environment.filter(isCredentialName);
  if (credentials.length > 0)
    io.stderr.write(
      `${dialect.graphConfigFile} holds ${credentials.join(", ")} in clear: declare them in \`secrets\` instead\n`,
    );
  const directory = slashed(relative(folder, root)) || ".";
  if (!directory.startsWith(".."))
    throw new UsageError(`${sanitize(from)} is inside of the new project: choose a folder beside it`);
  const inside = slashed(relative(root, folder));
  if (!inside.startsWith(".."))
    io.stderr.write(
      `the project is inside of ${sanitize(from)} and would be deployed with it: add "${inside}/" to .dockerignore there\n`,
    );
  return {
    name: name ?? nameOf(basename(root)),
    directory,
    secrets: names,
    environmentFile: names.length === 0 ? undefined : slashed(relative(folder, found!)),
  };
}

async function configOf(root: string, from: string, folder: string, { cwd }: Io, file: string) {
  if (!existsSync(join(root, file))) {
    const reason = existsSync(root)
      ? `${sanitize(from)} is no agent project: it has no ${file}`
      : `--from ${sanitize(from)}: there is no folder ${sanitize(root)}`;
    throw new UsageError(reason + suggestion([resolve(folder, from), dirname(root)], file, cwd));
  }
  const config = await readGraphConfig(join(root, file)).catch((error: unknown) => {
    if (error instanceof SourceError) throw new UsageError(messageOf(error));
    throw error;
  });
  if (config.graphs.length === 0) throw new UsageError(`${sanitize(from)}/${file} names no graph`);
  return config;
}

/** Those of the folders, and of the ones right here, that hold an agent project. */
function suggestion(folders: readonly string[], file: string, cwd: string): string {
  const here = readdirSync(cwd).map((name) => join(cwd, name));
  const found = [...folders, ...here].filter((each) => existsSync(join(each, file)));
  const names = [...new Set(found)].map((each) => sanitize(slashed(relative(cwd, each)) || "."));
  return names.length === 0 ? "" : `; did you mean ${names.slice(0, 3).join(" or ")}?`;
}

/** As the service takes names: small letters, digits and dashes. */
function nameOf(text: string): string {
  const name = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 40);
  return /^[a-z]/.test(name) ? name : "agent";
}

function slashed(path: string): string {
  return path.replaceAll("\\", "/");
}
