/** The workflows of the CI example, fitted to a project: where it is, what it declares, its stacks and its service. */
import { existsSync } from "node:fs";
import { join, posix, relative } from "node:path";
import { isMap, isScalar, isSeq, parse, parseDocument, visit, type Document } from "yaml";
import { asObject } from "../../schema/tree";
import { slashed } from "../../provider/agent/paths";
import { readRegularFile } from "../../provider/files/regular-file";
import { settingsTable } from "../../provider/settings/table";
import { sanitize } from "../../provider/text/sanitize";
import { UsageError } from "../usage-error";
import { ignoredIn, workspaceRootOf, type Repository } from "./git-repository";
import type { Caller, CiService } from "./request";
import { packageFiles, packageText } from "../files/package-texts";

export interface WorkflowRequest {
  readonly ci: CiService;
  readonly repository: Repository;
  /** The project's folder, absolute. */
  readonly folder: string;
  readonly stacks: readonly string[];
  /** What checks the project without a connection: a manifest, or the types of a program. */
  readonly check: string;
  /** The variable with the key of the service. */
  readonly keyVariable: string;
}

/** @param manifests of the project; a program without one has types to check */
export function checkOf(manifests: readonly string[], ci: CiService): string {
  const format = ci === "github" ? " --format github" : "";
  const commands = manifests.map((file) => `npx pulumi-deployment-service validate ${file}${format}`);
  return commands.length === 0 ? "npx tsc" : commands.join(" && ");
}

const gitlabFile = ".gitlab-ci.yml";
/** For a repository that has a pipeline already, which includes it. */
const includedFile = "deployments.gitlab-ci.yml";
const githubFolder = ".github/workflows";

/**
 * By path, relative to the folder of the project: code hosts read them in the root of a repository only. Reports what is to be
 * added by hand.
 *
 * @throws if there is such a file already
 */
export function workflowsFor(
  request: WorkflowRequest,
  { cwd, stderr }: Pick<Caller, "cwd" | "stderr">,
): Record<string, string> {
  const { ci, folder, keyVariable } = request;
  const { root } = request.repository;
  const inside = slashed(relative(root, folder));
  // It becomes a part of shell commands.
  if (!/^[\w./-]*$/.test(inside))
    throw new UsageError(
      `--ci needs a folder whose path has only letters, digits, dots, dashes and underscores: ${sanitize(inside)}`,
    );
  const pipeline = join(root, gitlabFile);
  const isIncluded = ci === "gitlab" && existsSync(pipeline);
  const templates =
    ci === "gitlab"
      ? [gitlabFile]
      : packageFiles(`examples/03-ci/${githubFolder}`).map((file) => `${githubFolder}/${file}`);
  const files = templates.map((template): [string, string] => {
    const target = join(root, isIncluded ? includedFile : template);
    if (existsSync(target))
      throw new UsageError(
        `${sanitize(relative(cwd, target))} exists already: omit --ci and add the project to that file, or move the file`,
      );
    const text = packageText(`examples/03-ci/${template}`).replaceAll(settingsTable.apiKey.env, keyVariable);
    const document = parseDocument(text);
    fit(document, inside, request);
    if (isIncluded) makeIncluded(document, readRegularFile(pipeline).toString());
    return [
      slashed(relative(folder, target)),
      document.toString({ lineWidth: 0, flowCollectionPadding: false }),
    ];
  });
  if (isIncluded)
    stderr.write(
      `${sanitize(relative(cwd, pipeline))} exists and was left alone: add \`include: /${includedFile}\` to it\n`,
    );
  reportLockFile(request, inside, stderr);
  return Object.fromEntries(files);
}

/** `npm ci` fails without the lock file, which npm writes to the root of the repository's workspaces if the project is one. */
function reportLockFile(
  { repository: { root }, folder, stacks }: WorkflowRequest,
  inside: string,
  stderr: Caller["stderr"],
): void {
  const place = lockFolderOf(root, inside);
  if (place !== inside)
    stderr.write(
      `${inside} is one of the repository's npm workspaces: npm writes its lock file to ${posix.join(place, "package-lock.json")}\n`,
    );
  const needed = [
    join(root, place, "package-lock.json"),
    ...stacks.map((each) => join(folder, `Pulumi.${each}.yaml`)),
  ];
  const ignored = ignoredIn(
    root,
    needed.map((file) => slashed(relative(root, file))),
  );
  if (ignored.length > 0)
    stderr.write(
      `the repository ignores ${ignored.map((each) => sanitize(each)).join(", ")}, which the workflows need: commit them with ` +
        "`git add --force`, or change .gitignore\n",
    );
}

