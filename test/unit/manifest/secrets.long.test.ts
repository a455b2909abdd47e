import type * as Fs from "node:fs";
import { resolve } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { fromManifest } from "../../../provider";
import { check as checkArguments } from "../../../provider/deployment/check";
import { standard } from "../../../provider/dialects/standard";
import { checkManifest } from "../../../provider/manifest/check";
import type { Bindings } from "../../../provider/manifest/reference";
import { toGithub, toJson, toText } from "../../../provider/manifest/render";
import { Source } from "../../../provider/manifest/source";
import { cli } from "../cli/support";
import { edited, edits, encodings, secretFiles, secretsIn } from "./secret-files";
import { standInForTheEngine } from "./support";

const file = "secrets.yaml";
const files = vi.hoisted(() => new Map<string, Buffer>());
vi.mock("node:fs", async (original) => {
  const fs = await original<typeof Fs>();
  const readFileSync = ((path: string, ...rest: never[]) =>
    files.get(path) ?? fs.readFileSync(path, ...rest)) as typeof fs.readFileSync;
  return { ...fs, readFileSync };
});

beforeAll(standInForTheEngine);

/** A fixed seed, or as many others as `MANIFEST_RUNS` says. */
const more = process.env["MANIFEST_RUNS"];
const runs = more === undefined ? { numRuns: 2_000, seed: 1 } : { numRuns: Number(more) };

/** What `validate`, `generate` and `fromManifest` ask of a file. */
const questions = fc.constantFrom<Bindings>(
  { env: {} },
  { stack: "prod", env: {} },
  { stack: "prod" },
  { stack: "dev", env: {}, config: () => undefined },
);

/** What a check finds, in the three formats. */
function foundIn(bytes: Buffer, known: Bindings): string {
  const source = new Source(file, bytes);
  const { problems, mask } = checkManifest(source, known);
  return [toText(source, problems, { mask }), toJson(source, problems), toGithub(source, problems)].join(
    "\n",
  );
}

/** All that this package says of a file. A program holds the literals of its file, so that of it nothing is said. */
async function saidOf(bytes: Buffer): Promise<string> {
  files.set(resolve(file), bytes);
  const formats = ["text", "json", "github"].map((format) => cli(["validate", file, "--format", format]));
  const shown = (await Promise.all([...formats, cli(["generate", file, "--stack", "prod"])])).map(
    ({ stdout, stderr }, index) => (index < formats.length ? stdout + stderr : stderr),
  );
  return [...shown, errorOf(() => fromManifest(file, { stack: "prod", config: {} }))].join("\n");
}

function errorOf(work: () => unknown): string {
  try {
    work();
    return "";
  } catch (error) {
    return `${(error as Error).message}\n${(error as Error).stack}`;
  }
}

describe("a file with secrets in clear, whatever happened to it in an editor", { timeout: 3_600_000 }, () => {
  it("shows none of them where its problems are told", () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(secretFiles, edits, encodings, questions, (text, list, encode, known) => {
        const said = foundIn(encode(edited(text, list)), known);
        for (const [, rule] of said.matchAll(/ \[([a-z-]+)\]$/gm)) seen.add(rule!);
        expect(secretsIn(said), said).toEqual([]);
      }),
      runs,
    );
    expect([...seen]).toEqual(
      expect.arrayContaining(["syntax", "encoding", "type", "unknown-key", "credential", "alias"]),
    );
  });

  it("shows none of them in a command or an error", async () => {
    await fc.assert(
      fc.asyncProperty(secretFiles, edits, encodings, async (text, list, encode) => {
        const said = await saidOf(encode(edited(text, list)));
        expect(said).toContain(file);
        expect(secretsIn(said)).toEqual([]);
      }),
      { ...runs, numRuns: Math.ceil(runs.numRuns / 50) },
    );
  });

  it("would be found out", () => {
    expect(secretsIn("sk-canary-url-0123")).not.toEqual([]);
    expect(secretsIn("nothing")).toEqual([]);
  });
});

