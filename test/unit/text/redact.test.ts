import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redactorFor } from "../../../provider/engine/redact-secrets";
import { redactor } from "../../../provider/text/redact";
import { codePoint } from "../../support/arbitraries";
import { canary, expectNoTrace, formsOf } from "../../support/canary";
import { runs } from "../../support/runs";

/** Of letters and digits side by side, as a generated key has them, between anything else. */
const secrets = fc
  .tuple(
    fc.string({ maxLength: 12, unit: codePoint }),
    fc.stringMatching(/^[a-z]{3}[0-9]{2}[A-Z]{3}$/),
    fc.string({ maxLength: 12, unit: codePoint }),
  )
  .map((parts) => parts.join(""));

const words = fc.stringMatching(/^([a-z]{1,12}|[A-Z][a-z]{2,11}|[A-Z]{1,8}|[0-9]{1,9})$/);
const signs = fc.constantFrom("-", "_", ".", "/", ":", " ", ", ", "://");
const configuration = fc.oneof(
  fc.constantFrom(
    ..."info true prod production 8000 chat READY internal_source 2030-01-01 eu-west-1 us-east-1a gpt-4o".split(
      " ",
    ),
    ..."gpt-4o-mini-2024-07-18 claude-3-5-sonnet-20241022 llama-3.1-70b-instruct v1.4.2-rc1 PostgreSQL".split(
      " ",
    ),
    ..."https://api.example.com/v1 http://localhost:3000,http://localhost:4000 America/New_York".split(" "),
    ...["registry.example.com/chat", "application/json", "GitHub Actions", ""],
  ),
  fc.string({ maxLength: 7, unit: "binary-ascii" }),
  fc.tuple(words, fc.array(fc.tuple(signs, words), { maxLength: 5 })).map(([first, more]) => {
    return first + more.flat().join("");
  }),
);

