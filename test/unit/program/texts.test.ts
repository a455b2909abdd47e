/** What the engine is given to show: errors, messages, failures of check. */
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { ControlPlaneError, DeploymentError } from "../../../provider/errors";
import type { Patch, Service } from "../../../provider/deployment/service";
import { failure } from "../../../provider/dynamic/failure";
import { checkFailureText } from "../../../provider/engine/failure-text";
import { redactErrors, redactorFor, secretsIn, tellWith } from "../../../provider/engine/redact-secrets";
import { logFor } from "../../../provider/engine/log";
import { optionsIn, optionsKey } from "../../../provider/stored/internal-inputs";
import { secretPaths } from "../../../provider/program/secret-paths";
import * as pulumi from "@pulumi/pulumi";
import { canary, expectNoTrace, formsOf } from "../../support/canary";

const canaries = {
  secret: canary("secret"),
  dotted: canary("dotted"),
  nested: canary("nested"),
  item: canary("item"),
  name: canary("name"),
};

const program = () => ({
  name: pulumi.secret(canaries.name),
  secrets: { KEY: canaries.secret },
  sourceConfig: {
    resourceSpec: {
      labels: { app: "x", "app.example.com/owner": pulumi.secret(canaries.dotted) },
      annotations: { "a.b": { c: { "d.e": pulumi.secret(canaries.nested) } } },
      sidecars: [{ env: [{ name: "TOKEN", value: pulumi.secret(canaries.item) }] }],
    },
  },
});

/** The arguments as the process that talks to the service has them: plain, and with the paths of secrets. */
async function arrived() {
  const given = program();
  const paths = await secretPaths(given);
  const plain = await new Promise<Record<string, unknown>>((resolve) =>
    pulumi.unsecret(pulumi.output(given)).apply((values) => resolve(values)),
  );
  return { values: plain, options: optionsIn({ [optionsKey]: { secretPaths: paths } }) };
}

const resource = (values: Record<string, unknown>) => ({ values, options: {} });
const echo = Object.values(canaries).flatMap(formsOf).join(" ");
const wicked = "a\u001b[2J\u009b1m\r\nb\u202ec\u200bd";

it("the secrets in arguments are all known, wherever the program passed them and whatever their keys", async () => {
  const known = secretsIn(await arrived());
  for (const value of Object.values(canaries)) expect(known).toContain(value);
  expect(known).not.toContain("TOKEN-that-nobody-wrote");
});

describe("an error", () => {
  it("shows none of them, nor of those from before", async () => {
    const values = await arrived();
    const old = resource({ secrets: { KEY: canary("old") } });
    const error = failure(
      "update",
      values,
      new DeploymentError(`${formsOf(canary("old")).join(" ")} ${echo}`),
      old,
    );
    for (const text of [error.message, error.toString(), error.stack!]) {
      expectNoTrace(text, { ...canaries, old: canary("old") });
    }
    expect(error.message).toContain("update failed");
  });

  it("is one line that a terminal does not obey, and not endless", () => {
    const error = failure("create", resource({ name: wicked }), new DeploymentError(wicked.repeat(100_000)));
    expect(error.message).toMatch(/^a1m bcd: create failed: a1m bcd/);
    expect(error.message.length).toBeLessThan(4_100);
    expect(error.message + error.toString()).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  });
});

describe("what the service says", () => {
  const values = resource({
    name: "chat",
    secrets: { LOG_LEVEL: "info", DEBUG: "true", STAGE: "prod", PORT: "8000", KEY: canaries.secret },
  });
  const refusal = (words: string) => {
    const [before, after] = ["POST /v2/deployments answered 409 Conflict: ", " (request id r-8000)"];
    const serviceText = { text: words, from: before.length, to: before.length + words.length };
    const details = { kind: "conflict", request: "POST /v2/deployments", isAmbiguous: false } as const;
    return new ControlPlaneError(before + words + after, { ...details, serviceText });
  };
  const shownOf = async (words: string, patch: Patch = {}) => {
    const service = { update: () => Promise.reject(refusal(words)) } as unknown as Service;
    const error: unknown = await redactErrors(service, redactorFor(values))
      .update("d1", patch, { makesRevision: false })
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ kind: "conflict", isAmbiguous: false });
    return failure("create", values, error).message;
  };

  it("is shown without a secret, which is taken out before the text is cut", async () => {
    for (let at = 440; at <= 520; at += 8) {
      for (const form of formsOf(canaries.secret)) {
        const text = await shownOf(`${"x".repeat(at)} ${form} ${form} ${form} and more`);
        expectNoTrace(text, canaries);
        expect(text).toMatch(/409 Conflict: x+.* \(request id r-8000\)\. /);
      }
    }
  });

  it("is shown without a credential that others set and that is only sent back", async () => {
    const env = [{ name: "LOG_API_KEY", value: canaries.item }];
    const sent = {
      secrets: { OTHER: canaries.dotted },
      sourceConfig: { resourceSpec: { sidecars: [{ env }] } },
    };
    expectNoTrace(await shownOf(`has ${canaries.item} and ${canaries.dotted}`, sent), canaries);
  });

  it("is shown without a secret while another try is waited for", () => {
    const said: string[] = [];
    const tell = tellWith((text) => said.push(text), redactorFor(values));
    tell(refusal(`in production with ${canaries.secret}`), "retries in 5s of 1m");
    expect(said).toEqual([
      "retries in 5s of 1m: POST /v2/deployments answered 409 Conflict: in production with [secret] (request id r-8000)",
    ]);
  });
});

it("a message shows no secret, and nothing that a terminal obeys", async () => {
  const written: string[] = [];
  const spy = vi.spyOn(process.stdout, "write").mockImplementation((text) => written.push(String(text)) > 0);
  onTestFinished(() => spy.mockRestore());
  const log = logFor(undefined, redactorFor(await arrived()));
  log.info(`${wicked} ${echo}`);
  log.warning(`status ${wicked}`);
  spy.mockRestore();
  expect(written).toHaveLength(2);
  expectNoTrace(written.join(""), canaries);
  expect(written.map((line) => line.slice(0, 14))).toEqual(["info: a1m bcd ", "warning: statu"]);
  expect(written.join("").replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
});

it("a failure of check shows no secret that its reason repeats", () => {
  const text = checkFailureText(
    { property: "sourceConfig.customUrl", reason: `is not for source ${canaries.secret}` },
    redactorFor(resource({ secrets: { KEY: canaries.secret } })),
  );
  expect(text).toBe("sourceConfig.customUrl: is not for source [secret]");
});
