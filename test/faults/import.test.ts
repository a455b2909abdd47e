import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startEmulator, type Emulator } from "../../emulator";
import { Command, createStack, type Stack } from "../engine";
import { authority } from "../support/tls";
import { connectionTo, program } from "../e2e/support";
import { cli, type Outcome } from "../unit/cli/support";
import { bodyOf } from "./fault-case";
import { secretValue } from "./faults";
import { lawOf } from "./laws";
import { apiKey, serviceWith, type Asked } from "./lookups";
import { casesOf, sentenceOf, type FaultCase } from "./table";

const main = resolve("dist/provider/cli/main.js");
const words = ["import", "--out", "import.json"];
const inEngine = casesOf("engine").filter(({ operation }) => operation.key === "import-file");

describe("the command", () => {
  const cases = casesOf("command");
  const results = new Map<
    FaultCase,
    { faulty: Outcome; wroteOnFailure: boolean; repaired: Outcome; there: number }
  >();
  beforeAll(async () => {
    await Promise.all(cases.map(async (faultCase) => void results.set(faultCase, await tryIt(faultCase))));
  });

  it.each(cases.map((faultCase) => [sentenceOf(faultCase), faultCase] as const))("%s", (_, faultCase) => {
    const law = lawOf(faultCase.operation, faultCase.fault);
    const { faulty, wroteOnFailure, repaired, there } = results.get(faultCase)!;
    expect(faulty.code, faulty.stderr).toBe(law.ends === "well" ? 0 : 3);
    for (const pattern of law.says) expect(faulty.stderr).toMatch(pattern);
    const screen = faulty.stdout + faulty.stderr;
    expect(screen).not.toContain(apiKey);
    expect(screen).not.toMatch(/[^\P{Cc}\n]|\bat .*:\d+:\d+/u);
    expect(wroteOnFailure, "a file, although the command failed").toBe(false);
    expect(repaired.code, repaired.stderr).toBe(there > 0 ? 0 : 3);
  });
});

async function tryIt(faultCase: FaultCase) {
  const asked = await serviceWith(faultCase);
  const cwd = mkdtempSync(join(tmpdir(), "import-"));
  const env = {
    DEPLOYMENT_SERVICE_URL: asked.url,
    DEPLOYMENT_SERVICE_API_KEY: apiKey,
    DEPLOYMENT_SERVICE_REQUEST_TIMEOUT: "4s",
  };
  try {
    const faulty = await cli(words, { env, cwd });
    const wroteOnFailure = faulty.code !== 0 && existsSync(join(cwd, "import.json"));
    await asked.repair();
    const repaired = await run(asked, env, cwd);
    return { faulty, wroteOnFailure, repaired, there: asked.service.deployments().length };
  } finally {
    await asked.close();
    rmSync(cwd, { recursive: true });
  }
}

/** In a process of its own where a certificate is to be trusted: Node.js reads once, at its start, which ones are. */
async function run({ url }: Asked, env: Record<string, string>, cwd: string): Promise<Outcome> {
  if (!url.startsWith("https:")) return cli(words, { env, cwd });
  const own = { cwd, env: { ...env, NODE_EXTRA_CA_CERTS: authority } };
  const { exitCode, stdout, stderr } = await new Command(process.execPath, [main, ...words], own).result;
  return { code: exitCode!, stdout, stderr };
}

describe("pulumi import --file", () => {
  let service: Emulator;
  let stack: Stack;
  let requests: readonly string[];
  beforeAll(async () => {
    service = await startEmulator();
    for (const faultCase of inEngine) service.create(bodyOf(faultCase));
    stack = await createStack({
      program: program(`require("pulumi-deployment-service").fromManifest("deployments.yaml");`),
      env: connectionTo(service),
    });
    const { url } = service;
    const env = { DEPLOYMENT_SERVICE_URL: url, DEPLOYMENT_SERVICE_API_KEY: service.apiKey };
    expect(await cli(words, { env, cwd: stack.folder })).toMatchObject({ code: 0 });
    for (const { fault, name } of inEngine) {
      if (fault.how) service.fail({ times: "always", how: fault.how() });
      fault.condition?.before?.(service, name);
    }
    service.clearRequests();
    await stack.import("import.json", { args: ["--protect=false"], timeoutMs: 600_000 });
    await stack.preview({ args: ["--expect-no-changes"], timeoutMs: 600_000 });
    requests = service.requestLines();
  });
  afterAll(async () => {
    await stack?.dispose();
    await service?.close();
  });

  it.each(inEngine.map((faultCase) => [sentenceOf(faultCase), faultCase] as const))("%s", (_, { name }) => {
    expect(requests).toEqual([]);
    const { id, inputs } = stack.resource(name);
    const text = readFileSync(join(stack.folder, "import.json"), "utf8");
    expect(text).toContain(id);
    expect(inputs).toMatchObject({ name });
    expect(stack.stateText()).not.toContain(secretValue);
  });
});
