import { describe, expect, it, onTestFinished, vi } from "vitest";
import { canary, expectNoTrace } from "../../support/canary";
import {
  langsmith as rules,
  type Emulator,
  type How,
  type JsonObject,
  type LoggedRequest,
} from "../../../emulator";
import { holding, refused } from "./outcomes";
import { ask, askLangsmith, create, ofImage, revise, start, writesOf } from "./service-commands";

const quick = { DEPLOYMENT_SERVICE_POLL_INTERVAL: "1ms" };
const value = canary("value");
const more = { source_config: { deployment_type: "dev" }, secrets: [{ name: "MODEL_API_KEY", value }] };
/** As a program does it: the rollout continues. */
async function post(emulator: Emulator, name: string, given: JsonObject): Promise<void> {
  const headers = { "X-Api-Key": emulator.apiKey, "Content-Type": "application/json" };
  const empty = { source: "internal_template", source_config: {}, source_revision_config: {}, secrets: [] };
  const body = JSON.stringify({ name, ...empty, ...given });
  const response = await fetch(`${emulator.url}/v2/deployments`, { method: "POST", headers, body });
  expect(response.status).toBe(201);
  emulator.clearRequests();
}

describe("status", () => {
  it("shows state, revisions, what runs and the address, and changes nothing", async () => {
    const emulator = await start();
    create(emulator, "chat", { secrets: more.secrets });
    emulator.clearRequests();
    const { code, stdout, stderr } = await ask(emulator, ["status"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^NAME +STATE +URL\nchat +ready +http\S+$/m);
    expect(writesOf(emulator)).toEqual([]);
    expectNoTrace(stdout, { value });
  });

  it("ends with 3 if a deployment has failed or does not exist, and names both", async () => {
    const emulator = await start({ rules, rollout: { polls: 0, fails: "BUILD_FAILED" } });
    const id = create(emulator, "chat", more);
    const { code, stdout, stderr } = await askLangsmith(emulator, ["status", "chat", "none", "--json"]);
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr:
        'deployment-service: chat failed, the service has no deployment named "none"; the service has chat\n',
    });
    const revision = emulator.deployment("chat")!.latest_revision_id;
    expect(JSON.parse(stdout)).toEqual([
      expect.objectContaining({
        ...{ name: "chat", id, state: "failed", activeRevision: null },
        latestRevision: { id: revision, status: "BUILD_FAILED" },
      }),
      expect.objectContaining({ name: "none", state: "missing", id: null }),
    ]);
    expectNoTrace(stdout, { value });
  });

  it.each([
    ["standard", {}, {}, ask],
    ["langsmith", { rules }, more, askLangsmith],
  ])("waits until everything is settled, in dialect %s", async (_, dialect, given, command) => {
    const emulator = await start({ ...dialect, rollout: { polls: 5 } });
    await post(emulator, "chat", given);
    const before = await command(emulator, ["status", "chat"], { env: quick });
    expect(before).toMatchObject({ code: 0, stdout: holding("rolling out") });
    const { code, stdout, stderr } = await command(emulator, ["status", "chat", "--wait"], { env: quick });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^chat +ready/m);
    expect(stderr).toMatch(/^waiting for chat \(/);
    expect(writesOf(emulator)).toEqual([]);
  });

  const [old, next] = ["registry.example.com/chat:1", "registry.example.com/chat:2"];

  it.each([
    [{ polls: 0, fails: "BUILD_FAILED" }, "serving, last build failed", 3],
    ["never", "rolling out", 0],
  ] as const)(
    "shows what the active revision runs, beside a latest one that %j",
    async (rollout, state, code) => {
      const emulator = await start({ rules });
      create(emulator, "chat", ofImage(old));
      emulator.configure({ rollout });
      revise(emulator, "chat", next);
      emulator.clearRequests();
      const shown = await askLangsmith(emulator, ["status"]);
      expect(shown.code).toBe(code);
      expect(shown.stdout).toMatch(new RegExp(`^chat +${state} +${old} => ${next} +http\\S+`, "m"));
      expect(emulator.requestLines()).toHaveLength(3);
      const { stdout } = await askLangsmith(emulator, ["status", "--json"]);
      expect(JSON.parse(stdout)).toMatchObject([{ runs: old, deploys: next }]);
    },
  );

  it("says once that a deployment is missing, and suggests an existing name that is close", async () => {
    const emulator = await start();
    create(emulator, "chat", more);
    for (const [name, suggestion] of [
      ["chta", '; did you mean "chat"?'],
      ["search", "; the service has chat"],
    ] as const) {
      expect(await ask(emulator, ["status", name])).toMatchObject({
        code: 3,
        stdout: "",
        stderr: `deployment-service: the service has no deployment named "${name}"${suggestion}\n`,
      });
    }
  });

  it("refuses to interpret a service of another dialect, which `list` only warns of", async () => {
    const emulator = await start({ rules });
    create(emulator, "chat", ofImage(old));
    const advice =
      "the service uses dialect langsmith (the source of chat is external_docker), but the configured dialect is standard: set " +
      "`deployment-service:dialect` (DEPLOYMENT_SERVICE_DIALECT) to langsmith";
    const status = await ask(emulator, ["status"], { env: quick });
    expect(status).toMatchObject(refused(advice));
    const list = await ask(emulator, ["list"], { env: quick });
    expect(list).toMatchObject({ code: 0, stderr: `warning: ${advice}\n` });
    expect(list.stdout).toContain("chat");
  });

  it("waits no longer than 30 minutes, or until Ctrl-C", async () => {
    const ended = new AbortController();
    let polls = 0;
    const onRequest = ({ method }: LoggedRequest) => {
      if (method === "GET" && ++polls === 4) ended.abort();
    };
    const emulator = await start({ rollout: "never", onRequest });
    await post(emulator, "chat", {});
    const cancellation = () => ended.signal;
    expect(await ask(emulator, ["status", "--wait"], { env: quick, cancellation })).toMatchObject({
      code: 3,
      stdout: holding("rolling out"),
      stderr: holding("interrupted: nothing was changed"),
    });
    expect(polls).toBe(4);
    const early = await ask(emulator, ["status", "--wait"], { env: quick, cancellation });
    expect(early).toMatchObject(refused("interrupted. Run the command again to continue", 3));
    const began = performance.now();
    const clock = vi
      .spyOn(performance, "now")
      .mockImplementation(() => began + (polls > 8 ? 31 * 60_000 : 0));
    onTestFinished(() => clock.mockRestore());
    const late = await ask(emulator, ["status", "chat", "--wait"], { env: quick });
    expect(late).toMatchObject({ code: 3, stderr: holding("not settled after 30m") });
  });

  it.each([
    [["--revisions"], "--revisions needs the NAME of one deployment"],
    [["--revisions", "chat", "search"], "--revisions needs the NAME of one deployment"],
    [["--revisions", "chat", "--wait"], "use only one of --revisions and --wait"],
  ])("is called wrongly: %j", async (words, message) => {
    const emulator = await start();
    expect(await ask(emulator, ["status", ...words])).toMatchObject(refused(message));
    expect(emulator.requestLines()).toEqual([]);
  });
});

