/** What a change causes at the public service, whose PATCH has rules of its own: laws first, then the rules one by one. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Deployment } from "../../../schema/deployment";
import type { WireDeployment } from "../../../schema/wire";
import { Translator } from "../../../provider/control-plane/translate";
import { check } from "../../../provider/deployment/check";
import { patchAmongOthers, patchFor } from "../../../provider/deployment/patch";
import { reasonsText } from "../../../provider/deployment/explanation";
import { plan as planOf } from "../../../provider/deployment/plan";
import type { CheckedArguments } from "../../../provider/deployment/state";
import { valueAt, type Values } from "../../../schema/tree";
import { langsmith } from "../../../provider/dialects/langsmith";
import { afterPatch, resourceId, revisesBy, twoVersions } from "../../support/langsmith";
import { runs } from "../../support/runs";
import { setUp } from "../../support/service";

const translator = new Translator(langsmith);
const plan = (old: Values, declared: Values) =>
  planOf({ arguments: old }, { arguments: declared }, langsmith);
const patch = (old: Values, declared: Values) => patchFor(plan(old, declared).changes, declared, langsmith);
const onTheWire = (values: Values) => translator.createBody(values as unknown as Deployment);
/** What someone else set, in a field that this version does not know. */
const others = { node_pool: 3 };

const served = (old: Values) => {
  const wire = onTheWire(old);
  const config = wire["source_config"] as Values;
  const spec = (config["resource_spec"] ?? {}) as Values;
  return { ...wire, source_config: { ...config, resource_spec: { ...spec, ...others } } };
};
const { context } = setUp({}, { dialect: langsmith });
const bodyOf = (old: Values, declared: Values) => {
  const wire = { id: "d1", status: "READY", ...served(old) } as unknown as WireDeployment;
  const [before, next] = [{ arguments: old, private: {} }, declared as CheckedArguments];
  const { patch: change } = patchAmongOthers(
    context,
    plan(old, declared).changes,
    before,
    next,
    translator.fromWire(wire),
  );
  return translator.patchBody(change);
};

describe("a PATCH to the public service", () => {
  it("turns the old arguments into the declared ones, except for what the service cannot clear (C07)", async () => {
    await fc.assert(
      fc.asyncProperty(twoVersions, async ([old, declared]) => {
        const [before, wanted] = [onTheWire(old), onTheWire(declared)];
        const has = afterPatch(served(old), bodyOf(old, declared));
        const either = (name: string) => ({ ...(before[name] as Values), ...(wanted[name] as Values) });
        const { resource_spec: _, ...config } = either("source_config");
        const { resource_spec: spec, ...hasConfig } = has["source_config"] as Values;
        expect(hasConfig).toEqual(config);
        expect(spec).toEqual({ ...(valueAt(wanted, ["source_config", "resource_spec"]) ?? {}), ...others });
        expect(has["source_revision_config"]).toEqual(either("source_revision_config"));
        const secrets = wanted["secrets"] as unknown[];
        expect(has["secrets"]).toEqual(secrets.length > 0 ? secrets : before["secrets"]);
        expect(has["secret_references"] ?? []).toEqual(wanted["secret_references"] ?? []);
      }),
      runs(50),
    );
  });

  it("makes a revision exactly when one is planned, and the generation counts it (B08, C22)", async () => {
    await fc.assert(
      fc.asyncProperty(twoVersions, async ([old, declared]) => {
        // Without a value to send there is no way to ask for a revision.
        fc.pre(Object.keys((declared["sourceRevisionConfig"] ?? {}) as Values).length > 0);
        const { effect } = plan(old, declared);
        expect(["none", "settings", "revision"]).toContain(effect);
        const isPlanned = effect === "revision";
        const made = revisesBy(bodyOf(old, declared));
        expect(made).toEqual({ schema: isPlanned, client: isPlanned });
        const { inputs } = check({ arguments: old, generation: 7 }, declared, langsmith);
        expect(inputs.generation).toBe(isPlanned ? 8 : 7);
      }),
      runs(50),
    );
  });

  it("holds no null, nothing of what stays, and nothing that can never change (B04, D04, D07, G07)", () => {
    fc.assert(
      fc.property(twoVersions, ([old, declared]) => {
        const made = plan(old, declared);
        const sent = patchFor(made.changes, declared, langsmith);
        const { resourceSpec: _, ...config } = sent.sourceConfig ?? {};
        const { sourceRevisionConfig = {}, secrets } = sent;
        expect([...Object.values(config), ...Object.values(sourceRevisionConfig)]).not.toContain(null);
        expect(secrets).not.toEqual({});
        const fixed = ["integrationId", "repoUrl", "listenerId", "listenerConfig", "deploymentType"];
        expect(Object.keys(config).filter((name) => fixed.includes(name))).toEqual([]);
        for (const { path } of made.changes.filter(({ cannotClear }) => cannotClear))
          expect(valueAt(sent, path.slice(0, path[0] === "secrets" ? 1 : undefined))).toBeUndefined();
      }),
      runs(50),
    );
  });
});

