/** Reads the graph configuration: the paths in it, each relative to it. */
import { asObject, isObject, mapValues, valueAt, type Values } from "../../schema/tree";
import { messageOf } from "../errors";
import { readSource, decodeUtf8 } from "./open-file";
import { SourceError } from "./source-error";

export interface GraphConfig {
  /** Folders that the build needs, and how the configuration calls each: local packages, the root of a uv workspace. */
  readonly packages: readonly Named[];
  /** Files that the build or the service loads, such as those of the graphs. */
  readonly code: readonly Named[];
  /** A file with environment variables, which the service does not read. */
  readonly environmentFile: string | undefined;
  /** Whether it chooses the version of the server. Otherwise each revision gets the newest one. */
  readonly pinsServer: boolean;
  /** Environment variables in the configuration itself, which the service does not read either. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface Named {
  readonly path: string;
  readonly what: string;
  /** Whether a build command may make it. */
  readonly isMade?: boolean;
}

/** What else is wrong in it, the service's build says. */
export function readGraphConfig(file: string): GraphConfig {
  const config = configIn(file);
  if (!isObject(config)) throw new SourceError(`the graph configuration ${file} is not a JSON object`);
  const { env, dependencies } = config;
  return {
    packages: [...localPackages(dependencies), ...workspaceIn(config)],
    code: codeIn(config),
    environmentFile: typeof env === "string" && env !== "" ? env : undefined,
    environment: variablesIn(env),
    pinsServer: !["", "undefined", "null"].includes(String(config["api_version"])),
  };
}

/** Those with a value, written as the service's own command line writes what is no text. */
function variablesIn(env: unknown): Record<string, string> {
  const texts = mapValues(asObject(env), (value) =>
    typeof value === "boolean" ? (value ? "True" : "False") : String(value ?? ""),
  );
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ""));
}

function configIn(file: string): unknown {
  const text = decodeUtf8(bytesOf(file), file);
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    // The parser's message quotes the text, which may contain environment variables.
    throw new SourceError(
      `the graph configuration ${file} is not valid JSON${positionText(error, text)}`,
      error,
    );
  }
}

function bytesOf(file: string): Buffer {
  try {
    return readSource(file);
  } catch (error) {
    throw new SourceError(
      `${messageOf(error)}. It is the graph configuration: choose another one with ` +
        "sourceRevisionConfig.graphConfigPath, relative to sourceDirectory",
      error,
    );
  }
}

/** ` at line 3, column 5`, as far as the parser says. */
function positionText(error: unknown, text: string): string {
  const [, position] = /at position (\d+)/.exec(messageOf(error)) ?? [];
  if (position === undefined) return "";
  const before = text.slice(0, Number(position));
  const comment = /^\/[/*]/.test(text.slice(before.length)) ? ", where a comment begins" : "";
  return ` at line ${before.split("\n").length}, column ${before.length - before.lastIndexOf("\n")}${comment}`;
}

/** As in the service's own command line, local paths begin with a dot; the rest comes from a package index. */
function localPackages(dependencies: unknown): Named[] {
  return (Array.isArray(dependencies) ? dependencies : [])
    .filter((each): each is string => typeof each === "string" && each.startsWith("."))
    .map((path) => ({ path, what: `the local package ${path}` }));
}

/** A uv workspace, whose root holds the lock file and the other packages. */
function workspaceIn({ source }: Values): Named[] {
  if (!isObject(source) || source["kind"] !== "uv") return [];
  const root = String(source["root"] ?? ".");
  return [{ path: root, what: `the uv workspace ${root}` }];
}

/** Paths of code with a variable, or names that are no paths. */
const otherCode = [
  "auth.path",
  "encryption.path",
  "priority.path",
  "checkpointer.path",
  "http.app",
  "store.index.embed",
];

function codeIn(config: Values): Named[] {
  const { graphs, ui, pip_config_file: pipConfig } = config;
  const entriesOf = (value: unknown) => Object.entries(asObject(value));
  // `./agent.py:graph` is a file; `package.module:graph` is not.
  const code = [
    ...entriesOf(graphs).map(([id, graph]) => ({
      what: `the graph \`${id}\``,
      path: isObject(graph) ? graph["path"] : graph,
    })),
    ...otherCode.map((path) => ({ what: `\`${path}\``, path: valueAt(config, path.split(".")) })),
  ]
    .map(({ what, path }) => ({ what, path: textOf(path).replace(/:[^:]*$/, ""), isMade: true }))
    .filter(({ path }) => path.includes("/"));
  const files = [
    ...entriesOf(ui).map(([id, path]) => ({ what: `\`ui.${id}\``, path })),
    { what: "`pip_config_file`", path: pipConfig },
  ].map(({ what, path }) => ({ what, path: textOf(path) }));
  return [...code, ...files.filter(({ path }) => path !== "")];
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