describe("logs", () => {
  const many = Array.from({ length: 2_500 }, (_, index) => `line ${index}`);

  it("show why the latest revision failed, without secrets and colors", async () => {
    const build = ["\u001b[31mnpm ERR!\u001b[0m 404", `TOKEN=${value}`, "\u0007end"];
    const emulator = await start({ rules, logs: { build }, rollout: { polls: 0, fails: "BUILD_FAILED" } });
    create(emulator, "chat", more);
    emulator.clearRequests();
    const { code, stdout, stderr } = await askLangsmith(emulator, ["logs", "chat"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^npm ERR! 404\nTOKEN=\[secret\].*\nend\n$/s);
    expectNoTrace(stdout, { value });
    expect(writesOf(emulator)).toEqual([]);
    const { stdout: json } = await askLangsmith(emulator, ["logs", "chat", "--json"]);
    const timestamp = holding(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(JSON.parse(json.split("\n")[2]!)).toMatchObject({ level: "INFO", timestamp });
    expectNoTrace(json, { value });
  });

  it("stay readable if there are ordinary configuration values, or masks, among the secrets", async () => {
    const words = "INFO build_on_push is true in production: see the information";
    const build = [words, "*".repeat(40), "listening on 8000"];
    const values = { LOG_LEVEL: "info", DEBUG: "true", STAGE: "prod", LISTEN: "8000", MASKED: "********" };
    const secrets = Object.entries(values).map(([name, shown]) => ({ name, value: shown }));
    const emulator = await start({ rules, logs: { build }, rollout: { polls: 0, fails: "BUILD_FAILED" } });
    create(emulator, "chat", { ...more, secrets });
    const { stdout } = await askLangsmith(emulator, ["logs", "chat"]);
    expect(stdout).toBe(`${build.join("\n")}\n`);
  });

  it("are shown through all pages, each line once, and followed to the end of the build", async () => {
    const emulator = await start({ rules, logs: { build: many, deploy: ["up"] }, rollout: { polls: 6 } });
    await post(emulator, "chat", more);
    const { code, stdout } = await askLangsmith(emulator, ["logs", "chat", "--build", "--follow"]);
    expect(code).toBe(0);
    expect(stdout).toBe(`${many.join("\n")}\n`);
    expect((await askLangsmith(emulator, ["logs", "chat"])).stdout).toBe("up\n");
    const revision = String(emulator.deployment("chat")!.latest_revision_id);
    const words = ["logs", "chat", "--revision", revision, "--build"];
    expect((await askLangsmith(emulator, words)).stdout).toBe(stdout);
  });

  it.each([
    [["chat"], "standard", 3, "dialect standard does not support logs"],
    [["none"], "langsmith", 3, 'the service has no deployment named "none"; the service has chat'],
    [["chta"], "langsmith", 3, 'the service has no deployment named "chta"; did you mean "chat"?'],
    [["chat", "--build", "--deploy"], "langsmith", 2, "use only one of --build and --deploy"],
    [["chat", "--revision", "6f0e6c1a-0000-4000-8000-000000000009"], "langsmith", 3, "no revision has an id"],
    [[], "langsmith", 2, "NAME is missing"],
  ])("that are not available are one sentence: %j", async (words, dialect, code, message) => {
    const emulator = await start({ rules });
    create(emulator, "chat", more);
    const env = { DEPLOYMENT_SERVICE_DIALECT: dialect };
    const outcome = await ask(emulator, ["logs", ...words], { env });
    expect(outcome).toMatchObject(refused(message, code));
  });

  it("of a running deployment are followed until Ctrl-C", async () => {
    const emulator = await start({ rules, logs: { deploy: ["up"] } });
    create(emulator, "chat", more);
    const ended = new AbortController();
    const work = askLangsmith(emulator, ["logs", "chat", "--deploy", "--follow"], {
      env: { DEPLOYMENT_SERVICE_POLL_INTERVAL: "1h" },
      cancellation: () => ended.signal,
    });
    const asked = () => emulator.requestLines().filter((line) => line.includes("/logs")).length;
    await expect.poll(asked, { timeout: 30_000 }).toBe(1);
    ended.abort();
    expect(await work).toEqual({ code: 0, stdout: "up\n", stderr: "" });
  });
});

it("`status --json` has the address of a deployment's page", async () => {
  const emulator = await start({ rules });
  const id = create(emulator, "chat", more);
  const { stdout } = await askLangsmith(emulator, ["status", "--json"]);
  const [{ dashboardUrl }] = JSON.parse(stdout) as [{ dashboardUrl: string }];
  expect(dashboardUrl).toMatch(new RegExp(`^${emulator.url}/o/[0-9a-f-]{36}/host/deployments/${id}$`));
});

it("status never leaves out what runs; an address that does not fit is left to --json", async () => {
  const emulator = await start({ rules });
  const integration_id = "00000000-0000-4000-8000-000000000001";
  const repository = { integration_id, repo_url: "https://code.example.com/acme/chat", build_on_push: false };
  create(emulator, "chat", {
    source: "github",
    source_config: { ...repository, deployment_type: "dev" },
    source_revision_config: { repo_ref: "main", langgraph_config_path: "langgraph.json" },
  });
  const { stdout } = await askLangsmith(emulator, ["status"], { columns: 80 });
  for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  expect(stdout).toMatch(/^NAME +STATE +RUNS +URL +TYPE\nchat +ready +[0-9a-f]{12} +https:\S+\.app +dev\n$/);
  const narrow = await askLangsmith(emulator, ["status"], { columns: 20 });
  expect(narrow.stdout).toMatch(
    /^NAME +STATE +RUNS\nchat +ready +[0-9a-f]{12}\n\nToo narrow for URL, TYPE: --json/,
  );
});

it("a list leaves out what is too wide, and shows what comes after it and fits", async () => {
  const emulator = await start();
  create(emulator, "customer-support-agent");
  const { stdout } = await ask(emulator, ["list"], { columns: 80 });
  expect(stdout).toMatch(/^NAME +STATE +SOURCE +UPDATED\n/);
  expect(stdout).toContain("Too narrow for URL, ID: --json");
});

it("list says the same word as status of each deployment, with a request only for a revision that is not active", async () => {
  const rollout = { byName: { broken: { polls: 0, fails: "BUILD_FAILED" }, slow: "never" } } as const;
  const emulator = await start({ rules });
  for (const name of ["broken", "chat", "slow"]) create(emulator, name, more);
  emulator.configure({ rollout });
  for (const name of ["broken", "slow"]) revise(emulator, name);
  emulator.clearRequests();
  const { stdout } = await askLangsmith(emulator, ["list", "--json"]);
  expect(emulator.requestLines()).toHaveLength(3);
  const statuses = await askLangsmith(emulator, ["status", "--json"]);
  const statesIn = (json: string) => (JSON.parse(json) as { state: string }[]).map(({ state }) => state);
  expect(statesIn(stdout)).toEqual(["serving, last build failed", "ready", "rolling out"]);
  expect(statesIn(statuses.stdout)).toEqual(statesIn(stdout));
  const shown = await askLangsmith(emulator, ["list"]);
  expect(shown.stdout).toMatch(/^broken +serving, last build failed .*\nchat +ready .*\nslow +rolling out /m);
});

describe.each(["list", "status"])(
  "%s shows all deployments, although a revision cannot be read",
  (command) => {
    it.each<[string, How, string]>([
      ["403", { status: 403 }, "answered 403"],
      ["another shape", { wrongShape: true }, "in a shape that is not the service's"],
    ])("(%s)", async (_, how, message) => {
      const emulator = await start({ rules });
      for (const name of ["chat", "odd", "going"]) create(emulator, name, more);
      emulator.configure({ rollout: "never" });
      for (const name of ["odd", "going"]) revise(emulator, name);
      const path = `/v2/deployments/${emulator.deployment("odd")!.id}/revisions`;
      emulator.fail({ when: { method: "GET", path }, times: "always", how });
      const shown = await askLangsmith(emulator, [command]);
      expect(shown.stdout).toMatch(/^chat +ready .*\ngoing +rolling out .*\nodd +unknown /m);
      expect(shown.code).toBe(3);
      expect(shown.stderr).toContain(`deployment-service: cannot read the revisions of odd: GET `);
      expect(shown.stderr).toContain(message);
      const { stdout } = await askLangsmith(emulator, [command, "--json"]);
      const rows = JSON.parse(stdout) as { name: string; error?: string }[];
      const odd = { name: "odd", state: "unknown", error: holding(message) };
      expect(rows.filter(({ error }) => error !== undefined)).toMatchObject([odd]);
    });
  },
);

it("a status may be written in lower case", async () => {
  const emulator = await start();
  create(emulator, "chat");
  expect((await ask(emulator, ["list", "--status", "ready"])).stdout).toMatch(/^chat /m);
});

it("list marks what other tools own: the service's preview builds, and managed agents", async () => {
  const emulator = await start({ rules });
  for (const name of ["chat", "chat-pr-7", "deep"]) create(emulator, name, more);
  emulator.change("chat-pr-7", (record) => void (record.is_preview = true));
  emulator.change("deep", (record) => void (record.is_managed_deep_agent = true));
  const { stdout } = await askLangsmith(emulator, ["list"]);
  expect(stdout).toMatch(/^chat +ready +http/m);
  expect(stdout).toMatch(/^chat-pr-7 +ready \(preview build\) /m);
  const { stdout: json } = await askLangsmith(emulator, ["list", "--json"]);
  expect(stdout).toMatch(/^deep +ready \(managed agent\) /m);
  const tracerSessionId = holding(/^[0-9a-f-]{36}$/);
  expect(JSON.parse(json)).toMatchObject([
    { isPreview: false, isManagedDeepAgent: false, tracerSessionId },
    { isPreview: true, isManagedDeepAgent: false },
    { isPreview: false, isManagedDeepAgent: true },
  ]);
});
