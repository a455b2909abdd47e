import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../support/runs";
import { typeErrorsIn } from "../../support/type-errors";
import { generate } from "../manifest/generated";
import { manifests, toYaml } from "../manifest/manifests";

const head = `
import * as pulumi from "@pulumi/pulumi";
import { validateResourceOfType } from "@pulumi/policy";
import {
  Deployment, fromManifest, fromRepository, listDeployments, listDeploymentsOutput, Provider, type DeploymentArgs, type DeploymentArgsOf, type Repository, type ResourceSpec,
  type Source, type SourceConfig, type SourceRevisionConfig,
} from "pulumi-deployment-service";
declare const source: Source;
declare const input: pulumi.Input<Source>;
declare const output: pulumi.Output<Source>;
declare const args: DeploymentArgs;
declare const config: SourceConfig;
declare const revision: SourceRevisionConfig;
declare const spec: ResourceSpec;
declare const repository: pulumi.Output<Repository>;
declare const perhaps: string | undefined;
const references = { DB: { secretName: "db", secretKey: "url" } };
const everything = {
  sourceConfig: { repoUrl: "https://code.example.com/a/b", resourceSpec: spec },
  sourceRevisionConfig: { repoRef: "main", imageUri: "chat:1" },
  secretReferences: references,
  triggers: 1,
  adopt: true,
};
`;

