/** The workflows of the CI example, fitted to a project: where it is, what it declares, its stacks and its service. */
import { existsSync } from "node:fs";
import { dirname, join, posix, relative } from "node:path";
import { isMap, isScalar, isSeq, parseDocument, visit, type Document } from "yaml";
import { slashed } from "../../provider/agent/paths";
import { IgnoreRules } from "../../provider/archive/ignore-rules";
import type { ArchiveRules } from "../../provider/dialects/dialect";
import { settingsTable } from "../../provider/settings/table";
import { sanitize } from "../../provider/text/sanitize";
import { readRegularFile } from "../../provider/files/regular-file";
import { UsageError } from "../usage-error";
import type { AgentProject, Workflows } from "./guides";
import type { Caller, CiService } from "./request";
import { exampleFiles, exampleText } from "./texts";

/**
 * By path, relative to the folder of the project: code hosts read them in the root of a repository only.
 *
 * @throws if there is such a file already
 */
export function workflowsFor(
  { ci, repository }: Workflows,
  project: AgentProject,
  { cwd }: Pick<Caller, "cwd">,
): Record<string, string> {
  const { folder } = project.place;
  const { root } = repository;
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
        exampleText(`03-ci/${name}`).replaceAll(settingsTable.apiKey.env, project.service.keyVariable),
      );
      fit(document, { ci, repository }, inside, project);
      return [
        slashed(relative(folder, join(root, name))),
        document.toString({ lineWidth: 0, flowCollectionPadding: false }),
      ];
    }),
  );
}

/** What an agent's ignore file must exclude if the workflows are in its folder: otherwise, their changes would make revisions. */
const workflowsPath: Readonly<Record<CiService, string>> = { github: ".github/", gitlab: ".gitlab-ci.yml" };

/** The line to append to an ignore file; empty if the agent's ignore files exclude the workflows already. */
export function ignoreLineFor(ci: CiService, file: string, rules: ArchiveRules): string {
  const line = workflowsPath[ci];
  const ignored = IgnoreRules.of(dirname(file), rules);
  if (ignored.excluding(ignored.deciding(line, line, -1)) !== undefined) return "";
  const text = existsSync(file) ? readRegularFile(file).toString() : "";
  const [lineBreak] = /\r?\n/.exec(text) ?? ["\n"];
  return `${text === "" || text.endsWith("\n") ? "" : lineBreak}${line}${lineBreak}`;
}

/** Changes what depends on the project, wherever the example has it. */
function fit(document: Document, { ci, repository }: Workflows, inside: string, project: AgentProject): void {
  const { defaultBranch, hasSubmodules, hasLargeFiles } = repository;
  const stacks = project.declaration.stacks.map(({ stack }) => stack);
  // A program has no manifest to check.
  const check = (command: string) =>
    project.place.kind === "typescript" && command.includes(" validate ") ? "npx tsc" : command;
  const changes: Readonly<Record<string, (text: string) => string>> = {
    STACKS: () => stacks.join(" "),
    branches: () => defaultBranch,
    "working-directory": (folder) => (folder === "." ? inside || folder : folder),
    paths: (file) => posix.join(inside, file),
    run: check,
    script: check,
  };
  visit(document, {
    Pair(_, { key, value }) {
      const name = String(key);
      // The files of the stacks name the service, and the folder is what is deployed.
      if (name === settingsTable.baseUrl.env || name === "IMAGE_TAG") return visit.REMOVE;
      if (isSeq(value) && name.toLowerCase() === "stack") value.items = stacks;
      for (const each of isSeq(value) ? value.items : [value])
        if (isScalar(each)) each.value = changes[name]?.(String(each.value)) ?? each.value;
    },
    Map(_, step) {
      const inputs = step.get("with");
      if (!isMap(inputs)) return;
      const isCheckout = String(step.get("uses")).startsWith("actions/checkout@");
      if (isCheckout && hasSubmodules) inputs.set("submodules", "recursive");
      if (isCheckout && hasLargeFiles) inputs.set("lfs", true);
      if (inputs.has("cache") && inside !== "")
        inputs.set("cache-dependency-path", `${inside}/package-lock.json`);
    },
  });
  if (ci !== "gitlab") return;
  // A runner of GitLab fetches large files unless it is told otherwise.
  if (hasSubmodules) document.setIn(["variables", "GIT_SUBMODULE_STRATEGY"], "recursive");
  if (inside !== "") document.setIn(["default", "before_script"], [`cd ${inside}`]);
}
