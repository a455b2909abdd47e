/** Manifests that hold secrets in plain text, spelt in every way, and what may happen to such a file in an editor. */
import fc, { type Arbitrary } from "fast-check";
import { stringify } from "yaml";
import { canary, formsOf } from "../../support/canary";

const plain = (name: string) => `sk-canary-${name}-0123456789abcdef`;

/** By name: of many characters, such as stand in a file without quotes, and one that could be a key. */
const values: Readonly<Record<string, string>> = {
  API_KEY: canary("api"),
  DB_URL: plain("url"),
  PASSWORD: plain("password"),
  TOKEN: "tkCanary_0123456789abcdef",
};
const others = { unknown: plain("unknown"), listed: plain("listed"), variable: plain("variable") };
const inAddress = plain("address");
export const address = `https://me:${inAddress}@code.example.com/acme/chat`;

const half = 12;
const needles = [...Object.values(values), ...Object.values(others), inAddress].flatMap((value) =>
  formsOf(value).flatMap((form) => [form.slice(0, half), form.slice(-half)]),
);
/** What begins and ends all of them alike is told apart from what a file says anyway. */
const parts = [...Object.values(values), ...Object.values(others), inAddress].flatMap(
  (value) => value.match(/canary-\w+/g) ?? [],
);

/** What a text gives away of a secret. */
export function secretsIn(text: string): string[] {
  return [...needles, ...parts].filter((needle) => text.includes(needle));
}

type Spelling = (name: string, value: string, indent: string) => string;

const inLine: Spelling = (name, value, indent) =>
  stringify({ [name]: value }, { lineWidth: 0, blockQuote: false })
    .trimEnd()
    .replace(/^/gm, indent);
const quoted: Spelling = (name, value, indent) => `${indent}${name}: ${JSON.stringify(value)}`;
const block: Spelling = (name, value, indent) =>
  [`${indent}${name}: |-`, ...value.split("\n").map((line) => `${indent}  ${line}`)].join("\n");
const inNextLine: Spelling = (name, value, indent) =>
  `${indent}${name}:\n${indent}  ${value.includes("\n") ? JSON.stringify(value) : value}`;
const tagged: Spelling = (name, value, indent) => `${indent}${name}: !!str ${JSON.stringify(value)}`;
const anchored: Spelling = (name, value, indent) =>
  `${indent}${name}: &${name.toLowerCase()} ${JSON.stringify(value)}`;
const afterReference: Spelling = (name, value, indent) =>
  `${indent}${name}: ${JSON.stringify(`\${config.absent} ${value}`)}`;

const secretLines = (indent: string): Arbitrary<string> =>
  fc
    .tuple(
      ...Object.entries(values).map(([name, value]) =>
        fc
          .constantFrom(inLine, quoted, block, inNextLine, tagged, anchored, afterReference)
          .map((spell) => spell(name, value, indent)),
      ),
    )
    .map((lines) => lines.join("\n"));

const inFlow = `{ ${Object.entries(values)
  .map(([name, value]) => `${name}: ${name === "TOKEN" ? value : JSON.stringify(value)}`)
  .join(", ")} }`;

const variables = fc.constantFrom(
  `[{ name: DB, value: ${others.variable} }, { name: LOG, value: ${others.variable} }]`,
  `\n            - name: DB\n              value: ${others.variable}\n            - { value: "${others.variable}" }`,
);

const unknown = fc.constantFrom(
  "",
  `    notes: ${others.unknown}\n`,
  `    notes: { first: ${others.unknown}, others: [${others.listed}] }\n`,
  `    notes:\n      - ${others.listed}\n      - first: ${others.unknown}\n`,
);

/** A manifest: some secrets below each other, some in a line, some in the defaults, some behind an anchor. */
export const secretFiles: Arbitrary<string> = fc
  .record({
    below: secretLines("      "),
    shared: secretLines("    "),
    isShared: fc.boolean(),
    variables,
    unknown,
  })
  .map(
    (file) => `version: 1
defaults:
  sourceConfig: { buildOnPush: false }
  secrets:${file.isShared ? " &shared" : ""}
${file.shared}
deployments:
  chat:
    source: external_container
    name: \${config.absent}
    sourceRevisionConfig: { imageUri: registry.example.com/chat:1 }
    secrets:
${file.below}
${file.unknown}    options:
      protect: true
  search: { source: codehots, secrets: ${inFlow}, adopt: 1 }
  shop:
    source: codehost
    sourceConfig:
      repoUrl: ${address}
      resourceSpec:
        sidecars:
        - image: 1
          args: [run]
          env: ${file.variables}
    secrets: ${file.isShared ? "*shared" : inFlow}
  talk: { source: codehost, sourceConfig: { repoUrl: "${address}", buildOnPush: 1 } }
stacks:
  prod:
    deployments:
      chat:
        secrets:
          <<: ${file.isShared ? "*shared" : "{}"}
          REGION: \${env.REGION}
`,
  );

const inserted = fc.constantFrom(
  ..." \t\n:=,{}[]\"'*&!|>%@`?-#$\\\r",
  ...["\n\n", ": ", " #", "- ", "? ", "${", "$${", "---\n", "\u0000", "\u00e9", "\ufeff", "<<: "],
  ...["\n  ", "  ", "    "],
);

interface Edit {
  readonly at: number;
  readonly kind: string;
  readonly text: string;
  readonly length: number;
}

export const edits: Arbitrary<Edit> = fc.record({
  at: fc.nat({ max: 10_000 }),
  kind: fc.constantFrom(..."delete insert repeat replace indent outdent colon tabs line".split(" ")),
  text: inserted,
  length: fc.integer({ min: 1, max: 4 }),
});

export function edited(text: string, { at, kind, text: insert, length }: Edit): string {
  const start = at % (text.length + 1);
  const [before, after] = [text.slice(0, start), text.slice(start)];
  switch (kind) {
    case "delete":
      return before + after.slice(length);
    case "insert":
      return before + insert + after;
    case "repeat":
      return before + after.slice(0, length) + after;
    case "replace":
      return before + insert + after.slice(1);
    case "indent":
      return `${before}${after.replace(/\n/, `\n${" ".repeat(length)}`)}`;
    case "outdent":
      return `${before}${after.replace(new RegExp(`\\n {1,${length * 2}}`), "\n")}`;
    case "colon":
      return `${before}${after.replace(/: ?/, insert === ":" ? " " : insert === "=" ? "=" : "")}`;
    case "line":
      return `${before}${after.replace(/\n.*/, "")}`;
    default:
      return `${before}${after.replace(/\n +/, "\n\t")}`;
  }
}

export const encodings = fc.constantFrom<(text: string) => Buffer>(
  ...[1, 2, 3, 4, 5, 6].map(() => (text: string) => Buffer.from(text)),
  (text) => Buffer.from(text, "latin1"),
  (text) => Buffer.from(text, "utf16le"),
  (text) => Buffer.from(text.replaceAll("\n", "\r\n")),
  (text) => Buffer.from(text.replaceAll("\n", "\r")),
);