/** What a program may write, each in a block of its own. */
const sound = `
const fromList = fromRepository(repository);
const graph = { graphConfigPath: "langgraph.json" };
const own = { integrationId: "i", repoUrl: "https://code.example.com/a/b" };
new Deployment("a", {
  source: "codehost",
  ...fromList,
  sourceRevisionConfig: { ...fromList.sourceRevisionConfig, ...graph },
  secrets: { A: "a" },
  triggers: [1, { at: perhapsLater }, repository, undefined, null, Promise.resolve("a")],
  adopt: true,
});
new Deployment("a", { source: "external_container", sourceRevisionConfig: { imageUri: "chat:1" }, secretReferences: references });
new Deployment("a", { source: "internal_source", sourceRevisionConfig: { sourceTarballPath: "a.tgz", graphConfigPath: "b" } });
new Deployment("a", { source: "codehost", revisionSource: "internal_container", sourceRevisionConfig: { imageUri: "chat:1" } });
declare function later(text: string): pulumi.Output<string>;
new Deployment("a", { source: "internal_source", sourceConfig: { deploymentType: perhaps, deploymentTier: later("a") } });
new Deployment("a", { source: "internal_source", sourceConfig: { deploymentType: perhaps ? "serverless" : "dedicated", deploymentTier: "DEDICATED_S" } });
const text = JSON.parse("{}");
new Deployment("a", text as DeploymentArgsOf);
new Deployment("a", { source: perhaps as Source, sourceRevisionConfig: {} });
declare const perhapsLater: pulumi.Output<string | undefined>;
declare const scale: pulumi.Output<number | undefined>;
new Deployment("a", {
  ...{ source: "external_container", name: perhaps, adopt: undefined, skipAwait: undefined, secrets: undefined },
  sourceConfig: perhaps ? { customUrl: perhapsLater, resourceSpec: perhaps ? { maxScale: scale, labels: undefined } : undefined } : undefined,
  sourceRevisionConfig: { imageUri: perhapsLater },
  secretReferences: undefined,
  ready: undefined,
});
new Provider("a", { baseUrl: "https://control.example.com", apiKey: perhapsLater, tenantId: perhaps, maxConcurrency: scale });
const all = listDeployments({ nameContains: perhaps, deploymentIds: undefined });
const allLater = listDeploymentsOutput({ nameContains: perhapsLater, status: undefined });
const typed = validateResourceOfType(Deployment, (given) => void [given.sourceRevisionConfig?.imageUri, given.triggers]);
const some: Source = "external_container";
const declared: DeploymentArgs = { source: some, sourceConfig: config, sourceRevisionConfig: { imageUri: "chat:1" }, secretReferences: references };
const made: Deployment = new Deployment("a", declared);
new Deployment("a", { ...args, name: "b" });
new Deployment("a", { source: "codehost", sourceConfig: pulumi.output(config), sourceRevisionConfig: pulumi.output(revision) });
new Deployment("a", { source: "codehost" as Source, sourceConfig: config, sourceRevisionConfig: revision });
for (const known of [source, input, output]) new Deployment("a", { source: known, ...everything });
new Deployment("a", { source: source, ...everything });
new Deployment("a", { source: input, sourceRevisionConfig: { imageUri: "chat:1" }, secretReferences: references });
new Deployment("a", { source: output, sourceConfig: { repoUrl: "a" }, sourceRevisionConfig: { repoRef: "b" } });
const outputArgs: DeploymentArgs = { source: output, ...everything };
const any: DeploymentArgsOf = { source: input, sourceRevisionConfig: { imageUri: "chat:1" } };
new Deployment("a", any);
const chosen = (tag: string) => ({
  settings: pulumi.output(tag).apply((): SourceConfig => ({ resourceSpec: spec })),
  size: pulumi.output(tag).apply((): ResourceSpec => ({ labels: { tag } })),
  revision: pulumi.output(tag).apply((imageUri): SourceRevisionConfig => ({ imageUri })),
});
const { settings, size } = chosen("a");
const sourceRevisionConfig = { imageUri: "chat:1" };
new Deployment("a", { source: "codehost", sourceConfig: settings, sourceRevisionConfig: graph });
new Deployment("a", { source: "external_container", sourceRevisionConfig, sourceConfig: { resourceSpec: size, listenerConfig: new Promise<never>(() => undefined) } });
new Deployment("a", { source: "external_container", sourceRevisionConfig: chosen("b").revision, ready: Promise.resolve({ path: "/ok" }) });
new Deployment("a", { source: "external_container", sourceRevisionConfig, sourceConfig: { resourceSpec: made.sourceConfig.apply((own) => own?.resourceSpec) } });
declare const given: { readonly spec: pulumi.Input<ResourceSpec>; readonly any: pulumi.Output<any> };
new Deployment("a", { source: "external_container", sourceRevisionConfig, sourceConfig: { resourceSpec: given.spec, listenerConfig: given.any } });
new Deployment("a", { source: "codehost", sourceConfig: { ...own, resourceSpec: { cpu: 1 } }, sourceRevisionConfig: graph });
const kept: DeploymentArgs["sourceConfig"] = { resourceSpec: { cpu: 1 } };
const read = [args.sourceConfig, args.sourceRevisionConfig, args.secretReferences];
interface TeamArgs extends Omit<DeploymentArgsOf<"external_container">, "source"> { team: string }
interface AnyArgs extends Omit<DeploymentArgs, "source"> { team: string }
class Team extends pulumi.ComponentResource {
  readonly chat: Deployment;
  constructor(name: string, { team, ...rest }: TeamArgs, { team: other, ...others }: AnyArgs) {
    super("acme:index:Team", name, { team, other });
    this.chat = new Deployment(name, { ...rest, source: "external_container" }, { parent: this });
    new Deployment(other, { ...others, source }, { parent: this });
  }
}
class Chat extends Deployment {
  constructor(name: string, own: DeploymentArgs) { super(name, own); }
}
new Deployment("a", { source: "external_container", sourceRevisionConfig: { imageUri: Promise.resolve({ a: perhaps }).then(({ a }) => a!) } });
new Deployment("a", { source: "external_container", sourceRevisionConfig: { imageUri: made.sourceRevisionConfig.apply((own) => own!.imageUri) } });
const { chat, search } = fromManifest<"chat" | "search">("deployments.yaml");
const urls = [chat.url, search.url];
const shown = (deployment: Deployment) => deployment.url;
shown(new Deployment("a", { source: "internal_template" }));
`;

const image = `sourceRevisionConfig: { imageUri: "chat:1" }`;
const ref = `sourceRevisionConfig: { repoRef: "main" }`;
const repository = `sourceConfig: { integrationId: "i", repoUrl: "u" }`;
const graph = `sourceRevisionConfig: { graphConfigPath: "langgraph.json" }`;
const unknown = (name: string, type: string) =>
  `Object literal may only specify known properties, and '${name}' does not exist in type '${type}`;
