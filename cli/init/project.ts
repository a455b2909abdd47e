/** What every new project has: its files, and the commands to type next. */
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { stringify } from "yaml";
import { slashed } from "../../provider/agent/paths";
import { parseJson } from "../../provider/text/json";
import { asObject, valueAt, type Values } from "../../schema/tree";
import { shellWord } from "../terminal/shell-word";
import { packageFolder, version } from "../../provider/files/version";
import type { Declaration } from "./declaration";
import { manifestOf } from "./project-manifest";
import { slug } from "./name";
import type { Dialect } from "../../provider/dialects";
import { isUsual } from "./project-service";
import { packageText, withoutCli } from "../files/package-texts";
import { programOf } from "./typescript";

/** By path, relative to the project's folder. */
export type Files = Readonly<Record<string, string>>;

export interface Place {
  /** Absolute. */
  readonly folder: string;
  /** As the user wrote it. */
  readonly name: string;
  readonly kind: "typescript" | "manifest";
  readonly dialect: Dialect;
}

/**
 * All but the configuration of the stacks.
 *
 * @param name of the Pulumi project
 */
export function projectFiles(
  name: string,
  { folder, kind, dialect }: Place,
  declaration: Declaration,
): Files {
  const { dependencies, devDependencies, ...others } = JSON.parse(
    packageText("examples/01-hello/package.json"),
  ) as Values;
  const packageFile = {
    ...others,
    name,
    dependencies: { ...asObject(dependencies), "pulumi-deployment-service": ownDependency(folder) },
    ...(kind === "manifest" ? { main: "index.js" } : { devDependencies }),
  };
  const config = isUsual(dialect)
    ? {}
    : { config: { "deployment-service:dialect": { value: dialect.name } } };
  const description = "Deployments, declared with pulumi-deployment-service.";
  return {
    "Pulumi.yaml": stringify({ name, runtime: "nodejs", description, ...config }),
    ...(kind === "manifest"
      ? {
          "deployments.yaml": manifestOf(declaration, isUsual(dialect) ? undefined : dialect.name),
          "index.js": packageText("cli/init/templates/index.js"),
        }
      : {
          "index.ts": programOf(declaration),
          "tsconfig.json": packageText("examples/01-hello/tsconfig.json"),
        }),
    "package.json": `${JSON.stringify(packageFile, undefined, 2)}\n`,
    ".gitignore": "node_modules/\n",
  };
}

/**
 * This version or, if this package was installed from an archive, that archive.
 *
 * @param folder of the project
 * @param own the folder of this package
 */
export function ownDependency(folder: string, own = packageFolder() ?? "."): string {
  const modules = dirname(own);
  const lockFile = join(modules, ".package-lock.json");
  const lock = existsSync(lockFile) ? parseJson(readFileSync(lockFile, "utf8")) : undefined;
  const archive = valueAt(lock, ["packages", `node_modules/${basename(own)}`, "resolved"]);
  if (typeof archive !== "string" || !archive.startsWith("file:")) return `^${version()}`;
  return `file:${slashed(relative(folder, resolve(dirname(modules), archive.slice("file:".length))))}`;
}

/** The text reduced to what Pulumi and npm accept as a project name. */
export function projectName(text: string): string {
  return slug(text, "_-").slice(0, 100) || "deployments";
}

/**
 * @param name of the project's folder, as the user wrote it
 * @param steps to type there
 * @param more about what comes after them
 */
export function withNextSteps(files: Files, name: string, steps: readonly string[], more: string) {
  const commands = [...(name === "." ? [] : [`cd ${shellWord(name)}`]), "npm install", ...steps];
  const opening =
    "Next (without a Pulumi account, first run `pulumi login --local` and set PULUMI_CONFIG_PASSPHRASE to any value):";
  const lines = commands.map((command) => `  ${command}\n`);
  return { files, commands, text: `${opening}\n${lines.join("")}\n${withoutCli} ${more}\n` };
}

export type NewProject = ReturnType<typeof withNextSteps>;
