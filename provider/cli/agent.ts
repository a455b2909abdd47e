/** An agent project, read as the service's own command line does: the folder with its graph configuration. */
import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { readGraphConfig } from "../archive/graph-config";
import type { EnvironmentNames } from "../archive/environment-file";
import { SourceError } from "../archive/source-error";
import type { Dialect } from "../dialects";
import { isCredentialName } from "../text/credential";
import { messageOf } from "../errors";
import { slashed } from "../archive/paths";
import { firstOf } from "../text/first-of";
import { sanitize } from "../text/sanitize";
import { namesInEnvironment } from "./agent-environment";
import type { FoundAgent } from "./agent-import";
import { UsageError, type Io } from "./command";

export interface Agent {
  readonly name: string;
  /** Of the agent, relative to the project's folder. */
  readonly directory: string;
  /** Variables of the file that the graph configuration names, which the deployment gets as secrets. */
  readonly secrets: readonly string[];
  /** The deployment that runs it already. */
  readonly existing?: FoundAgent | undefined;
  /** That file, relative to the project's folder; undefined if there is none. */
  readonly environmentFile: string | undefined;
}

/** What people call the file. */
const usualFile = ".env";
const nothing: EnvironmentNames = { names: [], empty: [] };

/**
 * @param folder of the new project
 * @param dialect with the rules of the service's address
 */
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
  const isThere = found !== undefined && existsSync(found);
  if (found !== undefined && !isThere)
    io.stderr.write(
      `${sanitize(written!)}, which ${dialect.graphConfigFile} names, does not exist: no secrets are declared\n`,
    );
  if (found === undefined && existsSync(join(root, usualFile)))
    io.stderr.write(
      `${usualFile} is there, but ${dialect.graphConfigFile} does not name it in \`env\`: no secrets are declared\n`,
    );
  const { names, empty } = isThere ? namesInEnvironment(found, written!) : nothing;
  if (empty.length > 0)
    io.stderr.write(
      `${empty.join(", ")} in ${sanitize(written!)}: not declared, because there is no value\n`,
    );
  const reserved = names.filter((each) => dialect.reservedSecrets?.names.includes(each));
  if (reserved.length > 0)
    io.stderr.write(
      `${reserved.join(", ")} in ${sanitize(written!)}: not declared, because the service sets it\n`,
    );
  const secrets = names.filter((each) => !reserved.includes(each));
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
    name: name === undefined ? nameOf(basename(root)) : checkedName(name, dialect),
    directory,
    secrets,
    environmentFile: secrets.length === 0 ? undefined : slashed(relative(folder, found!)),
  };
}

async function configOf(root: string, from: string, folder: string, io: Io, file: string) {
  if (!existsSync(join(root, file))) {
    const reason = existsSync(root)
      ? `${sanitize(from)} is no agent project: it has no ${file}`
      : `--from ${sanitize(from)}: there is no folder ${sanitize(root)}`;
    throw new UsageError(reason + suggestion([resolve(folder, from), dirname(root)], file, io.cwd));
  }
  const config = await readGraphConfig(join(root, file)).catch((error: unknown) => {
    if (error instanceof SourceError) throw new UsageError(messageOf(error));
    throw error;
  });
  const missing = config.code.filter(({ path }) => !existsSync(join(root, path)));
  if (missing.length > 0) {
    const places = missing.map(({ path, what }) => sanitize(`${what} is in ${path}`));
    io.stderr.write(
      `${firstOf(places)}: no such file in ${sanitize(from)}, so previews fail until it is there\n`,
    );
  }
  return config;
}

/** Those of the folders, and of the ones right here, that hold an agent project. */
function suggestion(folders: readonly string[], file: string, cwd: string): string {
  const here = readdirSync(cwd).map((name) => join(cwd, name));
  const found = [...folders, ...here].filter((each) => existsSync(join(each, file)));
  const names = [...new Set(found)].map((each) => sanitize(slashed(relative(cwd, each)) || "."));
  return names.length === 0 ? "" : `; did you mean ${names.slice(0, 3).join(" or ")}?`;
}

function checkedName(name: string, { names }: Dialect): string {
  if (names !== undefined && !new RegExp(names.pattern).test(name))
    throw new UsageError(`--name ${sanitize(name)}: it ${names.reason}`);
  if (/^[a-z]/.test(name)) return name;
  throw new UsageError(`--name ${sanitize(name)}: it must begin with a letter, to be a key of a manifest`);
}

/** As the service takes names: small letters, digits and dashes. */
function nameOf(text: string): string {
  const name = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 40)
    .replace(/-+$/, "");
  return /^[a-z]/.test(name) ? name : "agent";
}
