/** The workflows of the CI example, fitted to a project: where it is, what it declares, its stacks and its service. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { slashed } from "../agent/paths";
import { settingsTable } from "../settings/table";
import { sanitize } from "../text/sanitize";
import { packageFolder } from "../version";
import { UsageError } from "../usage-error";
import type { Repository } from "./repository";
import type { CiService } from "./request";

export interface Fitting {
  /** Of the project. */
  readonly folder: string;
  /** Where the user is. */
  readonly cwd: string;
  readonly isManifest: boolean;
  readonly keyVariable: string;
  /** In the order in which they are deployed. */
  readonly stacks: readonly string[];
  readonly repository: Repository | undefined;
}

/**
 * By path, relative to the folder of the project: code hosts read them in the root of a repository only.
 *
 * @throws if there is such a file already
 */
export function workflowsFor(service: CiService, fitting: Fitting): Record<string, string> {
  const { folder, cwd } = fitting;
  const root = fitting.repository?.root ?? folder;
  const inside = slashed(relative(root, folder));
  // It becomes a part of YAML and of shell commands.
  if (!/^[\w./-]*$/.test(inside))
    throw new UsageError(
      `--ci needs a folder whose path has only letters, digits, dots, dashes and underscores: ${sanitize(inside)}`,
    );
  const example = join(packageFolder() ?? ".", "examples/03-ci");
  const names =
    service === "gitlab"
      ? [".gitlab-ci.yml"]
      : readdirSync(join(example, ".github/workflows")).map((file) => `.github/workflows/${file}`);
  const fit = service === "gitlab" ? fitPipeline : fitWorkflow;
  return Object.fromEntries(
    names.map((name) => {
      if (existsSync(join(root, name))) {
        const shown = sanitize(relative(cwd, join(root, name)));
        throw new UsageError(`${shown} exists already: move it, or omit --ci`);
      }
      const text = fitted(readFileSync(join(example, name), "utf8"), fitting);
      return [slashed(relative(folder, join(root, name))), fit(text, inside, fitting)];
    }),
  );
}

/** What the workflows of every code host share. */
function fitted(text: string, { isManifest, keyVariable, stacks }: Fitting): string {
  const withService = text
    // The files of the stacks name the service, and the folder is what is deployed.
    .replace(/^(env|variables):\n(?: {2}.*\n)+\n/m, "")
    .replaceAll(settingsTable.apiKey.env, keyVariable);
  const checked = isManifest
    ? withService.replace(/(validate \S+) --stack prod/, stacks.length > 1 ? "$1" : `$1 --stack ${stacks[0]}`)
    : withService
        .replace(/^ *# Problems appear next to the lines.*\n/m, "")
        .replace(/npx pulumi-deployment-service validate .*/, "npx tsc");
  return stacks.length > 1 ? eachInTurn(checked, stacks) : checked.replace(/\bprod\b/g, stacks[0]!);
}

/** Previews all stacks together, and plans and applies one after the other. */
function eachInTurn(text: string, stacks: readonly string[]): string {
  const [deploying = ""] = /(?:^ *#.*\n)*^ *plan:\n[^]*?(?=\n(?:#.*\n)+drift:|$(?![^]))/m.exec(text) ?? [];
  if (deploying === "") return inAll(text, stacks);
  const [before = "", after = ""] = text.split(deploying);
  const jobs = stacks.map((stack, at) =>
    deployingTo(stack, deploying, stacks[at - 1], at === stacks.length - 1),
  );
  return inAll(before, stacks) + jobs.join("\n") + inAll(after, stacks);
}

/** Names of jobs have no dots. */
function jobOf(stack: string): string {
  return stack.replaceAll(".", "-");
}

/** @param previous the stack whose jobs go before */
function deployingTo(stack: string, jobs: string, previous: string | undefined, isLast: boolean): string {
  const own = jobs
    .replace(/\bprod\b/g, stack)
    .replace(/^( *)(plan|apply):$/gm, `$1$2-${jobOf(stack)}:`)
    .replace(/^( *needs: \[\w+, )plan\]/m, `$1plan-${jobOf(stack)}]`)
    .replace(/^( *stage: ).*/gm, `$1deploy-${jobOf(stack)}`);
  const started = isLast ? own : own.replace(/^# Waits until someone starts it.*\n|^ *when: manual\n/gm, "");
  if (previous === undefined) return started;
  return started.replace(/^( *needs: )\[?(validate|check)\]?$/m, `$1[$2, apply-${jobOf(previous)}]`);
}

/** A report with a section for each stack, and the stages of a pipeline. */
function inAll(text: string, stacks: readonly string[]): string {
  const loop = `for stack in ${stacks.join(" ")}; do`;
  const stages = ["check", "preview", ...stacks.map((each) => `deploy-${jobOf(each)}`)];
  return text
    .replace(/(?<!--stack )\bprod\b/g, stacks.join(" and "))
    .replace(
      /^( *)(- |run: )(pulumi (?:preview|refresh) --stack )prod (.*) > ("\S+")(.*)$/gm,
      (_, indent: string, lead: string, command: string, rest: string, file: string, then: string) => {
        const each = `${command}"$stack" ${rest} >> ${file}`;
        if (lead === "- ") return `${indent}- ${loop} ${each}${then}; done`;
        const lines = ["run: |", `  ${loop}`, `    ${each} || failed=1`, "  done", '  exit "${failed:-0}"'];
        return lines.map((line) => indent + line).join("\n");
      },
    )
    .replace(/^stages: .*/m, `stages: [${stages.join(", ")}]`);
}

function fitWorkflow(text: string, inside: string, { repository }: Fitting): string {
  const { defaultBranch = "main", hasSubmodules = false, hasLargeFiles = false } = repository ?? {};
  const branch = /^[\w./-]+$/.test(defaultBranch) ? defaultBranch : JSON.stringify(defaultBranch);
  const checkout = [
    ...(hasSubmodules ? ["submodules: recursive"] : []),
    ...(hasLargeFiles ? ["lfs: true"] : []),
  ];
  const fetched = text
    .replace(/^( *)persist-credentials: false\n/gm, (line, indent: string) =>
      [line, ...checkout.map((each) => `${indent}${each}\n`)].join(""),
    )
    .replace(/branches: \[main\]/g, () => `branches: [${branch}]`)
    .replace(/\bmain\b(?=[,.])/g, () => defaultBranch);
  if (inside === "") return fetched;
  return fetched
    .replace(/^permissions: \{\}\n/m, `$&\ndefaults:\n  run:\n    working-directory: ${inside}\n`)
    .replace(/^( *)cache: npm\n/gm, `$&$1cache-dependency-path: ${inside}/package-lock.json\n`);
}

/** A runner of GitLab fetches large files unless it is told otherwise. */
function fitPipeline(text: string, inside: string, { repository }: Fitting): string {
  const fetched = repository?.hasSubmodules
    ? text.replace(/^default:\n/m, "variables:\n  GIT_SUBMODULE_STRATEGY: recursive\n\n$&")
    : text;
  if (inside === "") return fetched;
  return fetched
    .replace(/^default:\n/m, `$&  before_script:\n    - cd ${inside}\n`)
    .replace(/^( *paths: \[)(.*)\]$/gm, `$1${inside}/$2]`);
}
