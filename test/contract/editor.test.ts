/** What editors offer in a program: the language service of each TypeScript, on the packed package. */
import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeProject, packageName, type Project } from "../support/provider-process";
import { isLong } from "../support/runs";
import { openEditor, type Editor } from "../support/editor";

const head = `
import { Deployment, Provider, fromManifest, getDeployment, getDeploymentOutput, listDeployments, listDeploymentsOutput, listRepositories, type DeploymentArgs, type DeploymentArgsOf } from "${packageName}";
`;

const sourceConfig = ["deploymentType", "deploymentTier"];
const cluster = ["resourceSpec", "listenerId", "listenerConfig"];
const container = ["image", "command", "env", "resources", "volumeMounts"];
const tiers = ["SERVERLESS_S", "SERVERLESS_M", "SERVERLESS_L", "DEDICATED_S", "DEDICATED_M", "DEDICATED_L"];
const inSpec = (text: string) =>
  `new Deployment("a", { source: "external_container", sourceConfig: { resourceSpec: { ${text} } } })`;

/** A program with `|` at the cursor, what must be offered there, and what must not. */
const places: readonly [string, readonly string[], (readonly string[])?][] = [
  ['new Deployment("a", { | })', ["source", "name", "sourceConfig", "sourceDirectory", "secretReferences"]],
  ['new Deployment("a", { sou| })', ["source", "sourceConfig"]],
  ['new Deployment("a", { source: "|" })', ["codehost", "internal_source", "external_container"]],
  ['new Deployment("a", { source: "codehost", | })', ["sourceConfig", "secrets"], ["sourceDirectory"]],
  ['new Deployment("a", { source: "codehost", revisionSource: "|" })', ["codehost"]],
  ['new Deployment("a", { source: "internal_source", sour| })', ["sourceDirectory"], ["secretReferences"]],
  ['new Deployment("a", { sourceConfig: { | } })', ["repoUrl", ...sourceConfig]],
  ['new Deployment("a", { sourceConfig: { res| } })', sourceConfig],
  [
    'new Deployment("a", { source: "codehost", sourceConfig: { | } })',
    ["repoUrl", "resourceSpec", ...sourceConfig],
    ["listenerId", "listenerConfig"],
  ],
  [
    'new Deployment("a", { source: "internal_source", sourceConfig: { | } })',
    sourceConfig,
    ["repoUrl", ...cluster],
  ],
  ['new Deployment("a", { source: "external_container", sourceConfig: { | } })', cluster, ["repoUrl"]],
  ['new Deployment("a", { source: "codehost", sourceConfig: { deploymentType: "|" } })', ["dev", "prod"]],
  ['new Deployment("a", { source: "codehost", sourceConfig: { deploymentTier: "|" } })', tiers],
  [
    'new Deployment("a", { source: "external_container", sourceConfig: { listenerConfig: { | } } })',
    ["k8sNamespace"],
  ],
  ['new Deployment("a", { sourceRevisionConfig: { | } })', ["repoRef", "imageUri"]],
  ['new Deployment("a", { source: "codehost", sourceRevisionConfig: { | } })', ["repoRef"], ["imageUri"]],
  ['new Deployment("a", { source: "external_container", sourceRevisionConfig: { im| } })', ["imageUri"]],
  [inSpec("|"), ["cpu", "memoryMb", "labels", "sidecars"]],
  [inSpec("mem|"), ["memoryMb", "memoryLimitMb"]],
  [inSpec("labels: { | }"), []],
  [inSpec("sidecars: [{ | }]"), container],
  [inSpec("initContainers: [{ | }]"), container],
  [inSpec("sidecars: [{ env: [{ | }] }]"), ["name", "value", "valueFrom"]],
  [inSpec("sidecars: [{ resources: { | } }]"), ["limits", "requests"]],
  [inSpec("sidecars: [{ resources: { limits: { | } } }]"), []],
  [inSpec("sidecars: [{ envFrom: [{ | }] }]"), []],
  [inSpec("volumes: [{ | }]"), ["configMap", "emptyDir"]],
  [inSpec("volumeMounts: [{ | }]"), ["mountPath"]],
  [inSpec("imagePullSecrets: [{ | }]"), ["name"]],
  ['new Deployment("a", { source: "codehost", secrets: { | } })', []],
  ['new Deployment("a", { source: "codehost", ready: { | } })', ["path", "timeout", "status"]],
  ['new Deployment("a", { source: "external_container", secretReferences: { | } })', []],
  [
    'new Deployment("a", { source: "external_container", secretReferences: { DB: { | } } })',
    ["secretName", "secretKey"],
  ],
  ['new Deployment("a", { source: "codehost" }, { | })', ["protect", "customTimeouts", "provider"]],
  ['new Deployment("a", { source: "codehost" }, { pro| })', ["protect", "provider"]],
  ["const a: DeploymentArgs = { | }", ["source", "sourceConfig", "sourceDirectory"]],
  ['const a: DeploymentArgs = { source: "codehost", sourceConfig: { | } }', ["repoUrl", ...sourceConfig]],
  ['const a: DeploymentArgsOf<"codehost"> = { | }', ["source", "sourceConfig"], ["sourceDirectory"]],
  ['new Provider("a", { | })', ["baseUrl", "apiKey", "dialect"]],
  ['new Provider("a", { baseUrl: "", dia| })', ["dialect"]],
  ['new Provider("a", { baseUrl: "", dialect: "|" })', ["standard", "langsmith"]],
  ['fromManifest("a", { | })', ["stack"]],
  ['fromManifest<"chat">("a").|', ["chat"]],
  ["getDeployment({ | })", ["id", "name"]],
  ['getDeployment({ name: "a" }, { | })', ["provider", "parent"]],
  ["getDeploymentOutput({ | })", ["id", "name"]],
  ["listDeployments({ | })", ["nameContains", "status", "deploymentType"]],
  ['listDeployments({ status: "|" })', ["READY"]],
  ['listDeployments({ deploymentType: "|" })', ["prod"]],
  ["listDeploymentsOutput({ | })", ["nameContains", "status"]],
  ["listRepositories({ | })", ["integrationId", "host"]],
  ['listRepositories({ integrationId: "", host: "|" })', ["codehost", "service"]],
];

