/** What a preview refuses in a graph configuration. The tools with which an agent is developed, and its build, check the rest. */
import { asObject, isObject, type Values } from "../../schema/tree";

/** Each is a sentence without its end. */
export function* refusalsOf({ graphs, env, dependencies = [], source }: Values): Generator<string, void> {
  const code = Object.entries(asObject(graphs)).map(
    ([id, graph]) => [id, isObject(graph) ? graph["path"] : graph] as const,
  );
  if (code.length === 0) yield "`graphs` lists no graph";
  for (const [id, path] of code)
    if (!isMatching(path, /[^:]:[^:]+$/))
      yield `the graph \`${id}\` is not a path and a variable, such as ./agent.py:graph`;
  if (env && typeof env !== "string" && !isObject(env))
    yield "`env` must be a path or an object of variables";
  if (source && !(isObject(source) && source["kind"] === "uv" && isMatching(source["root"] ?? ".", /\S/)))
    yield '`source` must be an object such as {"kind": "uv", "root": ".."}';
  if (!Array.isArray(dependencies) || !dependencies.every((each) => typeof each === "string"))
    return void (yield "`dependencies` is not a list of texts");
  if (dependencies.some((each) => /git\+https?:\/\/[^/\s"']*@/i.test(each)))
    yield "an address of git in `dependencies` has credentials, which the image would keep";
  const isOfPython = code.some(([, path]) => !isMatching(path, /\.[mc]?[jt]s(:|$)/));
  if (!source && isOfPython && dependencies.length === 0)
    yield '`dependencies` lists nothing to install: for this folder, write ["."]';
}

function isMatching(value: unknown, pattern: RegExp): boolean {
  return typeof value === "string" && pattern.test(value);
}