describe("a secret in a place where the file's own words stand", () => {
  const value = "sk-live-canary-0123";
  const chat = "version: 1\ndeployments:\n  chat:\n    source: internal_template\n";
  const secrets = `${chat}    secrets:\n`;
  const inContainer = (text: string) =>
    `${chat}    sourceConfig: { resourceSpec: { sidecars: [{ ${text}, image: 1 }] } }`;

  it.each([
    `${secrets}      A: \${env.${value}}\n`,
    `${secrets}      A: \${env.sk_live_canary_0123}\n`,
    `${secrets}      A: \${config.${value}}\n`,
    `${secrets}      A: \${deployments.${value}.url}\n`,
    `${secrets}      A: \${deployments.chat.${value}}\n`,
    `${secrets}      A: &x ${value}\n    options:\n      dependsOn: [*x]\n`,
    `${secrets}      A: &x ${value}\n    sourceConfig:\n      *x : 4\n`,
    `${secrets}      A: &x "\${deployments.${value}.url}"\n    name: *x\n`,
    // A key that is an alias of a secret.
    `${secrets}      A: &x ${value}\n    sourceConfig: {resourceSpec: {labels: {*x : 3}}}\n`,
    `${secrets}      A: &x ${value}\n    triggers: {password: {*x : "\${foo}"}}\n`,
    `${secrets}      A: &x ${value}\n    secretReferences: {*x : {secretName: a}}\n`,
    `${secrets}      A: &x ${value}\n      *x : 3\n      *x : 4\n`,
    `${secrets}      A: &x ${value}\n  *x : {source: codehost, options: {dependsOn: [*x ]}}\n`,
    `${secrets}      A: &x ${value}\n  *x : {source: codehost, name: chat}\n`,
    `${secrets}      A: &x ${value}\n  *x : {source: codehost}\nstacks: {dev: {deployments: {*x : null, a: {source: codehost, options: {dependsOn: [*x ]}}}}}\n`,
    `${secrets}      A: &x ${value}\nstacks: {*x : {deployments: {chat: {name: "\${foo}"}}}}\n`,
    // A slip of the pen in the name of a place of secrets.
    `${chat}    secretReference: { DB_URL: ${value} }\n`,
    `${chat}    sourceConfig: { secretReferences: { DB_URL: ${value} } }\n`,
    `${inContainer(`env: [{ name: DATABASE, vlaue: ${value} }]`)}\n`,
    `${inContainer(`comand: [sh, -c, ${value}]`)}\n`,
    `${inContainer(`argss: [${value}]`)}\n`,
    `${chat}    triggers: { password: [${value}], a: "\${foo}" }\n`,
    `${chat}    triggers: { password: { is: ${value} }, a: "\${foo}" }\n`,
    `${chat}    secretReferences:\n      DB_URL: ${value}\n`,
    `${chat}    secretReferences: ${value}\n`,
    `${secrets}    labels: ${value}\n`,
    `${secrets}    sourceConfig: ${value}\n`,
    `${chat}  secrets: { source: x, sourceConfig: ${value} }\n`,
    // Addresses carry users, passwords and tokens.
    `${chat}    sourceConfig: { repoUrl: "https://me:${value}@example.com/a", buildOnPush: 1 }\n`,
    `${chat}    sourceConfig: { repoUrl: https://${value}@example.com/a, buildOnPush: 1 }\n`,
    `${chat}    sourceConfig: { repoUrl: "me:${value}@example.com/a", buildOnPush: 1 }\n`,
    `${chat}    sourceConfig: { repoUrl: "https://me:p/${value}@example.com/a", buildOnPush: 1 }\n`,
    `${chat}    sourceConfig: { customUrl: "https://example.com/?token=${value}", buildOnPush: 1 }\n`,
    `${chat}    sourceConfig: { installCommand: "pip install git+https://me:${value}@example.com", buildOnPush: 1 }\n`,
    `${chat}    sourceConfig: { buildCommand: "NPM_TOKEN=${value} make", buildOnPush: 1 }\n`,
    // Containers beside the application have secrets of their own.
    `${inContainer(`env: [{ name: DATABASE, value: ${value} }]`)}\n`,
    `${inContainer(`env: [{ value: ${value}, name: DATABASE }]`)}\n`,
    `${inContainer(`env: [{ name: DATABASE, value: a, value: ${value} }]`)}\n`,
    `${inContainer(`args: ["--password=${value}"]`)}\n`,
    `${inContainer(`args: [--password, ${value}]`)}\n`,
    `${inContainer(`command: [sh, -c, "run --token ${value}"]`)}\n`,
    // A value that begins like an alias.
    `${secrets}      A: *${value}\n`,
    `${chat}    name: *${value}\n`,
    `${chat}    sourceConfig: { installCommand: *${value}, buildOnPush: 1 }\n`,
    `${chat}    triggers: [*${value}]\n`,
    `${chat}    *${value} : 1\n`,
  ])("is not shown: %s", (text) => {
    const said = foundIn(Buffer.from(text), { stack: "dev", env: {}, config: () => undefined });
    expect(said).toMatch(/^secrets\.yaml:\d+:\d+: /m);
    expect(said).not.toMatch(/canary|sk.live/);
  });

  it.each([
    [`${chat}    sourceConfig: { resourceSpec: { labels: { monkey: 3 } } }\n`, "{ monkey: 3 }"],
    [`${chat}    sourceConfig: { buildCommand: "make token cache", buildOnPush: 1 }\n`, '"make token cache"'],
    [
      `version: 1\ndeployments:\n  chat: { source: codehost, options: { dependsOn: [search }\n`,
      "dependsOn: [search }",
    ],
    ["version: 1\ndeployments:\n  chat:\n    source: codehost\n   name: my-chat\n", "   name: my-chat"],
    [
      "version: 1\ndeployments:\n  chat:\n    source: codehost\n    name: a: my-chat\n",
      "    name: a: my-chat",
    ],
    [`version: 1\ndeployments:\n  chat:\n    name: "my chat\n`, 'name: "my chat'],
  ])("is not seen where there is none: %s", (text, shown) => {
    expect(foundIn(Buffer.from(text), {})).toContain(shown);
  });

  it.each([
    `${chat}    sourceConfig: { resourceSpec: { labels: { myApiKey: ${value}, a: 1 } } }\n`,
    `${chat}    sourceConfig: { resourceSpec: { labels: { apikey: ${value}, a: 1 } } }\n`,
    `${chat}    sourceConfig: { resourceSpec: { labels: { key: ${value}, a: 1 } } }\n`,
    `${chat}    sourceConfig: { buildCommand: "npm set _authToken ${value}", buildOnPush: 1 }\n`,
    `${chat}    sourceConfig: { buildCommand: "make --api-key ${value}", buildOnPush: 1 }\n`,
    `${chat}    sourceConfig: { buildCommand: "make token: ${value}", buildOnPush: 1 }\n`,
    `${chat}    sourceConfig: [\n    envs: { DB_URL: ${value} }\n`,
    `${chat}    name: "a\n    DB_URL: ${value}\n`,
    `${chat}    name: [ # ${value}\n`,
    `${chat}    password: [${value}\n`,
  ])("is hidden by its name alone: %s", (text) => {
    const said = foundIn(Buffer.from(text), {});
    expect(said).toMatch(/^secrets\.yaml:\d+:\d+: /m);
    expect(said).not.toMatch(/canary|sk.live/);
  });

  it("lets an alias of an ordinary text be a key", () => {
    const text = `version: 1\ndeployments:\n  chat: { source: &s codehost, name: &n search }\n  *n : { source: *s }\n`;
    expect(foundIn(Buffer.from(text), {})).toContain('"search" has the name that "chat" has');
  });

  const notNames = [
    "DB=sk-live-canary-0123",
    "",
    "sk live canary",
    "sk-live-canary\\u0000",
    "a\\tsk-live-canary",
  ];
  const sentence =
    'the name of a variable is not empty and holds no "=", no white space and no null character';

  it.each(notNames)("is no name of a variable, and is not shown: %j", (name) => {
    const container = chat.replace("internal_template", "external_container");
    for (const text of [
      `${secrets}      "${name}": y\n`,
      `${secrets}      A: a\n      "${name}": y\n`,
      `${container}    secretReferences: { "${name}": { secretName: a, secretKey: b } }\n`,
    ]) {
      const said = foundIn(Buffer.from(text), {});
      expect(said).toContain(sentence);
      expect(said.replace(/secretReferences.*/g, "")).not.toMatch(/canary|sk.live/);
    }
    const secret = { [JSON.parse(`"${name}"`) as string]: "y" };
    const { failures } = checkArguments(
      undefined,
      { name: "a", source: "codehost", secrets: secret },
      standard,
    );
    expect(failures).toEqual([{ property: "secrets", reason: sentence }]);
  });

  it("leaves the names of variables and of configuration to read", () => {
    const text = `${secrets}      A: \${env.API_KEY}\n      B: \${config.chatKey}\n`;
    const said = foundIn(Buffer.from(text), { stack: "dev", env: {}, config: () => undefined });
    expect(said).toContain("environment variable API_KEY is not set");
    expect(said).toContain("configuration chatKey is not set");
  });
});
