/** The commands in a project of two stacks, whose resource `bot` is `bot-dev` and `bot` on one service. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { langsmith, type Emulator } from "../../../emulator";
import { programs, scratch } from "../../support/folders";
import { holding, refused } from "./outcomes";
import { create, ofImage, revise, start, writesOf } from "./service-commands";
import { cli } from "./support";

let emulator: Emulator;
let [root, cwd, PATH] = ["", "", ""];

const body = ofImage("a:1");

function writeState(stack: string, id: string): void {
  const urn = `urn:pulumi:${stack}::p::pulumi-nodejs:dynamic/deployment-service:Deployment::bot`;
  const state = { version: 3, deployment: { resources: [{ urn, id, outputs: {} }] } };
  writeFileSync(join(root, `${stack}.json`), JSON.stringify(state));
}

/** With the stack prod selected. */
const run = (words: string[], setting: object = {}) => cli(words, { cwd, env: { PATH }, ...setting });

beforeEach(async () => {
  root = scratch({ "project/Pulumi.yaml": "name: p\nruntime: nodejs\n" });
  emulator = await start({ rules: langsmith, logs: { deploy: ["up"] } });
  cwd = join(root, "project");
  for (const [stack, name] of [
    ["dev", "bot-dev"],
    ["prod", "bot"],
  ] as const)
    writeState(stack, create(emulator, name, body));
  create(emulator, "other", body);
  const settings = { baseUrl: emulator.url, apiKey: emulator.apiKey, dialect: "langsmith" };
  const entries = Object.entries(settings).map(([key, value]) => [`deployment-service:${key}`, { value }]);
  writeFileSync(join(root, "config.json"), JSON.stringify(Object.fromEntries(entries)));
  const script = `
    PATH=/usr/bin:/bin
    case "$*" in
      "stack --show-name"*) echo prod;;
      "stack ls"*) echo '[{"name": "dev"}, {"name": "prod"}]';;
      "stack export --stack"*) cat "${root}/$4.json";;
      "stack export"*) cat ${root}/prod.json;;
      config*) cat ${root}/config.json;;
    esac`;
  PATH = programs({ pulumi: script });
});

it.each([
  [["--stack", "dev"], "bot-dev"],
  [[], "bot"],
])("a name is first the resource of the stack: bot %j is %s", async (words, name) => {
  const { stdout } = await run(["status", "bot", "--json", ...words]);
  expect(JSON.parse(stdout)).toMatchObject([{ name }]);
  expect((await run(["logs", "bot", ...words])).code).toBe(0);
  expect(emulator.requestLines().at(-1)).toContain(emulator.deployment(name)!.id);
});

it("a name is else one on the service, be it the stack's own or one that no stack has", async () => {
  const { code, stdout } = await run(["status", "bot-dev", "other", "--json", "--stack", "dev"]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject([{ name: "bot-dev" }, { name: "other" }]);
});

it("status of a stack shows its deployments, and fails for no other one", async () => {
  emulator.configure({ rollout: { polls: 0, fails: "BUILD_FAILED" } });
  revise(emulator, "other");
  const all = await run(["status"]);
  expect(all).toMatchObject({ code: 3, stderr: holding("other is serving") });
  const { code, stdout, stderr } = await run(["status", "--stack", "dev", "--json"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(JSON.parse(stdout)).toMatchObject([{ name: "bot-dev" }]);
  writeState("dev", "00000000-0000-4000-8000-0000000000ff");
  expect(await run(["status", "--stack", "dev"])).toMatchObject({ code: 3, stdout: "" });
});

it("status of a stack without deployments shows none, and waits for none", async () => {
  emulator.configure({ rollout: "never" });
  revise(emulator, "other");
  writeFileSync(join(root, "dev.json"), JSON.stringify({ version: 3, deployment: {} }));
  for (const words of [[], ["--wait"]])
    expect(await run(["status", "--stack", "dev", ...words])).toEqual({
      code: 0,
      stdout: "",
      stderr: "stack dev has no deployments; without --stack, status shows all of the service\n",
    });
});

it.each([
  ["status", "bot-dev"],
  ["logs", "bot-dev"],
  ["interrupt", "bot-dev", "--yes"],
])("the deployment of another stack is refused with the stack's name: %s", async (...words) => {
  expect(await run(words)).toMatchObject(
    refused("deployment bot-dev belongs to stack dev, as bot: add --stack dev\n"),
  );
  expect(writesOf(emulator)).toEqual([]);
});

it("interrupt ends the revision of the stack's own deployment, after it has shown stack, service and deployment", async () => {
  emulator.configure({ rollout: "never" });
  for (const name of ["bot-dev", "bot"]) revise(emulator, name);
  const revision = emulator.deployment("bot-dev")!.latest_revision_id;
  const asked: string[] = [];
  const ask = (question: string) => (asked.push(question), Promise.resolve(""));
  await run(["interrupt", "bot", "--stack", "dev"], { ask });
  const target = `stack dev, service ${emulator.url}:\n  deployment bot-dev, revision ${revision}\n`;
  expect(asked[0]!.startsWith(target)).toBe(true);
  const { stdout, stderr } = await run(["interrupt", "bot", "--stack", "dev", "--yes"]);
  expect(stderr).toContain(target);
  expect(stdout).toContain("`npx pulumi-deployment-service status bot-dev --wait --stack dev`");
  expect(writesOf(emulator)).toEqual([
    `POST /v2/deployments/${emulator.deployment("bot-dev")!.id}/revisions/${revision}/interruption 202`,
  ]);
});

it("a resource whose deployment has gone is missing, and no other of that name takes its place", async () => {
  writeState("dev", "00000000-0000-4000-8000-0000000000ff");
  expect(await run(["interrupt", "bot", "--stack", "dev", "--yes"])).toMatchObject({ code: 3, stdout: "" });
  expect(writesOf(emulator)).toEqual([]);
});

it("a state that cannot be read is an error, not a reason to take the name for one on the service", async () => {
  writeFileSync(join(root, "dev.json"), "error");
  expect(await run(["interrupt", "bot", "--stack", "dev", "--yes"])).toMatchObject(
    refused("cannot read the state of stack dev: run `pulumi stack export --stack dev` to see why"),
  );
});

it.each([
  [["--stack", "dev"], "dev"],
  [[], "prod"],
])("each line to paste that `import` prints and writes is for the stack: %j", async (words, stack) => {
  create(emulator, "late", { ...body, secrets: [{ name: "KEY", value: "hush" }] });
  const id = emulator.deployment("late")!.id;
  const { stdout } = await run(["import", "--deployment-ids", id, ...words]);
  const lines = `${stdout}${readFileSync(join(cwd, "deployments.yaml"), "utf8")}`.match(/pulumi .*/g);
  expect(lines).toEqual([
    expect.stringMatching(`^pulumi import --file import.json .* --stack ${stack}$`),
    `pulumi preview --stack ${stack}`,
    `pulumi config set --secret lateKey --stack ${stack}  # KEY of late`,
    `pulumi config set --secret lateKey --stack ${stack}`,
  ]);
});
