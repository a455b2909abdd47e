import { describe, expect, it, onTestFinished, vi } from "vitest";
import { canary, expectNoTrace } from "../../support/canary";
import {
  langsmith as rules,
  type Emulator,
  type How,
  type JsonObject,
  type LoggedRequest,
} from "../../../emulator";
import { ask, create, start } from "./service-commands";

const quick = { DEPLOYMENT_SERVICE_POLL_INTERVAL: "1ms" };
const langsmith = { ...quick, DEPLOYMENT_SERVICE_DIALECT: "langsmith" };
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
const onlyReads = (lines: readonly string[]) => lines.every((line) => line.startsWith("GET "));

describe("status", () => {
  it("shows state, revisions, what runs and the address, and changes nothing", async () => {
    const emulator = await start();
    create(emulator, "chat", { secrets: more.secrets });
    emulator.clearRequests();
    const { code, stdout, stderr } = await ask(emulator, ["status"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^NAME +STATE +URL\nchat +ready +http\S+$/m);
    expect(onlyReads(emulator.requestLines())).toBe(true);
    expectNoTrace(stdout, { value });
  });

  it("ends with 3 if a deployment has failed or does not exist, and names both", async () => {
    const emulator = await start({ rules, rollout: { polls: 0, fails: "BUILD_FAILED" } });
    const id = create(emulator, "chat", more);
    const { code, stdout, stderr } = await ask(emulator, ["status", "chat", "none", "--json"], {
      env: langsmith,
    });
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
    ["standard", undefined, quick],
    ["langsmith", rules, langsmith],
  ])("waits until everything is settled, in dialect %s", async (_, given, env) => {
    const emulator = await start({ ...(given && { rules: given }), rollout: { polls: 5 } });
    await post(emulator, "chat", given ? more : {});
    const before = await ask(emulator, ["status", "chat"], { env });
    expect(before).toMatchObject({ code: 0, stdout: expect.stringContaining("rolling out") as string });
    const { code, stdout, stderr } = await ask(emulator, ["status", "chat", "--wait"], { env });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^chat +ready/m);
    expect(stderr).toMatch(/^waiting for chat \(/);
    expect(onlyReads(emulator.requestLines())).toBe(true);
  });

  const [old, next] = ["registry.example.com/chat:1", "registry.example.com/chat:2"];
  const container = {
    source: "external_docker",
    source_config: { resource_spec: {} },
    source_revision_config: { image_uri: old },
  };

  it.each([
    [{ polls: 0, fails: "BUILD_FAILED" }, "serving, last build failed", 3],
    ["never", "rolling out", 0],
  ] as const)(
    "shows what the active revision runs, beside a latest one that %j",
    async (rollout, state, code) => {
      const emulator = await start({ rules });
      create(emulator, "chat", container);
      emulator.configure({ rollout });
      emulator.change("chat", (each) => void (each.source_revision_config["image_uri"] = next), {
        revision: true,
      });
      emulator.clearRequests();
      const shown = await ask(emulator, ["status"], { env: langsmith });
      expect(shown.code).toBe(code);
      expect(shown.stdout).toMatch(new RegExp(`^chat +${state} +${old} => ${next} +http\\S+`, "m"));
      expect(emulator.requestLines()).toHaveLength(3);
      const { stdout } = await ask(emulator, ["status", "--json"], { env: langsmith });
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
    create(emulator, "chat", container);
    const advice =
      "the service uses dialect langsmith (the source of chat is external_docker), but the configured dialect is standard: set " +
      "`deployment-service:dialect` (DEPLOYMENT_SERVICE_DIALECT) to langsmith";
    const status = await ask(emulator, ["status"], { env: quick });
    expect(status).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(advice) as string });
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
      stdout: expect.stringContaining("rolling out") as string,
      stderr: expect.stringContaining("interrupted: nothing was changed") as string,
    });
    expect(polls).toBe(4);
    const early = await ask(emulator, ["status", "--wait"], { env: quick, cancellation });
    expect(early).toMatchObject({ code: 3, stdout: "" });
    expect(early.stderr).toContain("interrupted. Run the command again to continue");
    const began = performance.now();
    const clock = vi
      .spyOn(performance, "now")
      .mockImplementation(() => began + (polls > 8 ? 31 * 60_000 : 0));
    onTestFinished(() => clock.mockRestore());
    const late = await ask(emulator, ["status", "chat", "--wait"], { env: quick });
    expect(late.code).toBe(3);
    expect(late.stderr).toContain("not settled after 30m");
  });

  it.each([
    [["--revisions"], "--revisions needs the NAME of one deployment"],
    [["--revisions", "chat", "search"], "--revisions needs the NAME of one deployment"],
    [["--revisions", "chat", "--wait"], "use only one of --revisions and --wait"],
  ])("is called wrongly: %j", async (words, message) => {
    const emulator = await start();
    const { code, stderr } = await ask(emulator, ["status", ...words]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
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
    const { code, stdout, stderr } = await ask(emulator, ["logs", "chat"], { env: langsmith });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^npm ERR! 404\nTOKEN=\[secret\].*\nend\n$/s);
    expectNoTrace(stdout, { value });
    expect(onlyReads(emulator.requestLines())).toBe(true);
    const { stdout: json } = await ask(emulator, ["logs", "chat", "--json"], { env: langsmith });
    expect(JSON.parse(json.split("\n")[2]!)).toMatchObject({
      level: "INFO",
      timestamp: expect.any(String) as string,
    });
    expectNoTrace(json, { value });
  });

  it("stay readable if there are ordinary configuration values, or masks, among the secrets", async () => {
    const words = "INFO build_on_push is true in production: see the information";
    const build = [words, "*".repeat(40), "listening on 8000"];
    const values = { LOG_LEVEL: "info", DEBUG: "true", STAGE: "prod", LISTEN: "8000", MASKED: "********" };
    const secrets = Object.entries(values).map(([name, shown]) => ({ name, value: shown }));
    const emulator = await start({ rules, logs: { build }, rollout: { polls: 0, fails: "BUILD_FAILED" } });
    create(emulator, "chat", { ...more, secrets });
    const { stdout } = await ask(emulator, ["logs", "chat"], { env: langsmith });
    expect(stdout).toBe(`${build.join("\n")}\n`);
  });

  it("are shown through all pages, each line once, and followed to the end of the build", async () => {
    const emulator = await start({ rules, logs: { build: many, deploy: ["up"] }, rollout: { polls: 6 } });
    await post(emulator, "chat", more);
    const { code, stdout } = await ask(emulator, ["logs", "chat", "--build", "--follow"], { env: langsmith });
    expect(code).toBe(0);
    expect(stdout).toBe(`${many.join("\n")}\n`);
    expect((await ask(emulator, ["logs", "chat"], { env: langsmith })).stdout).toBe("up\n");
    const revision = String(emulator.deployment("chat")!.latest_revision_id);
    const words = ["logs", "chat", "--revision", revision, "--build"];
    expect((await ask(emulator, words, { env: langsmith })).stdout).toBe(stdout);
  });

  it.each([
    [["chat"], quick, 3, "dialect standard does not support logs"],
    [["none"], langsmith, 3, 'the service has no deployment named "none"'],
    [["chta"], langsmith, 3, 'the service has no deployment named "chta"; did you mean "chat"?'],
    [["chat", "--build", "--deploy"], langsmith, 2, "use only one of --build and --deploy"],
    [["else"], langsmith, 3, 'the service has no deployment named "else"; the service has chat'],
    [["chat", "--revision", "6f0e6c1a-0000-4000-8000-000000000009"], langsmith, 3, "no revision has an id"],
    [[], langsmith, 2, "NAME is missing"],
  ])("that are not available are one sentence: %j", async (words, env, code, message) => {
    const emulator = await start({ rules });
    create(emulator, "chat", more);
    const outcome = await ask(emulator, ["logs", ...words], { env });
    expect(outcome).toMatchObject({ code, stdout: "" });
    expect(outcome.stderr).toContain(message);
  });

  it("of a running deployment are followed until Ctrl-C", async () => {
    const emulator = await start({ rules, logs: { deploy: ["up"] } });
    create(emulator, "chat", more);
    const ended = new AbortController();
    const work = ask(emulator, ["logs", "chat", "--deploy", "--follow"], {
      env: { ...langsmith, DEPLOYMENT_SERVICE_POLL_INTERVAL: "1h" },
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
  const { stdout } = await ask(emulator, ["status", "--json"], { env: langsmith });
  const [{ dashboardUrl }] = JSON.parse(stdout) as [{ dashboardUrl: string }];
  expect(dashboardUrl).toMatch(new RegExp(`^${emulator.url}/o/[0-9a-f-]{36}/host/deployments/${id}$`));
});

it("status never leaves out what runs; an address that does not fit is left to --json", async () => {
  const emulator = await start({ rules });
  create(emulator, "chat", {
    source: "github",
    source_config: {
      integration_id: "00000000-0000-4000-8000-000000000001",
      repo_url: "https://code.example.com/acme/chat",
      deployment_type: "dev",
      build_on_push: false,
    },
    source_revision_config: { repo_ref: "main", langgraph_config_path: "langgraph.json" },
  });
  const { stdout } = await ask(emulator, ["status"], { env: langsmith, columns: 80 });
  for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  expect(stdout).toMatch(/^NAME +STATE +RUNS +URL +TYPE\nchat +ready +[0-9a-f]{12} +https:\S+\.app +dev\n$/);
  const narrow = await ask(emulator, ["status"], { env: langsmith, columns: 20 });
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
  for (const name of ["broken", "slow"])
    emulator.change(name, (each) => void (each.source_config["build_on_push"] = true), { revision: true });
  emulator.clearRequests();
  const { stdout } = await ask(emulator, ["list", "--json"], { env: langsmith });
  expect(emulator.requestLines()).toHaveLength(3);
  const statuses = await ask(emulator, ["status", "--json"], { env: langsmith });
  const statesIn = (json: string) => (JSON.parse(json) as { state: string }[]).map(({ state }) => state);
  expect(statesIn(stdout)).toEqual(["serving, last build failed", "ready", "rolling out"]);
  expect(statesIn(statuses.stdout)).toEqual(statesIn(stdout));
  const shown = await ask(emulator, ["list"], { env: langsmith });
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
      for (const name of ["odd", "going"])
        emulator.change(name, (each) => void (each.source_config["build_on_push"] = true), {
          revision: true,
        });
      const { id } = emulator.deployment("odd")!;
      emulator.fail({
        when: { method: "GET", path: `/v2/deployments/${id}/revisions` },
        times: "always",
        how,
      });
      const shown = await ask(emulator, [command], { env: langsmith });
      expect(shown.stdout).toMatch(/^chat +ready .*\ngoing +rolling out .*\nodd +unknown /m);
      expect(shown.code).toBe(3);
      expect(shown.stderr).toContain(`deployment-service: cannot read the revisions of odd: GET `);
      expect(shown.stderr).toContain(message);
      const { stdout } = await ask(emulator, [command, "--json"], { env: langsmith });
      const rows = JSON.parse(stdout) as { name: string; error?: string }[];
      expect(rows.filter(({ error }) => error !== undefined)).toEqual([
        expect.objectContaining({
          name: "odd",
          state: "unknown",
          error: expect.stringContaining(message) as string,
        }),
      ]);
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
  const { stdout } = await ask(emulator, ["list"], { env: langsmith });
  expect(stdout).toMatch(/^chat +ready +http/m);
  expect(stdout).toMatch(/^chat-pr-7 +ready \(preview build\) /m);
  const { stdout: json } = await ask(emulator, ["list", "--json"], { env: langsmith });
  expect(stdout).toMatch(/^deep +ready \(managed agent\) /m);
  expect(JSON.parse(json)).toMatchObject([
    {
      isPreview: false,
      isManagedDeepAgent: false,
      tracerSessionId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    },
    { isPreview: true, isManagedDeepAgent: false },
    { isPreview: false, isManagedDeepAgent: true },
  ]);
});
