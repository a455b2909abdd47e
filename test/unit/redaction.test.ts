import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { presentable } from "../../provider/presentable";
import { redact } from "../../provider/redaction";
import { canary, expectNoTrace, formsOf } from "../canary";

/** Nothing of what stands in its place, so that a finding is the secret's own. */
const isDistinct = (text: string) => !/[[\]secrt…]/.test(text) && text.trim().length >= 3;
const secrets = fc
  .string({ minLength: 8, unit: "binary" })
  .filter((secret) => isDistinct(secret) && formsOf(secret).every((form) => form.trim().length >= 3));

describe("redact", () => {
  it("leaves no spelling of a secret, wherever it stands", () => {
    const around = fc.string();
    fc.assert(
      fc.property(secrets, fc.nat(), around, around, (secret, pick, before, after) => {
        const forms = formsOf(secret).filter(isDistinct);
        const form = forms[pick % forms.length]!;
        const text = redact(`${before} ${form} ${after} ${form}`, [secret]);
        for (const other of forms) expect(text).not.toContain(other);
        expect(text).toContain("[secret]");
      }),
      { numRuns: 500 },
    );
  });

  it("leaves no half of it", () => {
    const secret = canary("alone");
    for (const half of [secret.slice(0, 14), secret.slice(-14), secret.slice(0, secret.length >> 1)]) {
      for (const form of formsOf(half)) {
        expectNoTrace(redact(`got ${form}, expected an int`, [secret]), { secret });
      }
    }
  });

  it("leaves no line of a secret of several lines", () => {
    const key = "-----BEGIN KEY-----\nAbCdEfGhIjKlMnOp\nqRsTuVwXyZ012345\n-----END KEY-----\n";
    expect(redact("line 2: qRsTuVwXyZ012345 is no base64", [key])).toBe("line 2: [secret] is no base64");
    expect(redact(presentable(`bad key: ${key}`), [key])).toBe("bad key: [secret]");
  });

  it("leaves none of several secrets, also where they share characters", () => {
    const text = redact("key abcdef, key abc, key def", ["abc", "abcdef", "def"]);
    expect(text).toBe("key [secret], key [secret], key [secret]");
    expect(redact("abcdef", ["abcd", "cdef"])).toBe("[secret]");
    expect(redact("secret sec", ["secret", "sec"])).toBe("[secret] [secret]");
  });

  it("leaves no part of a secret where a text was cut off, from three characters on", () => {
    const secret = "correct-horse-battery";
    for (const cut of ["…", "..."]) {
      for (let length = 3; length < secret.length; length++) {
        expect(redact(`password ${secret.slice(0, length)}${cut}`, [secret])).toBe(`password [secret]${cut}`);
        expect(redact(`password ${cut}${secret.slice(-length)}'`, [secret])).toBe(`password ${cut}[secret]'`);
      }
    }
  });

  it("leaves no rest where another secret was taken out of it before", () => {
    const [mine, other] = ["abc-second-half-def", "xyz-second-half"];
    const first = redact(`value ${mine}`, [other]);
    expect(first).toBe("value abc[secret]-def");
    expect(redact(first, [mine])).toBe("value [secret]");
  });

  it("leaves alone what is too short to be a secret, and texts without one", () => {
    expect(redact("a text of ab and c", ["ab", "c", ""])).toBe("a text of ab and c");
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(redact(text, ["\u{1F511} not in any text"])).toBe(text);
      }),
    );
  });

  it("takes a secret that is half a character, or ends within an escape", () => {
    expect(redact("value \ud800abc", ["\ud800abc"])).toBe("value [secret]");
    expect(redact('"abc\\" or abc%41', ["abc\\", "abc%4"])).toBe('"[secret]" or [secret]1');
  });

  it("takes a time that grows with the text and the secret, not with their product's square", () => {
    const [long, secret] = ["a".repeat(4_000), "a".repeat(20_000)];
    const began = performance.now();
    expect(redact(long, [secret, `${secret}b`])).toBe("[secret]");
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});
