/** What a build prints, and what the service says of it, reaches a CI job's log. */
import { expect, it } from "vitest";
import { langsmith } from "../../emulator";
import { programOfBoth } from "./plugin-support";
import { deploymentService, useProduct } from "./support";

const password = "s3cr3t+pass=99";
const address = `https://robot:${password}@registry.example.com/v2/`;
const args = `{
  source: "codehost",
  sourceConfig: {
    deploymentType: "dev",
    integrationId: "11111111-1111-4111-8111-111111111111",
    repoUrl: "https://github.com/acme/chat",
  },
  sourceRevisionConfig: { repoRef: "main", graphConfigPath: "langgraph.json" },
}`;
const product = useProduct({
  program: programOfBoth(`new dynamic.Deployment("chat", ${args}); new packaged.Deployment("bot", ${args});`),
  emulator: {
    rules: langsmith,
    logs: {
      build: [
        "::stop-commands::token",
        "  ::add-mask::a",
        "#8 ##vso[task.setvariable variable=PATH]/tmp",
        "##[error]a",
        "##teamcity[buildStatus status='SUCCESS']",
        `#9 ERROR: failed to pull ${address}`,
      ],
    },
    rollout: {
      polls: 1,
      fails: "BUILD_FAILED",
      reason: `##vso[task.complete result=Succeeded;] ${address} ::error::a`,
    },
  },
  env: { DEPLOYMENT_SERVICE_DIALECT: "langsmith" },
});

it("a build steers no CI runner and shows no password of an address, in the run of either provider and in the commands", async () => {
  const { output, screen } = await product.up({ expectFailure: true, args: ["--continue-on-error"] });
  const command = async (...words: string[]) => {
    const ran = deploymentService(product, words, { DEPLOYMENT_SERVICE_DIALECT: "langsmith" });
    // The status of a failed deployment is an exit code too.
    const { stdout, stderr } = await ran.catch((error: unknown) => error as Awaited<typeof ran>);
    return stdout + stderr;
  };
  const texts = {
    output,
    log: await command("logs", "chat", "--build"),
    logJson: await command("logs", "chat", "--build", "--json"),
    status: await command("status", "chat"),
    statusJson: await command("status", "chat", "--json"),
    revisions: await command("status", "chat", "--revisions"),
    revisionsJson: await command("status", "chat", "--revisions", "--json"),
    list: await command("list", "--json"),
  };
  for (const [place, text] of Object.entries(texts)) {
    expect(text, place).not.toMatch(/^\s*::.+::|##(vso|teamcity)?\[/m);
    expect(text, place).not.toMatch(/s3cr3t|pass/);
  }
  for (const name of ["chat", "bot"]) {
    expect(screen).toContain(
      `${name}: create failed: # #vso[task.complete result=Succeeded;] https://[secret]@`,
    );
  }
  expect(texts.log).toContain(": :stop-commands::token\n");
  expect(texts.log).toContain("https://[secret]@registry.example.com/v2/");
}, 120_000);
