import { withDrift } from "../../support/observed";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Deployment } from "../../../schema/deployment";
import { WireDeployment } from "../../../schema/wire";
import { Translator } from "../../../provider/control-plane/translate";
import { resultOf } from "../../../provider/lookup/result";
import type { Values } from "../../../schema/tree";
import { langsmith } from "../../../provider/dialects/langsmith";
import { standard } from "../../../provider/dialects/standard";
import { normalisedArguments } from "../../support/arbitraries";
import { runs } from "../../support/runs";

/** What a service with no opinions answers to a body. */
const answerTo = (body: Values) =>
  WireDeployment.parse({ id: "d1", status: "READY", ...(JSON.parse(JSON.stringify(body)) as Values) });
const made = { name: "chat", source: "external_container" } as const;

/** A service with its own words for the same things. */
const otherwise = {
  ...standard,
  vocabulary: {
    declaredAt: {},
    fields: { graph_config_path: "graph_file", cpu: "vcpus", integration_id: "host_id" },
    sources: { codehost: "forge", internal_source: "upload" },
  },
};

/** Of an address only a part is shown: see below. */
const withoutAddresses = ({ repoUrl: _, customUrl: __, ...others }: Values) => others;

describe.each([standard, otherwise])("what is sent and answered (%#)", (dialect) => {
  const translator = new Translator(dialect);

  it("is the same again, for every field (G20)", () => {
    fc.assert(
      fc.property(normalisedArguments, (declared) => {
        const shown = translator.fromWire(answerTo(translator.createBody(declared as unknown as Deployment)));
        const { sourceConfig = {}, secrets = {}, secretReferences } = declared as unknown as Deployment;
        // A user or a token is cut out of an address.
        fc.pre(!/[@=]/.test(`${sourceConfig.repoUrl} ${sourceConfig.customUrl}`));
        expect(shown).toMatchObject({ name: declared["name"], source: declared["source"] });
        expect(withoutAddresses(shown.sourceConfig)).toEqual(withoutAddresses(sourceConfig));
        expect(shown.sourceRevisionConfig).toEqual({
          ...(declared["sourceRevisionConfig"] as Values),
          repoCommitSha: null,
        });
        expect(shown.secrets).toEqual(secrets);
        expect(shown.secretReferences ?? undefined).toEqual(secretReferences);
        expect(withDrift(declared, shown)).toEqual(declared);
      }),
      runs(50),
    );
  });
});

it("a field that is outside of its object on the wire is sent and read there", () => {
  const translator = new Translator(langsmith);
  const gateway = { routeThroughGateway: true };
  const declared = { ...made, sourceConfig: { ...gateway, buildOnPush: true } };
  const body = translator.createBody(declared);
  expect(body).toMatchObject({ route_through_gateway: true, source_config: { build_on_push: true } });
  expect(translator.fromWire(answerTo(body)).sourceConfig).toEqual({ ...gateway, buildOnPush: true });
  expect(translator.patchBody({ sourceConfig: gateway })).toEqual({ route_through_gateway: true });
  expect(translator.createBody({ ...made, sourceConfig: gateway })["source_config"]).toEqual({});
});

it("addresses come without passwords and tokens, and that is no drift; others come as they are", () => {
  const [repoUrl, customUrl] = ["https://code.example.com/acme/chat", "https://chat.example.com/"];
  const source_config = {
    repo_url: repoUrl.replace("//", "//user:canary@"),
    custom_url: `${customUrl}?token=canary`,
  };
  const shown = new Translator(standard).fromWire(answerTo({ ...made, source_config }));
  expect(shown).toMatchObject({ sourceConfig: { repoUrl, customUrl }, url: customUrl });
  const declared = { ...made, sourceConfig: { repoUrl: `${repoUrl}.git`, customUrl } };
  expect(withDrift(declared, shown)).toEqual(declared);
  const plain = {
    repoUrl: "ssh://deploy@code.example.com/chat?version=2",
    customUrl: "https://chat.example.com:8443/@acme?a=1#b",
  };
  const whole = { repo_url: plain.repoUrl, custom_url: plain.customUrl };
  const { sourceConfig } = new Translator(standard).fromWire(answerTo({ ...made, source_config: whole }));
  expect(sourceConfig).toMatchObject(plain);
});

