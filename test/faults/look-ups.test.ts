import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createStack, type Stack } from "../engine";
import { program } from "../e2e/support";
import { lawOf } from "./laws";
import { apiKey, integrationId, serviceWith, type Asked } from "./look-ups";
import { sentenceOf } from "./sentences";
import { cellsOf, type Cell } from "./table";

const cells = cellsOf("program");

/** Every look-up has a connection of its own, set for the moment in which it is asked. */
const code = `
const service = require("pulumi-deployment-service");
const { writeFileSync } = require("fs");
const asks = {
  getDeployment: (name) => service.getDeployment({ name }),
  listDeployments: () => service.listDeployments(),
  listRepositories: () => service.listRepositories({ integrationId: "${integrationId}" }),
};
module.exports = async () => {
  const answers = [];
  for (const { name, operation, url } of require("./cells.json")) {
    pulumi.runtime.setConfig("deployment-service:baseUrl", url);
    const found = (answer) => ({ name, names: [answer].flat().map((each) => each.name) });
    answers.push(asks[operation](name).then(found, (error) => ({ name, error: error.message })));
    await new Promise((resolve) => setImmediate(resolve));
  }
  writeFileSync("answers.json", JSON.stringify(await Promise.all(answers)));
};`;

interface Answer {
  readonly name: string;
  readonly names?: readonly string[];
  readonly error?: string;
}

describe("in a program", () => {
  const asked = new Map<Cell, Asked>();
  let stack: Stack;
  let faulty: Map<string, Answer>;
  let repaired: Map<string, Answer>;

  async function ask(): Promise<Map<string, Answer>> {
    const connections = cells.map((cell) => {
      return { name: cell.name, operation: cell.operation.key, url: asked.get(cell)!.url };
    });
    const trusted = cells.map((cell) => asked.get(cell)!.trusted ?? "").join("");
    stack.write({ "cells.json": JSON.stringify(connections), "trusted.pem": trusted });
    const { output } = await stack.preview({
      env: { NODE_EXTRA_CA_CERTS: join(stack.folder, "trusted.pem") },
      timeoutMs: 600_000,
    });
    expect(output).not.toContain(apiKey);
    const answers = JSON.parse(readFileSync(join(stack.folder, "answers.json"), "utf8")) as Answer[];
    return new Map(answers.map((answer) => [answer.name, answer]));
  }

  beforeAll(async () => {
    for (const cell of cells) asked.set(cell, await serviceWith(cell));
    stack = await createStack({
      program: program(code),
      env: { DEPLOYMENT_SERVICE_API_KEY: apiKey, DEPLOYMENT_SERVICE_REQUEST_TIMEOUT: "4s" },
    });
    faulty = await ask();
    for (const { repair } of asked.values()) await repair();
    repaired = await ask();
  });
  afterAll(async () => {
    await stack?.dispose();
    for (const { close } of asked.values()) await close();
  });

  it.each(cells.map((cell) => [sentenceOf(cell), cell] as const))("%s", (_, cell) => {
    const law = lawOf(cell.operation, cell.fault);
    const { error, names } = faulty.get(cell.name)!;
    expect(error === undefined ? "well" : "badly", error).toBe(law.ends);
    const there = namesThere(cell);
    if (law.ends === "well") expect(names).toEqual(there);
    else expect(error).toMatch(new RegExp(`^${cell.operation.key}: `));
    for (const pattern of law.says) expect(error).toMatch(pattern);
    expect(error ?? "").not.toContain(apiKey);
    expect(error ?? "").not.toMatch(/\p{Cc}|\bat .*:\d+:\d+/u);
    if (there.length > 0 || law.ends === "well") expect(repaired.get(cell.name)!.names).toEqual(there);
  });

  /** What there is to find for it, on its service. */
  function namesThere(cell: Cell): string[] {
    if (cell.operation.key === "listRepositories") return ["chat"];
    const names = asked
      .get(cell)!
      .service.deployments()
      .map(({ name }) => name);
    return cell.operation.key === "getDeployment" ? names.filter((each) => each === cell.name) : names;
  }
});
