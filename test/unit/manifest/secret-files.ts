/** Manifests that hold secrets in clear, spelt in every way, and what may happen to such a file in an editor. */
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

const half = 12;
const needles = Object.values(values).flatMap((value) =>
  formsOf(value).flatMap((form) => [form.slice(0, half), form.slice(-half)]),
);
/** What begins and ends all of them alike is told apart from what a file says anyway. */
const parts = Object.values(values).flatMap((value) => value.match(/canary-\w+/g) ?? []);

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
  `${indent}${name}:\n${indent}  ${JSON.stringify(value)}`;
const assigned: Spelling = (name, value, indent) => `${indent}${name}=${value.replace(/\s/g, "")}`;
const tagged: Spelling = (name, value, indent) => `${indent}${name}: !!str ${JSON.stringify(value)}`;
const signed =
  (sign: string): Spelling =>
  (name, value, indent) =>
    `${indent}${name}: ${sign}${value.replace(/\s/g, "")}`;

const asKey =
  (write: (value: string, indent: string) => string): Spelling =>
  (name, value, indent) =>
    `${indent}${name}:${write(value.replace(/[^\w-]/g, ""), indent)}`;

const sound = fc.constantFrom(inLine, quoted, block, inNextLine, tagged);
const any = fc.constantFrom(
  ...[inLine, quoted, block, inNextLine, assigned, tagged],
  ...["*", "&", "!", "{", "[", "@", "%", "|", ">", "'", '"', "`", "?", "${", "- ", "#"].map(signed),
  ...[
    asKey((key) => ` ${key}: more`),
    asKey((key) => ` ${key}:`),
    asKey((key) => ` first: ${key}: more`),
    asKey((key) => ` {${key}: more`),
    asKey((key) => ` {${key}: more}`),
    asKey((key) => ` "${key}": more`),
    asKey((key, indent) => `\n${indent}  ${key}: more`),
    asKey((key, indent) => `\n${indent}  - ${key}: more`),
  ],
);

const secretLines = (indent: string, spellings: Arbitrary<Spelling>): Arbitrary<string> =>
  fc
    .tuple(
      ...Object.entries(values).map(([name, value]) => spellings.map((spell) => spell(name, value, indent))),
    )
    .map((lines) => lines.join("\n"));

const flow = fc.constantFrom(": ", ":", "=", " ").map((sign) =>
  Object.entries(values)
    .map(
      ([name, value]) => `${name}${sign}${sign === ": " ? JSON.stringify(value) : value.replace(/\s/g, "")}`,
    )
    .join(", "),
);

/** A manifest: some secrets below each other, some in a line, some in the defaults, some behind an anchor. */
export const secretFiles: Arbitrary<string> = fc
  .record({
    below: fc.oneof({ weight: 3, arbitrary: secretLines("      ", sound) }, secretLines("      ", any)),
    shared: fc.oneof({ weight: 6, arbitrary: secretLines("    ", sound) }, secretLines("    ", any)),
    inFlow: flow,
    anchored: fc.boolean(),
  })
  .map(
    ({ below, shared, inFlow, anchored }) => `version: 1
defaults:
  sourceConfig: { buildOnPush: false }
  secrets:${anchored ? " &shared" : ""}
${shared}
deployments:
  chat:
    source: external_container
    name: \${config.absent}
    sourceRevisionConfig: { imageUri: registry.example.com/chat:1 }
    secrets:
${below}
    options:
      protect: true
  search: { source: codehots, secrets: { ${inFlow} }, adopt: 1 }
  shop:
    source: codehost
    secrets:${anchored ? " *shared" : ` { ${inFlow} }`}
stacks:
  prod:
    deployments:
      chat:
        secrets:
          <<: ${anchored ? "*shared" : "{}"}
          REGION: \${env.REGION}
`,
  );

const inserted = fc.constantFrom(
  ..." \t\n:=,{}[]\"'*&!|>%@`?-#$\\\r",
  ...[
    "\n\n",
    ": ",
    " #",
    "- ",
    "? ",
    "${",
    "$${",
    "---\n",
    "\u0000",
    "\u00e9",
    "\ufeff",
    "<<: ",
    "\n  ",
    "  ",
    "    ",
  ],
);

interface Edit {
  readonly at: number;
  readonly kind: "delete" | "insert" | "repeat" | "replace" | "indent" | "outdent" | "colon" | "tabs";
  readonly text: string;
  readonly length: number;
}

export const edits: Arbitrary<Edit[]> = fc.array(
  fc.record({
    at: fc.nat({ max: 10_000 }),
    kind: fc.constantFrom("delete", "insert", "repeat", "replace", "indent", "outdent", "colon", "tabs"),
    text: inserted,
    length: fc.integer({ min: 1, max: 4 }),
  }),
  { maxLength: 4 },
);

export function edited(text: string, list: readonly Edit[]): string {
  return list.reduce((result, edit) => apply(result, edit), text);
}

function apply(text: string, { at, kind, text: insert, length }: Edit): string {
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
    case "tabs":
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
