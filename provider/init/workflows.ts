/** The workflows of the CI example, fitted to a project: where it is, what it declares, its stacks and its service. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { isMap, isSeq, parseDocument, visit, type Document } from "yaml";
import { slashed } from "../agent/paths";
import { IgnoreRules } from "../archive/ignore-rules";
import type { ArchiveRules } from "../dialects/dialect";
import { settingsTable } from "../settings/table";
import { sanitize } from "../text/sanitize";
import { UsageError } from "../usage-error";
import { exampleFiles, exampleText } from "./example";
import type { Repository } from "./repository";
import type { CiService, Kind } from "./request";

export interface Fitting {
  /** The project's folder; absolute. */
  readonly folder: string;
  readonly kind: Kind;
  /** Where the user is. */
  readonly cwd: string;
  /** The variable with the service's key. */
  readonly keyVariable: string;
  /** Their names, in the order in which they are deployed. */
  readonly stacks: readonly string[];
  readonly repository: Repository;
}

/**
 * By path, relative to the folder of the project: code hosts read them in the root of a repository only.
 *
 * @throws if there is such a file already
 */
export function workflowsFor(ci: CiService, fitting: Fitting): Record<string, string> {
  const { cwd, folder, keyVariable } = fitting;
  const { root } = fitting.repository;
  const inside = slashed(relative(root, folder));
  // It becomes a part of shell commands.
  if (!/^[\w./-]*$/.test(inside))
    throw new UsageError(
      `--ci needs a folder whose path has only letters, digits, dots, dashes and underscores: ${sanitize(inside)}`,
    );
  const workflows = ".github/workflows";
  const names =
    ci === "gitlab"
      ? [".gitlab-ci.yml"]
      : exampleFiles(`03-ci/${workflows}`).map((file) => `${workflows}/${file}`);
  return Object.fromEntries(
    names.map((name) => {
      if (existsSync(join(root, name))) {
        const shown = sanitize(relative(cwd, join(root, name)));
        throw new UsageError(
          `${shown} exists already: omit --ci and add the project to that file, or move the file`,
        );
      }
      const document = parseDocument(
        exampleText(`03-ci/${name}`).replaceAll(settingsTable.apiKey.env, keyVariable),
      );
      (ci === "gitlab" ? fitPipeline : fitWorkflow)(document, inside, fitting);
      return [
        slashed(relative(folder, join(root, name))),
        document.toString({ lineWidth: 0, flowCollectionPadding: false }),
      ];
    }),
  );
}

/** What an agent's ignore file must exclude if the workflows are in its folder: otherwise, their changes would make revisions. */
export const workflowsPath = { github: ".github/", gitlab: ".gitlab-ci.yml" } as const satisfies Record<
  CiService,
  string
>;

/** The line to append to an ignore file; empty if the agent's ignore files exclude the workflows already. */
export async function ignoreLineFor(ci: CiService, file: string, rules: ArchiveRules): Promise<string> {
  const line = workflowsPath[ci];
  const ignored = await IgnoreRules.of(dirname(file), rules);
  if (ignored.excluding(ignored.deciding(line, line, -1)) !== undefined) return "";
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  const [lineBreak] = /\r?\n/.exec(text) ?? ["\n"];
  return `${text === "" || text.endsWith("\n") ? "" : lineBreak}${line}${lineBreak}`;
}

/** The files of the stacks name the service, and the folder is what is deployed. */
function fitVariables(variables: unknown, { stacks }: Fitting): void {
  if (!isMap(variables)) return;
  variables.set("STACKS", stacks.join(" "));
  for (const { env } of [settingsTable.baseUrl, { env: "IMAGE_TAG" }]) variables.delete(env);
}

/** A program has no manifest to check. */
function checkFor(command: string, { kind }: Fitting): string {
  return kind === "manifest" || !command.includes(" validate ") ? command : "npx tsc";
}

function fitWorkflow(document: Document, inside: string, fitting: Fitting): void {
  const { defaultBranch, hasSubmodules, hasLargeFiles } = fitting.repository;
  fitVariables(document.get("env"), fitting);
  for (const event of ["push", "pull_request"])
    if (document.hasIn(["on", event])) document.setIn(["on", event, "branches", 0], defaultBranch);
  if (document.hasIn(["jobs", "apply"]))
    document.setIn(
      ["jobs", "apply", "strategy", "matrix", "stack"],
      document.createNode(fitting.stacks, { flow: true }),
    );
  document.setIn(["defaults", "run", "working-directory"], inside || ".");
  visit(document, {
    Map(_, step) {
      const [uses, run, inputs] = [step.get("uses"), step.get("run"), step.get("with")];
      if (typeof run === "string") step.set("run", checkFor(run, fitting));
      if (!isMap(inputs)) return;
      if (String(uses).startsWith("actions/checkout@")) {
        if (hasSubmodules) inputs.set("submodules", "recursive");
        if (hasLargeFiles) inputs.set("lfs", true);
      }
      if (inputs.has("cache") && inside !== "")
        inputs.set("cache-dependency-path", `${inside}/package-lock.json`);
    },
  });
}

/** A runner of GitLab fetches large files unless it is told otherwise. */
function fitPipeline(document: Document, inside: string, fitting: Fitting): void {
  fitVariables(document.get("variables"), fitting);
  if (fitting.repository.hasSubmodules) document.setIn(["variables", "GIT_SUBMODULE_STRATEGY"], "recursive");
  if (document.hasIn(["apply", "parallel"]))
    document.setIn(
      ["apply", "parallel", "matrix", 0, "STACK"],
      document.createNode(fitting.stacks, { flow: true }),
    );
  if (inside !== "") document.setIn(["default", "before_script"], [`cd ${inside}`]);
  visit(document, {
    Pair(_, { key, value }) {
      if (!isSeq(value)) return;
      if (String(key) === "script")
        value.items.forEach((_, index) => value.set(index, checkFor(String(value.get(index)), fitting)));
      if (String(key) === "paths" && inside !== "") value.set(0, `${inside}/${String(value.get(0))}`);
    },
  });
}