const codehost = {
  source: "codehost",
  sourceConfig: {
    integrationId: resourceId,
    repoUrl: "https://github.com/acme/chat",
    buildOnPush: true,
    installCommand: "npm ci",
    deploymentType: "dev",
  },
  sourceRevisionConfig: { repoRef: "main", graphConfigPath: "langgraph.json" },
  secrets: { A: "1", B: "2" },
};
const container = {
  source: "external_container",
  sourceConfig: {
    customUrl: "https://chat.example.com",
    resourceSpec: { cpu: 1, memoryMb: 512 },
    listenerId: resourceId,
    listenerConfig: { k8sNamespace: "apps" },
  },
  sourceRevisionConfig: { imageUri: "registry.example.com/chat:1" },
  secretReferences: { DB: { secretName: "db", secretKey: "url" } },
};
const inConfig = (base: { sourceConfig: Values }, change: Values) => ({
  sourceConfig: { ...base.sourceConfig, ...change },
});
const current = codehost.sourceRevisionConfig;

describe("at the public service", () => {
  it.each<[string, Values, string, Values]>([
    ["a trigger alone", { triggers: 1 }, "revision", { sourceRevisionConfig: current }],
    ["no trigger any more", { triggers: undefined }, "revision", { sourceRevisionConfig: current }],
    ["a trigger and a secret", { triggers: 1, secrets: { A: "2" } }, "revision", { secrets: { A: "2" } }],
    [
      "a trigger without revision fields: the secrets make the revision",
      { sourceRevisionConfig: undefined, triggers: 1 },
      "revision",
      { secrets: codehost.secrets },
    ],
  ])("a change of %s", (_name, change, kind, expected) => {
    const old = { ...codehost, triggers: 7 };
    const declared = { ...old, ...change };
    expect(plan(old, declared).effect).toBe(kind);
    expect(patch(old, declared)).toEqual(expected);
  });

  it("references are cleared with an empty list, beside what makes a revision (C15)", () => {
    const declared = { ...container, secretReferences: undefined };
    const { sourceRevisionConfig } = container;
    expect(patch(container, declared)).toEqual({ secretReferences: {}, sourceRevisionConfig });
  });

  it.each<[string, Values, Values]>([
    ["sourceConfig.integrationId", codehost, { integrationId: resourceId.replace("6f", "70") }],
    ["sourceConfig.repoUrl", codehost, { repoUrl: "https://github.com/acme/other" }],
    ["sourceConfig.deploymentType", codehost, { deploymentType: "prod" }],
    ["sourceConfig.listenerId", container, { listenerId: resourceId.replace("6f", "70") }],
    ["sourceConfig.listenerConfig.k8sNamespace", container, { listenerConfig: { k8sNamespace: "other" } }],
  ])("another %s replaces (D01)", (path, base, change) => {
    const made = plan(base, { ...base, ...inConfig(base as never, change) });
    expect([made.effect, reasonsText(made.changes)]).toEqual(["replacement", expect.stringContaining(path)]);
  });
});
