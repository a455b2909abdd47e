import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Deployment } from "../../../schema/deployment";
import { WireDeployment } from "../../../schema/wire";
import { Translator } from "../../../provider/control-plane/translate";
import { withDrift } from "../../../provider/deployment/drift";
import { resultOf } from "../../../provider/deployment/lookup";
import type { Values } from "../../../schema/tree";
import { langsmith } from "../../../provider/dialects/langsmith";
import { standard } from "../../../provider/dialects/standard";
import { normalisedArguments } from "../../support/arbitraries";

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

describe.each([standard, otherwise])("what is sent and answered (%#)", (dialect) => {
  const translator = new Translator(dialect);

  it("is the same again, for every field (G20)", () => {
    fc.assert(
      fc.property(normalisedArguments, (declared) => {
        const shown = translator.fromWire(answerTo(translator.createBody(declared as unknown as Deployment)));
        const { sourceConfig = {}, secrets = {}, secretReferences } = declared as unknown as Deployment;
        expect(shown).toMatchObject({ name: declared["name"], source: declared["source"] });
        expect(shown.sourceConfig).toEqual(sourceConfig);
        expect(shown.sourceRevisionConfig).toEqual({
          ...(declared["sourceRevisionConfig"] as Values),
          repoCommitSha: null,
        });
        expect(shown.secrets).toEqual(secrets);
        expect(shown.secretReferences ?? undefined).toEqual(secretReferences);
        expect(withDrift(declared, shown)).toEqual(declared);
      }),
      { numRuns: 200 },
    );
  });
});

describe("a field that stands beside its object on the wire (public-api-facts, 10.10)", () => {
  const translator = new Translator(langsmith);
  const gateway = { routeThroughGateway: true };

  it("is sent and read there", () => {
    const declared = { ...made, sourceConfig: { ...gateway, buildOnPush: true } } as unknown as Deployment;
    const body = translator.createBody(declared);
    expect(body).toMatchObject({ route_through_gateway: true, source_config: { build_on_push: true } });
    expect(translator.fromWire(answerTo(body)).sourceConfig).toEqual({ ...gateway, buildOnPush: true });
  });

  it("takes no empty object along in a PATCH, while a POST needs one", () => {
    expect(translator.patchBody({ sourceConfig: gateway })).toEqual({ route_through_gateway: true });
    const body = translator.createBody({ ...made, sourceConfig: gateway } as unknown as Deployment);
    expect(body["source_config"]).toEqual({});
  });
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

  it("has the objects that every deployment has, also where nothing is in them (A27)", () => {
    expect(body({})).toEqual({ ...made, source_config: {}, source_revision_config: {}, secrets: [] });
  });

  it("keeps keys that are data: of labels, annotations and the cluster's own objects", () => {
    const labels = { "app.example.com/teamName": "a", camelCase: "b", snake_case: "c" };
    const volume = { name: "v", persistentVolumeClaim: { claimName: "c", readOnly: true }, downwardAPI: {} };
    const container = {
      imagePullPolicy: "Always",
      workingDir: "/app",
      env: [{ name: "A", valueFrom: { fieldRef: { fieldPath: "p" } } }],
      envFrom: [{ configMapRef: { name: "m" } }],
      volumeMounts: [{ mountPath: "/v", subPathExpr: "$(A)" }],
      securityContext: { runAsUser: 1000 },
    };
    const resourceSpec = {
      labels,
      annotations: labels,
      serviceAccountName: "app",
      volumes: [volume],
      volumeMounts: [{ mountPath: "/v", mountPropagation: "None" }],
      initContainers: [container],
      sidecars: [container],
    };
    expect(body({ sourceConfig: { resourceSpec } })["source_config"]).toEqual({
      resource_spec: {
        labels,
        annotations: labels,
        service_account_name: "app",
        volumes: [volume],
        volume_mounts: [{ mountPath: "/v", mountPropagation: "None" }],
        init_containers: [container],
        sidecars: [container],
      },
    });
  });
});

describe("the body of a PATCH", () => {
  const translator = new Translator(standard);

  it("has null where a value is removed, and an empty list for no secrets", () => {
    const patch = {
      sourceConfig: { installCommand: null, listenerConfig: null, resourceSpec: { cpu: 1 } },
      secrets: {},
      secretReferences: null,
    };
    expect(translator.patchBody(patch)).toEqual({
      source_config: { install_command: null, listener_config: null, resource_spec: { cpu: 1 } },
      secrets: [],
      secret_references: null,
    });
  });
});

describe("another dialect", () => {
  const translator = new Translator(otherwise);

  it("renames fields and sources on the way out", () => {
    const declared = {
      ...made,
      source: "codehost",
      sourceConfig: {
        integrationId: "6f0e6c1a-0000-4000-8000-000000000000",
        resourceSpec: { cpu: 1, labels: { cpu: "data" } },
      },
      sourceRevisionConfig: { graphConfigPath: "graph.json" },
    } as const;
    expect(translator.createBody(declared)).toEqual({
      name: "chat",
      source: "forge",
      source_config: {
        host_id: "6f0e6c1a-0000-4000-8000-000000000000",
        resource_spec: { vcpus: 1, labels: { cpu: "data" } },
      },
      source_revision_config: { graph_file: "graph.json" },
      secrets: [],
    });
    expect(translator.patchBody({ revisionSource: "internal_source", sourceRevisionConfig: {} })).toEqual({
      revision_source: "upload",
      source_revision_config: {},
    });
  });

  it("renames them on the way in, and leaves a source that it has no word for", () => {
    const shown = { id: "d1", name: "chat", status: "READY", secrets: [] };
    const seen = translator.fromWire(
      WireDeployment.parse({
        ...shown,
        source: "forge",
        source_config: { host_id: "h", resource_spec: { vcpus: 2, cpu_limit: 3 } },
        source_revision_config: { graph_file: "graph.json", repo_commit_sha: "abc" },
      }),
    );
    expect(seen).toMatchObject({
      source: "codehost",
      sourceConfig: { integrationId: "h", resourceSpec: { cpu: 2, cpuLimit: 3 } },
      sourceRevisionConfig: { graphConfigPath: "graph.json", repoCommitSha: "abc" },
    });
    expect(translator.fromWire(WireDeployment.parse({ ...shown, source: "somewhere" })).source).toBe(
      "somewhere",
    );
  });
});

