import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  escapeUnprintable,
  jsonOf,
  markUnprintable,
  sanitize,
  sanitizeIndented,
} from "../../../provider/text/sanitize";
import { codePoint } from "../../support/arbitraries";

const obeyed = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const texts = fc.string({ unit: codePoint, maxLength: 700 });

describe("what a CI runner obeys", () => {
  const obeyed = /^\s*::.*::|##(vso|teamcity)?\[/im;

  it.each([
    ["::stop-commands::token", ": :stop-commands::token"],
    ["\u001b[31m::error file=a.py,line=1::failed", ": :error file=a.py,line=1::failed"],
    ["\u200b\u00a0::debug::a", ": :debug::a"],
    ["#1 2.3 ##vso[task.setvariable variable=A]b", "#1 2.3 # #vso[task.setvariable variable=A]b"],
    ["##VSO[task.complete result=Succeeded;]", "# #VSO[task.complete result=Succeeded;]"],
    ["##[error]a ##[add-mask]b", "# #[error]a # #[add-mask]b"],
    ["a##teamcity[buildStatus status='SUCCESS']", "a# #teamcity[buildStatus status='SUCCESS']"],
  ])("is shown so that it cannot act: %s", (text, shown) => {
    expect(sanitize(text)).toBe(shown);
    expect(sanitize(shown)).toBe(shown);
    expect(sanitizeIndented(`\t${text}`, 300)).toMatch(/^ {4}[^ ]/);
    const others = [escapeUnprintable(text), jsonOf([text]), markUnprintable(text)];
    for (const each of [sanitizeIndented(`\t${text}`, 300), ...others]) expect(each).not.toMatch(obeyed);
  });

  it.each([
    "listening on ::1:8000",
    "std::vec::Vec",
    "a ::: b",
    "## Heading [1]",
    "#[derive(Debug)]",
    "::::::::::",
  ])("does not change other texts: %s", (text) => {
    expect(sanitize(text)).toBe(text);
  });
});

describe("what a terminal shows", () => {
  it("is one line of characters that are seen, and not endless", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const shown = sanitize(text);
        expect(shown).not.toMatch(obeyed);
        expect(shown.length).toBeLessThanOrEqual(501);
      }),
    );
  });

  it.each([
    ["an escape sequence", "a\u001b[2Jb", "ab"],
    ["a control sequence of one character", "a\u009b2Jb", "a2Jb"],
    ["a bell", "a\u0007b", "ab"],
    ["line breaks of all kinds", "a\r\n\u2028\u2029\u0085\tb", "a b"],
    ["text that is turned round", "a\u202eb\u2066c\u2069\u200fd\u061ce", "abcde"],
    ["characters without a width", "a\u200bb\u200dc\u2060d\ufeffe\u00adf", "abcdef"],
    ["invisible tags", "a\u{e0041}\u{e007f}b", "ab"],
  ])("takes out %s", (_, text, shown) => {
    expect(sanitize(text)).toBe(shown);
  });

  it("marks the place where it is cut", () => {
    expect(sanitize("abcdef", 3)).toBe("abc…");
    expect(sanitize("abc", 3)).toBe("abc");
  });
});

it("markUnprintable keeps every character in its place", () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(markUnprintable(text).length).toBe(text.length);
      expect(markUnprintable(text).replaceAll("\t", "")).not.toMatch(obeyed);
    }),
  );
});

it("escapeUnprintable does not change the meaning of JSON", () => {
  fc.assert(
    fc.property(fc.jsonValue(), texts, (value, text) => {
      const whole = [value, text];
      const json = escapeUnprintable(JSON.stringify(whole, null, 2));
      expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(whole)));
      expect(json.replaceAll("\n", "")).not.toMatch(obeyed);
    }),
  );
});
