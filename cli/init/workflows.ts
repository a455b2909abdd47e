/** The workflows of the CI example, fitted to a project: where it is, what it declares, its stacks and its service. */
import { existsSync } from "node:fs";
import { join, posix, relative } from "node:path";
import { parse } from "yaml";
import { asObject } from "../../schema/tree";
import { slashed } from "../../provider/agent/paths";
import { readRegularFile } from "../../provider/files/regular-file";
import { sanitize } from "../../provider/text/sanitize";
import { UsageError } from "../usage-error";
import { ignoredIn, npmRootOf, type Repository } from "./git-repository";
import type { Io } from "../command";
import { packageFiles, packageText } from "../files/package-texts";

export type CiService = "github" | "gitlab";

export interface WorkflowRequest {
  readonly ci: CiService;
  readonly repository: Repository;
  /** The project's folder, absolute. */
  readonly folder: string;
  readonly stacks: readonly string[];
  /** Those of the project, which are checked without a connection. A program without one has types to check. */
  readonly manifests: readonly string[];
  /** The variable with the key of the service. */
  readonly keyVariable: string;
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
  { cwd, stderr }: Pick<Io, "cwd" | "stderr">,
): Record<string, string> {
  const { ci, folder } = request;
  const { root } = request.repository;
  const inside = slashed(relative(root, folder));
  const lockFolder = slashed(relative(root, npmRootOf(folder, root)));
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
    const text = fitted(packageText(`examples/03-ci/${template}`), inside, lockFolder, request);
    return [
      slashed(relative(folder, target)),
      isIncluded ? includable(text, readRegularFile(pipeline).toString()) : text,
    ];
  });
  if (isIncluded)
    stderr.write(
      `${sanitize(relative(cwd, pipeline))} exists and was left alone: add \`include: /${includedFile}\` to it\n`,
    );
  reportLockFile(request, inside, lockFolder, stderr);
  return Object.fromEntries(files);
}

/** `npm ci` fails without the lock file, which npm writes to the root of the repository's workspaces if the project is one. */
function reportLockFile(
  { repository: { root }, stacks }: WorkflowRequest,
  inside: string,
  lockFolder: string,
  stderr: Io["stderr"],
): void {
  const lockFile = posix.join(lockFolder, "package-lock.json");
  if (lockFolder !== inside)
    stderr.write(
      `${inside} is one of the repository's npm workspaces: npm writes its lock file to ${lockFile}\n`,
    );
  const ignored = ignoredIn(root, [
    lockFile,
    ...stacks.map((each) => posix.join(inside, `Pulumi.${each}.yaml`)),
  ]);
  if (ignored.length > 0)
    stderr.write(
      `the repository ignores ${ignored.map((each) => sanitize(each)).join(", ")}, which the workflows need: commit them with ` +
        "`git add --force`, or change .gitignore\n",
    );
}

/** The text of the example with what depends on the project in its places. */
function fitted(
  text: string,
  inside: string,
  lockFolder: string,
  { ci, repository, stacks, manifests, keyVariable }: WorkflowRequest,
): string {
  const { defaultBranch, hasSubmodules, hasLargeFiles } = repository;
  // In a workspace, some packages may be in the project's own folder.
  const packages = new Set([lockFolder, inside].map((folder) => posix.join(folder, "node_modules")));
  const lockFile = posix.join(lockFolder, "package-lock.json");
  const format = ci === "github" ? " --format github" : "";
  const checks = manifests.map((file) => `npx pulumi-deployment-service validate ${file}${format}`);
  const list = (words: readonly string[]) => `[${words.map((word) => JSON.stringify(word)).join(", ")}]`;
  const input = (isNeeded: boolean, line: string) => (isNeeded ? `\n          ${line}` : "");
  const edits: readonly (readonly [place: RegExp, text: string])[] = [
    // The files of the stacks name the service, and the folder is what is deployed.
    [/^ *(?:DEPLOYMENT_SERVICE_URL|IMAGE_TAG): .*\n/gm, ""],
    [/DEPLOYMENT_SERVICE_API_KEY/g, keyVariable],
    [/(?<=STACKS: )prod/g, JSON.stringify(stacks.join(" "))],
    [/(?<=stack: )\[prod\]/gi, list(stacks)],
    [/(?<=branches: )\[main\]/g, list([defaultBranch])],
    [/(?<=working-directory: )\.$/gm, inside || "."],
    [/npx pulumi-deployment-service validate .*/g, checks.join(" && ") || "npx tsc"],
    [
      /(?<=persist-credentials: false)$/gm,
      input(hasSubmodules, "submodules: recursive") + input(hasLargeFiles, "lfs: true"),
    ],
    [/(?<=cache: npm)$/gm, input(inside !== "", `cache-dependency-path: ${lockFile}`)],
    // For GitLab, whose runners fetch large files unless they are told otherwise.
    [/(?<=paths: )\[node_modules\]/g, list([...packages])],
    [/(?<=paths: \[)(?=\w+\.md)/g, inside && `${inside}/`],
    [/(?<=entrypoint: .*)$/gm, inside && `\n  before_script: [cd ${inside}]`],
    [/^variables:$/gm, `variables:${hasSubmodules ? "\n  GIT_SUBMODULE_STRATEGY: recursive" : ""}`],
  ];
  return edits.reduce((before, [place, to]) => before.replace(place, () => to), text);
}

/** Keeps the jobs apart from those of the pipeline that includes the file, and leaves the stages to it. */
function includable(text: string, pipeline: string): string {
  // GitLab's own tags, such as `!reference`, would be warnings.
  const { stages } = asObject(parse(pipeline, { logLevel: "silent" }));
  const stage = JSON.stringify(Array.isArray(stages) ? stages.at(-1) : "deploy");
  return text
    .replace(/^stages: .*\n\n/m, "")
    .replace(/^default:$/m, ".deployments:")
    .replace(/^ {2}stage: .*$/gm, () => `  extends: .deployments\n  stage: ${stage}`)
    .replace(/^(?=\w+:\n {2}extends)/gm, "deployments:")
    .replace(/^ {2}needs: .*$/gm, (line) => line.replace(/\w+(?=[\],])/g, "deployments:$&"));
}