const missing = (name: string, type: string) => new RegExp(`[pP]ropert.*${name}.* missing in .*${type}`, "s");
/** The likeliest mistakes, and what the message says. */
const mistakes: readonly [string, string | RegExp][] = [
  [`source: "codehost", ${repository}, ${image}`, unknown("imageUri", "ObjectInput<CodehostRevision, ")],
  [`source: "codehost", ${graph}`, missing("sourceConfig", "CodehostGroups")],
  [
    `source: "codehost", sourceConfig: { repoUrl: "u" }, ${graph}`,
    missing("integrationId", "CodehostConfig"),
  ],
  [`source: "external_container"`, missing("sourceRevisionConfig", "ExternalContainerGroups")],
  [
    `source: "external_container", sourceRevisionConfig: { imageUri: perhaps }`,
    "Type 'string | undefined' is not assignable to type 'RequiredString'.",
  ],
  [
    `source: "external_container", ${image}, sourceConfig: { repoUrl: "x" }`,
    unknown("repoUrl", "SourceConfigOutput | Omit<SourceConfig, "),
  ],
  [
    `source: "internal_source", sourceConfig: { resourceSpec: {} }`,
    unknown("resourceSpec", "SourceConfigOutput | Pick<SourceConfig, "),
  ],
  [
    `source: "codehost", ${repository}, ${graph}, secretReferences: references`,
    unknown("secretReferences", `DeploymentArgsOf<"codehost">`),
  ],
  [
    `source: "codhost"`,
    `Type '"codhost"' is not assignable to type 'Input<"codehost" | "external_container" | "internal_container" | "internal_source" | "internal_template">'. Did you mean '"codehost"'?`,
  ],
  [
    image,
    "Argument of type '{ sourceRevisionConfig: { imageUri: string; }; }' is not assignable to parameter",
  ],
  [
    `source: "external_container", ${image}, sourceConfig: { resourceSpec: { cpu: "1" } }`,
    "Type 'string' is not assignable to type 'Input<number | undefined>'.",
  ],
  [
    `source: "external_container", sourceRevisionConfig: { imageURI: "chat:1" }`,
    unknown("imageURI", "ObjectInput<ExternalContainerRevision, "),
  ],
  [
    `source: "external_container", ${image}, sourceConfig: { resourceSpec: { maxScal: 1 } }`,
    unknown("maxScal", "ResourceSpec | ResourceSpecOutput | Promise<ResourceSpec | undefined>'."),
  ],
  [
    `source: "internal_source", sourceConfig: { deploymentType: 3 }`,
    /^Type 'number' is not assignable to type 'Input<.*"serverless" \| "dedicated"/,
  ],
  [`source: "internal_source", triggers: new Date()`, "Type 'Date' is not assignable to type 'JsonInput'."],
  [`source: "internal_template", ${ref}`, "Type 'string' is not assignable to type 'never'."],
  [
    `source: "codehost", ${repository}, ${graph}, revisionSource: "external_container"`,
    `Type '"external_container"' is not assignable to`,
  ],
];

describe("the argument types", () => {
  const line = head.split("\n").length;
  const generated = fc
    .sample(manifests, runs(5, 1))
    .map((manifest) => generate(toYaml(manifest)))
    // A type holds few words, a reference any text.
    .concat(
      ["config.a", "env.A:-a", "deployments.other.url"].map((reference) =>
        generate(`
version: 1
deployments:
  other: { source: internal_template }
  chat: { source: "\${${reference}}", revisionSource: "\${${reference}}", sourceConfig: { buildOnPush: "\${${reference}}" } }
`),
      ),
    );
  // All in one go, which loads the types of the SDK once.
  const errors = typeErrorsIn([
    head + sound,
    ...mistakes.map(([args]) => `${head}new Deployment("a", { ${args} });`),
    ...generated,
  ]);
  const of = (program: number) => errors.filter((error) => error.startsWith(`program-${program}.ts`));

  it("take everything that makes sense for a source, whatever a program knows of it", () => {
    expect(of(0)).toEqual([]);
  });

  it("accept every program that is generated from a manifest, with fields of other sources too", () => {
    expect(generated.flatMap((_, index) => of(mistakes.length + 1 + index))).toEqual([]);
  });

  it.each(mistakes.map(([args, message], index) => ({ args, message, index })))(
    "say what is wrong with $args",
    ({ message, index }) => {
      const said = of(index + 1);
      expect(said).toHaveLength(1);
      const text = said[0]!.replace(`program-${index + 1}.ts(${line}): `, "");
      expect(typeof message === "string" ? text.slice(0, message.length) : text).toMatch(message);
    },
  );
});

it("accept a program generated from a manifest that declares `null` where the types require a value", () => {
  const args = "{ source: external_container, sourceRevisionConfig: { imageUri: null } }";
  expect(typeErrorsIn([generate(`version: 1\ndeployments: { chat: ${args} }\n`)])).toEqual([]);
});