describe("the body of a POST", () => {
  const body = (values: Values) =>
    new Translator(standard).createBody({ ...made, ...values } as unknown as Deployment);

  it("has everything that was declared, in the wire's words, and nothing local (A01, C21)", () => {
    const declared = {
      sourceConfig: { buildOnPush: true, deploymentType: "dev", listenerConfig: { k8sNamespace: "a" } },
      sourceRevisionConfig: { imageUri: "r.example.com/chat:1" },
      secrets: { B: "2", A: "1" },
      secretReferences: { C: { secretName: "s", secretKey: "k" } },
      triggers: 7,
      adopt: true,
      skipAwait: true,
      deleteTracingProject: true,
      revisionSource: "codehost",
      generation: 3,
    };
    expect(body(declared)).toEqual({
      name: "chat",
      source: "external_container",
      source_config: { build_on_push: true, deployment_type: "dev", listener_config: { k8s_namespace: "a" } },
      source_revision_config: { image_uri: "r.example.com/chat:1" },
      secrets: [
        { name: "A", value: "1" },
        { name: "B", value: "2" },
      ],
      secret_references: [{ name: "C", secret_name: "s", secret_key: "k" }],
    });
  });

  it("has the objects that every deployment has, even if they are empty (A27)", () => {
    expect(body({})).toEqual({ ...made, source_config: {}, source_revision_config: {}, secrets: [] });
  });

  it("keeps keys that are data: of labels, annotations and the cluster's own objects", () => {
    const labels = { "app.example.com/teamName": "a", camelCase: "b", snake_case: "c" };
    const volumes = [
      { name: "v", persistentVolumeClaim: { claimName: "c", readOnly: true }, downwardAPI: {} },
    ];
    const sidecars = [
      {
        imagePullPolicy: "Always",
        env: [{ name: "A", valueFrom: { fieldRef: { fieldPath: "p" } } }],
        volumeMounts: [{ mountPath: "/v", subPathExpr: "$(A)" }],
      },
    ];
    const same = { labels, annotations: labels, volumes, sidecars };
    const resourceSpec = { ...same, serviceAccountName: "app", initContainers: sidecars };
    expect(body({ sourceConfig: { resourceSpec } })["source_config"]).toEqual({
      resource_spec: { ...same, service_account_name: "app", init_containers: sidecars },
    });
  });
});

it("a PATCH has null for a removed value, and an empty list for no secrets", () => {
  const sourceConfig = { installCommand: null, listenerConfig: null, resourceSpec: { cpu: 1 } };
  const patch = { sourceConfig, secrets: {}, secretReferences: null };
  expect(new Translator(standard).patchBody(patch)).toEqual({
    source_config: { install_command: null, listener_config: null, resource_spec: { cpu: 1 } },
    secrets: [],
    secret_references: null,
  });
});

describe("another dialect", () => {
  const translator = new Translator(otherwise);
  const resource = (cpu: string) => ({ [cpu]: 1, labels: { cpu: "data" } });

  it("renames fields and sources when sending", () => {
    const declared = {
      ...{
        name: "chat",
        source: "codehost" as const,
        sourceRevisionConfig: { graphConfigPath: "graph.json" },
      },
      sourceConfig: { integrationId: "h", resourceSpec: resource("cpu") },
    };
    expect(translator.createBody(declared)).toEqual({
      ...{ name: "chat", source: "forge", source_revision_config: { graph_file: "graph.json" }, secrets: [] },
      source_config: { host_id: "h", resource_spec: resource("vcpus") },
    });
    expect(translator.patchBody({ revisionSource: "internal_source" })).toEqual({
      revision_source: "upload",
    });
  });

  it("shows a source that it does not know as it is", () => {
    const unknown = { id: "d1", name: "chat", status: "READY", source: "somewhere" };
    expect(translator.fromWire(WireDeployment.parse(unknown)).source).toBe("somewhere");
  });
});