/** A program with `|` in a name, and a part of what an editor shows of it. */
const explained: readonly (readonly [string, string])[] = [
  ['new Deploy|ment("a", { source: "codehost" })', "Declares a deployment"],
  ['new Deployment("a", { sou|rce: "codehost" })', "Where the deployment comes from"],
  ['new Deployment("a", { source: "codehost", source|Config: {} })', "Settings of the source"],
  [
    'new Deployment("a", { source: "codehost", sourceConfig: { repo|Url: "a" } })',
    "Address of the repository",
  ],
  [
    'new Deployment("a", { source: "codehost", sourceConfig: { resource|Spec: {} } })',
    "Sizes and cluster settings",
  ],
  ['new Deployment("a", { source: "codehost", sourceRevisionConfig: { repo|Ref: "a" } })', "Branch, tag"],
  ['new Deployment("a", { source: "codehost", ready: { pa|th: "/ok" } })', "Path below"],
  [inSpec("c|pu: 1"), "CPU of one replica"],
  [inSpec('sidecars: [{ im|age: "a" }]'), "Image with tag or digest"],
  ['new Deployment("a", { source: "internal_template" }).u|rl', "`fromOutput(chat,"],
  ["const a: DeploymentArgs = { sourceConfig: { resourceSpec: { c|pu: 1 } } }", "CPU of one replica"],
];

let project: Project;
beforeAll(() => {
  project = makeProject("@pulumi/pulumi");
});
afterAll(() => project.remove());

/** A plain run asks one, because both read the same declarations. TypeScript 7 has no language service to ask. */
const editors = ["node_modules/typescript", "test/editors/typescript-6/node_modules/typescript"];

describe.each(editors.slice(0, isLong ? undefined : 1))("an editor with %s", (typescript) => {
  let editor: Editor;
  beforeAll(() => {
    editor = openEditor(resolve(typescript), project.folder);
  });
  afterAll(() => editor.close());

  it("offers the keys and the words of every argument, and neither `apply` nor `get`", () => {
    for (const [place, offered, hidden = []] of places) {
      const cursor = place.indexOf("|");
      const names = editor.completions(head + place.replace("|", ""), head.length + cursor);
      expect(names, `${place} of ${names.join(" ")}`).toEqual(expect.arrayContaining([...offered]));
      const unwanted = ["apply", "get", "then", ...hidden].filter((name) => names.includes(name));
      expect(unwanted, place).toEqual([]);
    }
  });

  it("shows the text of a key at every level, and of the class", () => {
    for (const [place, text] of explained) {
      const at = head.length + place.indexOf("|");
      expect(editor.hover(head + place.replace("|", ""), at), place).toContain(text);
    }
  });
});
