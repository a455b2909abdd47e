import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createStack, type Stack } from "../engine";
import { program } from "../e2e/support";
import { authority } from "../support/tls";
import { lawOf } from "./laws";
import { apiKey, integrationId, serviceWith, type Asked } from "./lookups";
import { casesOf, sentenceOf, type FaultCase } from "./table";

const cases = casesOf("program");

/** Every lookup has a connection of its own, set for the moment in which it is asked. */
const code = `
const service = require("pulumi-deployment-service");
const { writeFileSync } = require("fs");
const asks = {
  getDeployment: (name) => service.getDeployment({ name }),
  listDeployments: () => service.listDeployments(),
  listRepositories: () => service.listRepositories({ integrationId: "${integrationId}" }),
};
module.exports = async () => {
  const results = [];
  for (const { name, operation, url, requestTimeout } of require("./cases.json")) {
    pulumi.runtime.setConfig("deployment-service:baseUrl", url);
    pulumi.runtime.setConfig("deployment-service:requestTimeout", requestTimeout);
    const found = (result) => ({ name, names: [result].flat().map((each) => each.name) });
    results.push(asks[operation](name).then(found, (error) => ({ name, error: error.message })));
    await new Promise((resolve) => setImmediate(resolve));
  }
  writeFileSync("results.json", JSON.stringify(await Promise.all(results)));
};`;

interface Result {
  readonly name: string;
  readonly names?: readonly string[];
  readonly error?: string;
}

describe("in a program", () => {
  const asked = new Map<FaultCase, Asked>();
  let stack: Stack;
  let faulty: Map<string, Result>;
  let repaired: Map<string, Result>;

  async function ask(): Promise<Map<string, Result>> {
    const connections = cases.map((faultCase) => {
      // A lookup waits for a restart ten times as long.
      const requestTimeout = faultCase.fault.restarts ? "2s" : "4s";
      const { name, operation } = faultCase;
      return { name, operation: operation.key, url: asked.get(faultCase)!.url, requestTimeout };
    });
    stack.write({ "cases.json": JSON.stringify(connections) });
    const { output } = await stack.preview({ timeoutMs: 600_000 });
    expect(output).not.toContain(apiKey);
    const results = JSON.parse(readFileSync(join(stack.folder, "results.json"), "utf8")) as Result[];
    return new Map(results.map((result) => [result.name, result]));
  }

  beforeAll(async () => {
    for (const faultCase of cases) asked.set(faultCase, await serviceWith(faultCase));
    stack = await createStack({
      program: program(code),
      env: { DEPLOYMENT_SERVICE_API_KEY: apiKey, NODE_EXTRA_CA_CERTS: authority },
    });
    faulty = await ask();
    for (const { repair } of asked.values()) await repair();
    repaired = await ask();
  });
  afterAll(async () => {
    await stack?.dispose();
    for (const { close } of asked.values()) await close();
  });

  it.each(cases.map((faultCase) => [sentenceOf(faultCase), faultCase] as const))("%s", (_, faultCase) => {
    const law = lawOf(faultCase.operation, faultCase.fault);
    const { error, names } = faulty.get(faultCase.name)!;
    expect(error === undefined ? "well" : "badly", error).toBe(law.ends);
    const there = namesThere(faultCase);
    if (law.ends === "well") expect(names).toEqual(there);
    else expect(error).toMatch(new RegExp(`^${faultCase.operation.key}: `));
    for (const pattern of law.says) expect(error).toMatch(pattern);
    expect(error ?? "").not.toContain(apiKey);
    expect(error ?? "").not.toMatch(/\p{Cc}|\bat .*:\d+:\d+/u);
    if (there.length > 0 || law.ends === "well") expect(repaired.get(faultCase.name)!.names).toEqual(there);
  });

  /** What there is to find for it, on its service. */
  function namesThere(faultCase: FaultCase): string[] {
    if (faultCase.operation.key === "listRepositories") return ["chat"];
    const names = asked
      .get(faultCase)!
      .service.deployments()
      .map(({ name }) => name);
    return faultCase.operation.key === "getDeployment"
      ? names.filter((each) => each === faultCase.name)
      : names;
  }
});
