/** Reads the graph configuration: the paths in it, each relative to it. */
import { isObject, valueAt, type Values } from "../../schema/tree";
import { messageOf } from "../errors";
import { readText } from "./open-file";
import { SourceError } from "./source-error";

export interface GraphConfig {
  /** Folders that the build needs, and how the configuration calls each: local packages, the root of a uv workspace. */
  readonly packages: readonly Named[];
  /** Files of code that the service loads, such as those of the graphs. */
  readonly code: readonly Named[];
  /** The names of the graphs. */
  readonly graphs: readonly string[];
  /** A file with environment variables, which the service does not read. */
  readonly environmentFile: string | undefined;
  /** The names of environment variables that the configuration itself sets. */
  readonly environment: readonly string[];
}

export interface Named {
  readonly path: string;
  readonly what: string;
}

export async function readGraphConfig(file: string): Promise<GraphConfig> {
  const config = await configIn(file);
  if (!isObject(config)) throw new SourceError(`the graph configuration ${file} is not a JSON object`);
  const env = config["env"] ?? "";
  if (typeof env !== "string" && !isObject(env))
    throw new SourceError(
      `\`env\` in the graph configuration ${file} is neither the path of a file nor an object of variables`,
    );
  const graphs = isObject(config["graphs"]) ? config["graphs"] : {};
  for (const [id, graph] of Object.entries(graphs)) checkGraph(id, graph, file);
  return {
    packages: [...localPackagesIn(config, file), ...workspaceIn(config, file)],
    code: codeIn(config),
    graphs: Object.keys(graphs),
    environmentFile: typeof env === "string" && env !== "" ? env : undefined,
    environment: isObject(env) ? Object.keys(env) : [],
  };
}

async function configIn(file: string): Promise<unknown> {
  const text = await readText(file).catch((error: unknown) => {
    throw new SourceError(
      `${messageOf(error)}. It is the graph configuration: choose another one with ` +
        "sourceRevisionConfig.graphConfigPath, relative to sourceDirectory",
      error,
    );
  });
  try {
    return JSON.parse(text.replace(/^\ufeff/, "")) as unknown;
  } catch (error) {
    // The parser's message quotes the text, which may contain environment variables.
    throw new SourceError(`the graph configuration ${file} is not valid JSON${placeOf(error, text)}`, error);
  }
}

/** ` at line 3, column 5`, as far as the parser says. */
function placeOf(error: unknown, text: string): string {
  const [, position] = /at position (\d+)/.exec(messageOf(error)) ?? [];
  if (position === undefined) return "";
  const before = text.replace(/^\ufeff/, "").slice(0, Number(position));
  const line = before.split("\n").length;
  const comment = /^\/[/*]/.test(text.replace(/^\ufeff/, "").slice(before.length))
    ? ", where a comment begins"
    : "";
  return ` at line ${line}, column ${before.length - before.lastIndexOf("\n")}${comment}`;
}

/** As in the service's own command line, local paths begin with a dot; the rest comes from a package index. */
function localPackagesIn({ dependencies = [] }: Values, file: string): Named[] {
  if (!Array.isArray(dependencies))
    throw new SourceError(`\`dependencies\` in the graph configuration ${file} is not a list`);
  return dependencies
    .filter((each): each is string => typeof each === "string" && each.startsWith("."))
    .map((path) => ({ path, what: `the local package ${path}` }));
}

/** A uv workspace, whose root holds the lock file and the other packages. */
function workspaceIn({ source }: Values, file: string): Named[] {
  if (!isObject(source) || source["kind"] !== "uv") return [];
  const { root = "." } = source;
  if (typeof root !== "string" || root.trim() === "")
    throw new SourceError(`\`source.root\` in the graph configuration ${file} is not a path`);
  return [{ path: root, what: `the uv workspace ${root}` }];
}

function checkGraph(id: string, graph: unknown, file: string): void {
  const path = isObject(graph) ? graph["path"] : graph;
  if (typeof path !== "string" || !/[^:]:[^:]+$/.test(path))
    throw new SourceError(
      `the graph \`${id}\` in the graph configuration ${file} is not a path and a variable, such as ./agent.py:graph`,
    );
}

const otherCode = ["auth.path", "encryption.path", "priority.path", "checkpointer.path", "http.app"];

/** `./agent.py:graph` is a file; `package.module:graph` is not. */
function codeIn(config: Values): Named[] {
  const graphs = isObject(config["graphs"]) ? Object.entries(config["graphs"]) : [];
  const written: [string, unknown][] = [
    ...graphs.map(([id, graph]): [string, unknown] => [
      `the graph \`${id}\``,
      isObject(graph) ? graph["path"] : graph,
    ]),
    ...otherCode.map((path): [string, unknown] => [`\`${path}\``, valueAt(config, path.split("."))]),
  ];
  return written.flatMap(([what, value]) => {
    const path = typeof value === "string" ? value.replace(/:[^:]*$/, "") : "";
    return path.includes("/") ? [{ path, what }] : [];
  });
}
