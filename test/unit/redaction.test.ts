import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { presentable, redact } from "../../provider/redaction";

/** Nothing of what stands in its place, so that a finding is the secret's own. */
const secrets = fc
  .string({ minLength: 3, unit: "binary" })
  .filter((secret) => !/[[\]secrt…]/.test(secret + Buffer.from(secret).toString("base64")));

const formsOf = (secret: string) => {
  const base64 = Buffer.from(secret).toString("base64");
  const forms = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)];
  return [...forms, base64, base64.replace(/=+$/, "")];
};

describe("redact", () => {
  it("leaves no form of a secret, wherever it stands", () => {
    const around = fc.string();
    fc.assert(
      fc.property(secrets, fc.nat(4), around, around, (secret, pick, before, after) => {
        const form = formsOf(secret)[pick]!;
        const text = redact(`${before}${form}${after}${form}`, [secret]);
        for (const other of formsOf(secret)) expect(text).not.toContain(other);
        expect(text).toContain("[secret]");
      }),
      { numRuns: 300 },
    );
  });

  it("leaves none of several secrets, also where one contains another", () => {
    const text = redact("key abcdef, key abc, key def", ["abc", "abcdef", "def"]);
    expect(text).toBe("key [secret], key [secret], key [secret]");
  });

  it("leaves no part of a secret where a text was cut off", () => {
    const secret = "correct-horse-battery";
    for (let length = 3; length < secret.length; length++) {
      expect(redact(`password ${secret.slice(0, length)}…`, [secret])).toBe("password [secret]…");
    }
  });

  it("finds a secret of several lines in a text of one line", () => {
    const key = "-----BEGIN KEY-----\nabc\ndef\n-----END KEY-----\n";
    expect(redact(presentable(`bad key: ${key}`), [key])).toBe("bad key: [secret]");
  });

  it("leaves alone what is too short to be a secret, and texts without one", () => {
    expect(redact("a text of ab and c", ["ab", "c", ""])).toBe("a text of ab and c");
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(redact(text, ["\u{1F511} not in any text"])).toBe(text);
      }),
    );
  });

  it("takes a secret that is half a character", () => {
    expect(redact("value \ud800abc", ["\ud800abc"])).toBe("value [secret]");
  });
});

describe("presentable", () => {
  it("is one line without control characters, and not endless", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 700 }), (text) => {
        const shown = presentable(text);
        expect(shown).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
        expect(shown.length).toBeLessThanOrEqual(501);
      }),
    );
  });

  it("takes out what moves the cursor, rings, or turns the text round", () => {
    expect(presentable("a\u001b[2Jb\u0007c\u202ed\r\n\te")).toBe("a[2Jbcd e");
  });

  it("says where it cut", () => {
    expect(presentable("abcdef", 3)).toBe("abc…");
    expect(presentable("abc", 3)).toBe("abc");
  });
});
