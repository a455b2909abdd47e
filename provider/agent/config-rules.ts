/** What the service's own command line refuses in a graph configuration. So does a preview, before anything is uploaded. */
import { isObject, valueAt, type Values } from "../../schema/tree";

type Test = (value: unknown) => boolean;

const text =
  (isFine: (text: string) => boolean): Test =>
  (value) =>
    typeof value === "string" && isFine(value);
const matching = (pattern: RegExp) => text((value) => pattern.test(value));
const isFilled = matching(/\S/);
const isCallable = matching(/[^:]:[^:]+$/);
const isJavaScript = matching(/\.[mc]?[jt]s(:|$)/);
const isNodeVersion = text((value) => /^\d+$/.test(value) && Number(value) >= 20);
const isPythonVersion = matching(/^(3\.(1[1-9]|[2-9]\d)|([4-9]|\d{2,})\.\d+)(-[^.]*)?$/);
const areBuildTools: Test = (value) =>
  value === true || (Array.isArray(value) && value.every(matching(/^(pip|setuptools|wheel)$/)));

const node = 'must be a text with a major version alone, at least "20"';
const python = 'must be a text with major and minor version alone, at least "3.11"';
const callable = "must be a path and a variable, such as ./file.py:name";

/** How a value must be that is neither null nor empty. */
const rules: readonly (readonly [path: string, isFine: Test, must: string])[] = [
  [
    "env",
    (value) => typeof value === "string" || isObject(value),
    "must be a path or an object of variables",
  ],
  ["node_version", isNodeVersion, node],
  ["python_version", isPythonVersion, python],
  [
    "python_version",
    (value) => !/bullseye/.test(String(value)),
    "must not be of bullseye, which is no longer built",
  ],
  ["image_distro", matching(/^(debian|wolfi|bookworm)$/), "must be debian, wolfi or bookworm"],
  ["pip_installer", matching(/^(auto|pip|uv)$/), "must be auto, pip or uv"],
  [
    "api_version",
    matching(/^(>?~=\s*)?\d+(\.\d+){0,2}(\.?[a-z]\w*)?(-.*)?$/i),
    'must be a text such as "0.8"',
  ],
  ["keep_pkg_tools", areBuildTools, "must be true or a list of pip, setuptools, wheel"],
  ["auth.path", isCallable, callable],
  ["encryption.path", isCallable, callable],
  ["priority.path", isCallable, callable],
  ["priority.path", (value) => !isJavaScript(value), "must be Python"],
  ["http.app", isCallable, callable],
  ["project_root", () => false, "is now called `source.root`"],
  ["package", () => false, "is now called `source.package`"],
];

/**
 * Each is a sentence without its end.
 * @param engines of the `package.json` next to it
 */
export function* refusalsOf(config: Values, engines: unknown): Generator<string, void> {
  const { graphs, dependencies = [], source, python_version: version, node_version: nodeVersion } = config;
  const code = Object.entries(isObject(graphs) ? graphs : {}).map(
    ([id, graph]) => [id, isObject(graph) ? graph["path"] : graph] as const,
  );
  if (code.length === 0) yield "`graphs` lists no graph";
  for (const [id, path] of code)
    if (!isCallable(path)) yield `the graph \`${id}\` is not a path and a variable, such as ./agent.py:graph`;
  for (const [path, isFine, must] of rules) {
    const value = valueAt(config, path.split("."));
    if (value && !isFine(value)) yield `\`${path}\` ${must}`;
  }
  const isOfNode = Boolean(nodeVersion) || code.some(([, path]) => isJavaScript(path));
  if (isOfNode && isObject(engines))
    for (const [name, value] of Object.entries(engines)) {
      if (name !== "node") yield `\`engines\` of package.json must name node alone, without ${name}`;
      else if (!isNodeVersion(value)) yield `\`engines.node\` of package.json ${node}`;
    }
  if (!Array.isArray(dependencies) || !dependencies.every((each) => typeof each === "string")) {
    yield "`dependencies` is not a list of texts";
    return;
  }
  if (dependencies.some(matching(/git\+https?:\/\/[^/\s"']*@/i)))
    yield "an address of git in `dependencies` has credentials, which the image would keep";
  const isOfPython = Boolean(version) || code.some(([, path]) => !isJavaScript(path));
  if (!source) {
    if (isOfPython && dependencies.length === 0)
      yield '`dependencies` lists nothing to install: for this folder, write ["."]';
  } else if (!isObject(source) || source["kind"] !== "uv") {
    yield '`source` must be an object such as {"kind": "uv", "root": ".."}';
  } else {
    if (!isOfPython) yield "`source` of kind uv is for Python: set `python_version`";
    if (dependencies.length > 0) yield "`source` of kind uv does not go together with `dependencies`";
    for (const name of ["root", "package"])
      if (!isFilled(source[name] ?? ".")) yield `\`source.${name}\` is not a path`;
  }
}