/** Relative to the root of the repository. */
function lockFolderOf(root: string, inside: string): string {
  return slashed(relative(root, workspaceRootOf(join(root, inside), root) ?? join(root, inside)));
}

/** Changes what depends on the project, wherever the example has it. */
function fit(document: Document, inside: string, { ci, repository, stacks, check }: WorkflowRequest): void {
  const { root, defaultBranch, hasSubmodules, hasLargeFiles } = repository;
  const lockFolder = lockFolderOf(root, inside);
  const checked = (command: string) => (command.includes(" validate ") ? check : command);
  const changes: Readonly<Record<string, (text: string) => string>> = {
    STACKS: () => stacks.join(" "),
    branches: () => defaultBranch,
    "working-directory": (folder) => (folder === "." ? inside || folder : folder),
    paths: (file) => posix.join(file === "node_modules" ? lockFolder : inside, file),
    run: checked,
    script: checked,
  };
  visit(document, {
    Pair(_, { key, value }) {
      const name = String(key);
      // The files of the stacks name the service, and the folder is what is deployed.
      if (name === settingsTable.baseUrl.env || name === "IMAGE_TAG") return visit.REMOVE;
      if (isSeq(value) && name.toLowerCase() === "stack") value.items = [...stacks];
      for (const each of isSeq(value) ? value.items : [value])
        if (isScalar(each)) each.value = changes[name]?.(String(each.value)) ?? each.value;
      // In a workspace, some packages may be in the project's own folder.
      if (isSeq(value) && name === "paths" && lockFolder !== inside && ci === "gitlab") {
        const [first] = value.items;
        if (isScalar(first) && String(first.value).endsWith("node_modules"))
          value.add(posix.join(inside, "node_modules"));
      }
    },
    Map(_, step) {
      const inputs = step.get("with");
      if (!isMap(inputs)) return;
      const isCheckout = String(step.get("uses")).startsWith("actions/checkout@");
      if (isCheckout && hasSubmodules) inputs.set("submodules", "recursive");
      if (isCheckout && hasLargeFiles) inputs.set("lfs", true);
      if (inputs.has("cache") && inside !== "")
        inputs.set("cache-dependency-path", posix.join(lockFolder, "package-lock.json"));
    },
  });
  if (ci !== "gitlab") return;
  // A runner of GitLab fetches large files unless it is told otherwise.
  if (hasSubmodules) document.setIn(["variables", "GIT_SUBMODULE_STRATEGY"], "recursive");
  if (inside !== "") document.setIn(["default", "before_script"], [`cd ${inside}`]);
}

/** Leaves what is valid for all jobs to the pipeline that includes the file, and keeps its jobs apart from the others. */
function makeIncluded(document: Document, pipeline: string): void {
  const { workflow, default: usual, stages: _, variables: __, ...jobs } = asObject(document.toJS());
  // GitLab's own tags, such as `!reference`, would be warnings.
  const { stages } = asObject(parse(pipeline, { logLevel: "silent" }));
  const stage: unknown = Array.isArray(stages) ? stages.at(-1) : "deploy";
  const nameOf = (job: unknown) => `deployments:${String(job)}`;
  for (const job of Object.keys(jobs)) {
    const { needs } = asObject(jobs[job]);
    document.setIn([job, "stage"], stage);
    for (const [key, value] of Object.entries(asObject(usual))) document.setIn([job, key], value);
    if (Array.isArray(needs)) document.setIn([job, "needs"], needs.map(nameOf));
    else document.setIn([job, "rules"], asObject(workflow)["rules"]);
  }
  for (const each of ["workflow", "default", "stages"]) document.delete(each);
  const { contents } = document;
  for (const { key } of isMap(contents) ? contents.items : [])
    if (isScalar(key) && Object.hasOwn(jobs, String(key.value))) key.value = nameOf(key.value);
}