describe("a secret", () => {
  it("is shown nowhere: as it is, escaped for JSON, encoded for an address, in base64", () => {
    const before = fc.constantFrom(
      ...[
        "",
        " ",
        "\n",
        "=",
        ": ",
        "'",
        '"',
        "(",
        "/",
        "-",
        "_",
        "\\n",
        '\\"',
        "%3D",
        "\\u003d",
        "\u001b[31m",
      ],
    );
    const after = fc.constantFrom(
      ...["", " ", "\n", "'", '"', ")", "&x=1", ".", "-", "_", "\\n", "%20", "\u001b[0m"],
    );
    const around = fc.tuple(fc.constantFrom("", "x ", "bad value"), before, after, fc.constantFrom("", " y"));
    fc.assert(
      fc.property(secrets, fc.nat(), around, (secret, pick, [start, open, close, end]) => {
        // A word that continues with an escape's letters is another word.
        fc.pre(start === "" || open !== "");
        const forms = formsOf(secret);
        const form = forms[pick % forms.length]!;
        const text = redactor(["info", secret])(start + open + form + close + end);
        for (const other of forms) expect(text).not.toContain(other);
        expect(text).toBe(`${start}${open}[secret]${close}${end}`);
      }),
      runs(500),
    );
  });

  it("is not shown as Go or PHP escape it for JSON", () => {
    const redact = redactor(["https://x9Kq.example.com/?a=<1>&b=2"]);
    expect(redact("bad: https://x9Kq.example.com/?a=\\u003c1\\u003e\\u0026b=2.")).toBe("bad: [secret].");
    expect(redact("bad: https:\\/\\/x9Kq.example.com\\/?a=<1>&b=2.")).toBe("bad: [secret].");
    expect(redactor(["pa/ss-wörd42Xy"])("bad: pa\\/ss-w\\u00f6rd42Xy.")).toBe("bad: [secret].");
  });

  it("is only replaced as a whole word, never inside a longer one", () => {
    const redact = redactor(["Kq9xmR7p"]);
    for (const text of ["aKq9xmR7p", "Kq9xmR7p1", "éKq9xmR7pé"]) expect(redact(text)).toBe(text);
    expect(redact("Kq9xmR7p_Kq9xmR7p.x")).toBe("[secret]_[secret].x");
    expect(redactor(["!Kq9xmR7!"])("a!Kq9xmR7!b")).toBe("a[secret]b");
  });

  it("of several lines is shown with none of them, apart from those that are plain words", () => {
    const [first, second] = ["MIIEvQIBADANBgkqhkiG9w0BAQEFAASC", "Kq9xmR7pW2+/vT="];
    const key = `-----BEGIN PRIVATE KEY-----\r\n${first}\r\n${second}\r\n-----END PRIVATE KEY-----\r\n`;
    const redact = redactor([key]);
    expect(redact(`bad key: ${key}`)).toBe("bad key: [secret]");
    expect(redact(`line 2: ${second} is no base64`)).toBe("line 2: [secret] is no base64");
    expect(redact(key.replaceAll("\r\n", "\n  "))).toBe(
      "-----BEGIN PRIVATE KEY-----\n  [secret]\n  -----END PRIVATE KEY-----\n  ",
    );
  });

  it("of the connection is one even if it is made of plain words, unless it is short", () => {
    const redact = redactor([], ["correct-horse", "key"]);
    expect(redact("the key correct-horse is wrong")).toBe("the key [secret] is wrong");
  });

  it("of words is one if its name is that of a credential, in every form", () => {
    const phrase = "sk-very-long-secret-value-123456";
    const given = {
      MODEL_API_KEY: `${phrase}\n`,
      dbPassword: "correct horse",
      REGION: "eu-central",
      PIN_TOKEN: "short",
    };
    const redact = redactorFor({ values: { secrets: given }, options: {} } as never);
    for (const form of [...formsOf(phrase), ...formsOf(`${phrase}\n`), ...formsOf("correct horse")])
      expect(redact(`<${form}>`).trim()).toMatch(/^<\[secret\](\n|\\n|%0A)?>$/);
    expect(redact("eu-central short")).toBe("eu-central short");
  });

  it("is found in time, however many there are, however long they are and however they repeat themselves", () => {
    const text = `bad ${canary("long").repeat(20_000)}`;
    expect(redactor([canary("long").repeat(20_000)])(text)).toBe("bad [secret]");
    const many = Array.from({ length: 20_000 }, (_, index) => `postgres://user:Kq9xmR7p@host/${index}`);
    expect(redactor(many)(many.join(" "))).toBe("[secret]");
    const [same, other] = ["=1".repeat(2 ** 18), `${"a".repeat(2 ** 19)}b`];
    const redact = redactor([same, `${same}=`, other]);
    expect(redact(same)).toBe("[secret]");
    expect(redact("a".repeat(2 ** 20))).toBe("a".repeat(2 ** 20));
  });

  it("is found with and without the spaces around it", () => {
    const redact = redactor(["  Kq9xmR7pW\n"]);
    for (const value of ["  Kq9xmR7pW\n", "Kq9xmR7pW"]) {
      for (const form of formsOf(value)) expectNoTrace(redact(`<${form}>`), { value });
    }
  });
});

describe("configuration among the secrets", () => {
  it("is never taken out: a text of ordinary words, numbers and configuration comes through unchanged", () => {
    const texts = fc.array(fc.oneof(words, configuration), { maxLength: 20 }).map((all) => all.join(" "));
    fc.assert(
      fc.property(fc.array(configuration, { maxLength: 20 }), texts, (values, text) => {
        const redact = redactor(values);
        expect(redact(text)).toBe(text);
        expect(redact(values.join(" "))).toBe(values.join(" "));
      }),
      runs(300),
    );
  });

  it.each([
    ...[
      "hunter22",
      "Winter-2024!",
      "sk-4f1c9e2a",
      "AKIAIOSFODNN7EXAMPLE",
      "6f0e6c1a-00de-4a00-8000-c0de00000000",
    ],
    ...["postgres://app:hunter@db:5432/app", "qwertyuiopasdfghjklzxcvbnm", "123456789012345678901"],
  ])("is not a key, a password with a sign in it, or an address with a password: %s", (secret) => {
    expect(redactor([secret])(`got ${secret}`)).toBe("got [secret]");
  });
});