describe("the public service's response about what it built", () => {
  const repoRefOf = (repo_branch?: unknown) => {
    const built = { repo_ref: "0123456789abcdef0123456789abcdef01234567", image_uri: "built:1" };
    const source_config = repo_branch === undefined ? {} : { repo_branch };
    const wire = { ...answerTo({ ...made, source: "github" }), source_config, source_revision_config: built };
    return new Translator(langsmith).fromWire(wire).sourceRevisionConfig["repoRef"];
  };

  it("has the branch beside the commit, and the commit alone where it does not tell (E15, F01, F02)", () => {
    expect(repoRefOf("main")).toBe("main");
    for (const silent of [undefined, null, ""]) expect(repoRefOf(silent)).toMatch(/^[0-9a-f]{40}$/);
  });
});

describe("the public service's dialect", () => {
  const translator = new Translator(langsmith);
  const integrationId = "6f0e6c1a-0000-4000-8000-000000000000";
  const body = {
    name: "chat",
    source: "github",
    source_config: { integration_id: integrationId, repo_url: "https://github.com/acme/chat" },
    source_revision_config: { repo_ref: "main", langgraph_config_path: "langgraph.json" },
    secrets: [],
  };

  it.each([
    ["codehost", "github"],
    ["external_container", "external_docker"],
    ["internal_container", "internal_docker"],
    ["internal_source", "internal_source"],
    ["internal_template", "internal_template"],
  ] as const)("calls the source %s %s", (source, word) => {
    const sent = translator.createBody({ name: "chat", source });
    expect(sent["source"]).toBe(word);
    expect(translator.fromWire(answerTo(sent)).source).toBe(source);
    expect(translator.patchBody({ revisionSource: source })).toEqual({ revision_source: word });
  });

  it("keeps what it does not know out of the arguments, and takes a name that is null (E09, E33)", () => {
    const later = { display_name: "Chat", agent: null, resource_spec: { core_cpu: 3 }, template_id: "t" };
    const seen = translator.fromWire(
      answerTo({ ...body, source_config: { ...body.source_config, ...later } }),
    );
    expect(Object.keys(seen.sourceConfig).sort()).toEqual(["integrationId", "repoUrl", "resourceSpec"]);
    expect(resultOf(seen)["sourceConfig"]).not.toHaveProperty("resourceSpec.core_cpu");
    expect(translator.fromWire(answerTo({ ...body, name: null })).name).toBe("");
  });
});

describe("what a newer service has in an object that is sent as a whole", () => {
  it("goes both ways as it is, and nowhere else", () => {
    const source_config = { resource_spec: { cpu: 1, priority_class: "high", minScale: 7 }, zone: "a" };
    const translator = new Translator(standard);
    const wire = { id: "d1", name: "chat", source: "codehost", status: "READY", source_config };
    const { sourceConfig } = translator.fromWire(WireDeployment.parse(wire));
    expect(sourceConfig).toEqual({ resourceSpec: { cpu: 1, priority_class: "high" } });
    const resource_spec = { cpu: 1, priority_class: "high" };
    expect(translator.patchBody({ sourceConfig })).toEqual({ source_config: { resource_spec } });
  });
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

  it("keeps null inside, since it says that there is none", () => {
    const { sourceConfig } = fromWire({ source_config: { custom_url: null, listener_config: null } });
    expect(sourceConfig).toEqual({ customUrl: null, listenerConfig: null });
  });

  it.each([
    ["its own, on the public service", { url: "https://a.example.com" }, "https://a.example.com"],
    [
      "the custom one, where it has none of its own",
      { url: null, custom: "https://b.example.com" },
      "https://b.example.com",
    ],
    [
      "its own, where it has both",
      { url: "https://a.example.com", custom: "https://b.example.com" },
      "https://a.example.com",
    ],
    ["none, before there is one", { url: null, custom: null }, null],
    ["none, where both are empty", { url: "", custom: "" }, null],
  ])("shows an address: %s (public-api-facts, 10.1)", (_, { url, custom }: Values, expected) => {
    expect(fromWire({ url, source_config: { custom_url: custom } }).url).toBe(expected);
  });

  it("takes an empty revision id as none (A09)", () => {
    expect(fromWire({ latest_revision_id: "", active_revision_id: "" })).toMatchObject({
      latestRevisionId: null,
      activeRevisionId: null,
    });
  });

  it("may hold fields, statuses and sources that nobody here knows (E09)", () => {
    const seen = fromWire({
      status: "NEW_STATUS",
      source: "new",
      replicas: 3,
      source_config: { new_field: 1 },
    });
    expect(seen).toMatchObject({ status: "NEW_STATUS", source: "new", sourceConfig: {} });
  });
});
