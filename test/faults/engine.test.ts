import type { DeploymentRecord } from "../../emulator";
import { beforeAll, describe, expect, it } from "vitest";
import { runOnEngine, type Evidence, type Run } from "./engine";
import { secretValue } from "./faults";
import { lawOf, type Law } from "./laws";
import { cases, sentenceOf, type FaultCase } from "./table";

const isSilent = (request: string) => request === "none";

describe("on the real engine (B07, C08, C11, H03)", () => {
  let run: Run;
  beforeAll(async () => {
    run = await runOnEngine(cases);
  });

  it("no run prints a secret, a control character or a stack trace", () => {
    expect(run.output).not.toContain(secretValue);
    expect(run.output).not.toMatch(/[^\P{Cc}\n\r\t]/u);
    expect(run.output).not.toMatch(/^\s+at .*:\d+:\d+/m);
  });

  it("no state holds a secret in plain text", () => {
    for (const text of run.stateTexts) expect(text).not.toContain(secretValue);
  });

  it("a failure that is the same for all resources is explained at most three times", () => {
    const full =
      run.output.match(/^ {4}error: .* failed: .* answered 401 .*DEPLOYMENT_SERVICE_API_KEY/gm) ?? [];
    expect(full.length).toBeGreaterThan(0);
    expect(full.length).toBeLessThanOrEqual(3);
  });

  it.each(cases.map((faultCase) => [sentenceOf(faultCase), faultCase] as const))("%s", (_, faultCase) => {
    const { operation, fault } = faultCase;
    const law = lawOf(operation, fault);
    const evidence = run.of(faultCase);
    if (isSilent(operation.request)) expect(evidence.requests).toEqual([]);
    expectFault(evidence, faultCase, law);
    expectRepair(evidence, faultCase);
  });
});

const isExplainedElsewhere = /, as explained for "[\w-]+"\.$/;

/** A replaced deployment is kept if its replacement failed. */
const isKept = /: delete failed: not deleted: .* failed to adopt or replace the deployment /;

function expectFault({ faulty }: Evidence, { operation, fault }: FaultCase, law: Law): void {
  const { errors, deployments, resource } = faulty;
  expect(errors.length > 0, `errors: ${errors.join("\n")}`).toBe(law.ends === "badly");
  for (const error of errors.filter((each) => !isKept.test(each))) {
    expect(error).toMatch(new RegExp(`^[\\w-]+(?: \\([\\w-]+\\))?: ${operation.label} failed: `));
    if (fault.isShared && isExplainedElsewhere.test(error)) continue;
    for (const pattern of law.says) expect(error).toMatch(pattern);
  }
  expect(deployments, "deployments on the service").toHaveLength(law.leaves);
  expect(resource !== undefined, "the state holds the resource").toBe(law.held);
}

function expectRepair({ repaired, isRestless }: Evidence, faultCase: FaultCase): void {
  const { errors, resource } = repaired;
  const { deployments } = repaired;
  expect(errors, "errors of the repairing run").toEqual([]);
  expect(deployments.map(finalValues)).toEqual(expectedValues(faultCase));
  expect(resource?.id).toBe(deployments[0]?.id);
  expect(isRestless, "a last preview wants to do something").toBe(false);
}

function finalValues(record: DeploymentRecord) {
  const spec = record.source_config["resource_spec"] as { min_scale?: unknown } | undefined;
  return {
    name: record.name,
    source: record.source,
    minScale: spec?.min_scale,
    image: record.source_revision_config["image_uri"],
    secrets: record.secrets,
    isRolledOut: record.active_revision_id === record.latest_revision_id,
  };
}

/** Operations that do not change the name, so a name that someone else set stays. */
const keepsItsDeployment = ["preview", "settings", "revision", "refresh"];

function expectedValues({ operation, name, fault }: FaultCase) {
  const { after } = operation;
  if (after === undefined) return [];
  const { source, sourceConfig, sourceRevisionConfig, secrets } = after as {
    source: string;
    sourceConfig: { resourceSpec: { minScale: number } };
    sourceRevisionConfig: { imageUri: string };
    secrets: { KEY: string };
  };
  const isRenamed = fault.key === "renamed" && keepsItsDeployment.includes(operation.key);
  return [
    {
      name: isRenamed ? `${name}-renamed` : name + (operation.suffix ?? ""),
      source,
      minScale: sourceConfig.resourceSpec.minScale,
      image: sourceRevisionConfig.imageUri,
      secrets: [{ name: "KEY", value: secrets.KEY }],
      isRolledOut: true,
    },
  ];
}