const repoRefOf = (repo_branch?: unknown) => {
  const built = { repo_ref: "0123456789abcdef0123456789abcdef01234567", image_uri: "built:1" };
  const source_config = repo_branch === undefined ? {} : { repo_branch };
  const wire = { ...answerTo({ ...made, source: "github" }), source_config, source_revision_config: built };
  return new Translator(langsmith).fromWire(wire).sourceRevisionConfig["repoRef"];
};

it("the public service returns the branch with the commit that it built, or only the commit (E15, F01, F02)", () => {
  expect(repoRefOf("main")).toBe("main");
  for (const silent of [undefined, null, ""]) expect(repoRefOf(silent)).toMatch(/^[0-9a-f]{40}$/);
});

it("the public service's fields that this version does not know are excluded from the arguments (E09, E33)", () => {
  const source_config = {
    repo_url: "https://github.com/acme/chat",
    agent: null,
    resource_spec: { node_pool: 3 },
  };
  const wire = answerTo({ name: null, source: "github", source_config });
  const seen = new Translator(langsmith).fromWire(wire);
  expect(Object.keys(seen.sourceConfig).sort()).toEqual(["repoUrl", "resourceSpec"]);
  expect(resultOf(seen)["sourceConfig"]).not.toHaveProperty("resourceSpec.node_pool");
  expect(seen).toMatchObject({ name: "", source: "codehost" });
});

it("a newer service's values in an object that is sent as a whole are read and sent unchanged, and nowhere else", () => {
  const source_config = { resource_spec: { cpu: 1, priority_class: "high", minScale: 7 }, zone: "a" };
  const translator = new Translator(standard);
  const wire = { id: "d1", name: "chat", source: "codehost", status: "READY", source_config };
  const { sourceConfig } = translator.fromWire(WireDeployment.parse(wire));
  expect(sourceConfig).toEqual({ resourceSpec: { cpu: 1, priority_class: "high" } });
  const resource_spec = { cpu: 1, priority_class: "high" };
  expect(translator.patchBody({ sourceConfig })).toEqual({ source_config: { resource_spec } });
});

describe("a response", () => {
  const fromWire = (shown: Values) =>
    new Translator(standard).fromWire(
      WireDeployment.parse({ id: "d1", name: "chat", source: "codehost", status: "READY", ...shown }),
    );

  it("may leave out or null everything but what identifies the deployment", () => {
    const bare = fromWire({});
    expect(bare).toMatchObject({ sourceConfig: {}, sourceRevisionConfig: { repoCommitSha: null } });
    expect(bare.secrets).toBeUndefined();
    const nulls = ["source_config", "secrets", "tenant_id", "latest_revision_id", "image_version"];
    expect(fromWire(Object.fromEntries(nulls.map((name) => [name, null])))).toEqual(bare);
  });

  const [own, custom] = ["https://a.example.com", "https://b.example.com"];
  it.each([
    [{ url: own }, own],
    [{ url: null, custom }, custom],
    [{ url: own, custom }, own],
    [{ url: null, custom: null }, null],
    [{ url: "", custom: "" }, null],
  ])("shows the service's own address, or else the custom one: %j", (shown, expected) => {
    const { url, custom }: Values = shown;
    expect(fromWire({ url, source_config: { custom_url: custom } }).url).toBe(expected);
  });

  it("takes an empty revision id as none (A09)", () => {
    expect(fromWire({ latest_revision_id: "", active_revision_id: "" })).toMatchObject({
      latestRevisionId: null,
      activeRevisionId: null,
    });
  });
});
