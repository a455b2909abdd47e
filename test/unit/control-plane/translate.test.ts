import { withDrift } from "../../support/observed";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Deployment } from "../../../schema/deployment";
import { WireDeployment } from "../../../schema/wire";
import { Translator } from "../../../provider/control-plane/translate";
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

it("a POST has everything that was declared, in the wire's words, and nothing local (A01, C21)", () => {
  const declared = {
    ...made,
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
  expect(new Translator(standard).createBody(declared as unknown as Deployment)).toEqual({
    ...made,
    source_config: { build_on_push: true, deployment_type: "dev", listener_config: { k8s_namespace: "a" } },
    source_revision_config: { image_uri: "r.example.com/chat:1" },
    secrets: [
      { name: "A", value: "1" },
      { name: "B", value: "2" },
    ],
    secret_references: [{ name: "C", secret_name: "s", secret_key: "k" }],
  });
});

it("a POST has the objects that every deployment has, even if they are empty (A27)", () => {
  const body = new Translator(standard).createBody(made);
  expect(body).toEqual({ ...made, source_config: {}, source_revision_config: {}, secrets: [] });
});

it("an empty revision id is none (A09)", () => {
  const wire = answerTo({ ...made, latest_revision_id: "", active_revision_id: "" });
  const none = { latestRevisionId: null, activeRevisionId: null };
  expect(new Translator(standard).fromWire(wire)).toMatchObject(none);
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

it("the address is the service's own, or else the custom one", () => {
  const urlOf = (url: string | null, custom_url: string) =>
    new Translator(standard).fromWire({ ...answerTo(made), url, source_config: { custom_url } }).url;
  expect([urlOf("own", "custom"), urlOf(null, "custom"), urlOf("", "")]).toEqual(["own", "custom", null]);
});
