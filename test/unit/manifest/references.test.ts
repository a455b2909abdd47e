/** What a text with references stands for: a default goes to its own closing brace, whatever it contains. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { textWithBindings } from "../../../provider/manifest/bindings";
import { parseText } from "../../../provider/manifest/reference";

const env = { SET: "1.2", EMPTY: "" };

function read(text: string): { value: string | undefined; problems: readonly string[] } {
  const { parts, problems } = parseText(text);
  return {
    value: textWithBindings(parts, {
      env,
      stack: "prod",
      config: (key) => ({ text: `<${key}>`, isSecret: false }),
    }),
    problems,
  };
}

/** How something is written, and what it stands for. */
interface Written {
  readonly text: string;
  readonly value: string;
}

const { written } = fc.letrec<{ written: Written; piece: Written }>((tie) => ({
  written: fc.array(tie("piece"), { maxLength: 4 }).map((pieces) => ({
    text: pieces.map(({ text }) => text).join(""),
    value: pieces.map(({ value }) => value).join(""),
  })),
  piece: fc.oneof(
    { maxDepth: 5 },
    fc.stringMatching(/^[^${}]{0,5}$/).map((text) => ({ text, value: text })),
    fc.constantFrom(
      { text: "${stack}", value: "prod" },
      { text: "${config.ns:key}", value: "<ns:key>" },
      { text: "${env.SET}", value: "1.2" },
    ),
    tie("written").map(({ text, value }) => ({ text: `{${text}}`, value: `{${value}}` })),
    tie("written").map(({ text, value }) => ({ text: `$\${${text}}`, value: `\${${value}}` })),
    tie("written").map(({ text }) => ({ text: `\${env.SET:-${text}}`, value: "1.2" })),
    fc
      .tuple(fc.constantFrom("EMPTY", "NONE"), tie("written"))
      .map(([name, { text, value }]) => ({ text: `\${env.${name}:-${text}}`, value })),
  ),
}));

/** JSON without a brace or a dollar sign inside its strings. */
const json = fc
  .json()
  .map((text) => text.replace(/"(?:\\.|[^"\\])*"/g, (part) => part.replace(/[${}]/g, "_")));

describe("a text with references", () => {
  it("is what its parts are, at any depth", () => {
    fc.assert(
      fc.property(written, ({ text, value }) => {
        expect(read(text)).toEqual({ value, problems: [] });
      }),
    );
  });

  it("takes any JSON as a default as it is", () => {
    fc.assert(
      fc.property(json, (text) => {
        expect(read(`\${env.NONE:-${text}}`)).toEqual({ value: text, problems: [] });
        expect(read(`<\${env.SET:-${text}}>`)).toEqual({ value: "<1.2>", problems: [] });
      }),
    );
  });

  it("that ends inside a default has a problem", () => {
    fc.assert(
      fc.property(written, fc.nat(), ({ text }, cut) => {
        const whole = `\${env.NONE:-${text}}`;
        const [problem] = read(whole.slice(0, "${env.NONE:-".length + (cut % (text.length + 1)))).problems;
        expect(problem).toMatch(/does not end|is not closed|unknown reference/);
      }),
    );
  });

  it.each([
    ["${config.key:-x}", "only ${env.NAME:-default} accepts a default"],
    ["${env.A:-${en.B}}", 'unknown reference "${en.B}"; did you mean "env"?'],
    ["${env.A:-${env.B}", "does not end"],
    ['${env.A:-{"a":1}', "does not end"],
    ["${env.A:-${env.B", '"${" is not closed'],
    ["${env.A:-".repeat(1_000), "nested more than 20 levels deep"],
  ])("%s is a problem", (text, problem) => {
    expect(parseText(text).problems.join("\n")).toContain(problem);
  });
});
