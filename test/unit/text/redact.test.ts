import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sanitize } from "../../../provider/text/sanitize";
import { redact, redactor, redactorOfOwnWords } from "../../../provider/text/redact";
import { canary, expectNoTrace, formsOf } from "../../support/canary";

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

  it("leaves none in another case of its letters: whole, in pieces, at a cut, or in our own words", () => {
    const id = "ABCDEF01-2345-6789-ABCD-EF0123456789";
    const cases = [(text: string) => text.toLowerCase(), (text: string) => text.toUpperCase()];
    for (const secret of [id, "sk-LiveKey-9q8w7e-Zz", canary("Case")]) {
      for (const inCase of cases) {
        const shown = inCase(secret);
        for (const clean of [redactor([secret]), redactorOfOwnWords([secret])]) {
          for (const text of [
            shown,
            shown.replaceAll(" ", "\n"),
            shown.slice(1, 15),
            `${shown.slice(0, 8)}…`,
          ]) {
            expectNoTrace(clean(`got ${text}, expected none`).toLowerCase(), {
              secret: secret.toLowerCase(),
            });
          }
        }
        expect(redact(`secrets.${shown}: wrong`, [secret])).toBe("secrets.[secret]: wrong");
      }
    }
    expect(redact("İSTANBUL: KEY-ABC-123-XYZ", ["key-abc-123-xyz"])).toBe("İSTANBUL: [secret]");
  });

  it("leaves none in the escapes of programming languages and shells", () => {
    const secret = "correct-horse-battery";
    const units = [...secret].map((unit) => unit.charCodeAt(0));
    const escaped = [
      units.map((code) => `\\u{${code.toString(16)}}`).join(""),
      units.map((code) => `\\${code.toString(8).padStart(3, "0")}`).join(""),
    ];
    for (const text of escaped) expect(redact(`got ${text}!`, [secret])).toBe("got [secret]!");
  });

  it("leaves none of a short one in the base64 of a longer text, wherever it stands there", () => {
    for (const secret of ["Kq9xmR7p", "Kq9xmR7pW", "Kq9xmR7pWz"]) {
      for (const before of ["", "a", "ab"]) {
        const code = Buffer.from(`${before}${secret}yz`).toString("base64");
        expectNoTrace(redact(`got ${code}`, [secret]), { secret });
      }
    }
  });

  it("leaves no half of it", () => {
    const secret = canary("alone");
    for (const half of [secret.slice(0, 14), secret.slice(-14), secret.slice(0, secret.length >> 1)]) {
      for (const form of formsOf(half)) {
        expectNoTrace(redact(`got ${form}, expected an int`, [secret]), { secret });
      }
    }
  });

  it("leaves no piece of twelve characters, wherever it was cut, in any spelling", () => {
    const secret = `Kq"9x&m/R7<p'T=v~B2+cé4>eF6,wZ8!nY1{gH3}jL5`;
    const cut = fc.tuple(fc.nat({ max: secret.length - 12 }), fc.nat({ max: 40 }), fc.nat());
    fc.assert(
      fc.property(cut, ([start, more, pick]) => {
        const piece = secret.slice(start, start + 12 + more);
        const forms = formsOf(piece);
        const text = redact(`got |${forms[pick % forms.length]}| which is wrong`, [secret]);
        expectNoTrace(text, { piece });
        expect(text).toContain("[secret]");
      }),
      { numRuns: 1_000 },
    );
  });

  it("leaves no middle that a text cut on both sides and says so", () => {
    expect(redact("password …orse-bat… is weak", ["correct-horse-battery"])).toBe(
      "password …[secret]… is weak",
    );
    expect(redact("password ...hor... is weak", ["correct-horse-battery"])).toBe(
      "password ...[secret]... is weak",
    );
    expect(redact("password …cow… is weak", ["correct-horse-battery"])).toBe("password …cow… is weak");
  });

  it("leaves none where the sign of the cut stands apart or in brackets, and blanks are in it", () => {
    const secret = "correct horse battery staple";
    const [apart, bracketed] = [
      ["… ", " …"],
      ["(…)", "(…)"],
    ] as const;
    for (const [before, after] of [["…", "…"], ["... ", " ..."], apart, bracketed] as const) {
      for (let from = 0; from + 3 <= secret.length; from++) {
        for (let to = from + 3; to <= Math.min(secret.length, from + 11); to++) {
          const piece = secret.slice(from, to);
          if (piece.trim().length < 3) continue;
          const text = redact(`password ${before}${piece}${after} is weak`, [secret]);
          expect(text).not.toContain(piece.trim());
        }
      }
    }
    expect(redact("password correct … is weak", [secret])).toBe("password [secret]… is weak");
    expect(redact("password … staple is weak", [secret])).toBe("password …[secret] is weak");
    expect(redact("it is [secret] and so is [secret]", ["brand-sand"])).toBe(
      "it is [secret] and so is [secret]",
    );
  });

  it("leaves no piece of twelve characters that stands by itself, plain words as well", () => {
    const word = fc.stringMatching(/^[a-z]{1,8}$|^[0-9]{1,4}$/);
    const phrase = fc
      .tuple(fc.array(word, { minLength: 5, maxLength: 12 }), fc.constantFrom("-", ".", "_", "/", " "))
      .map(([words, sign]) => words.join(sign))
      .filter((text) => text.length >= 16);
    const around = fc.constantFrom(
      ["'", "'"],
      [" ", ","],
      ["=", "&x=1"],
      [": ", ". Then"],
      ["/", "/v1"],
      ["(", ")"],
    );
    fc.assert(
      fc.property(phrase, around, fc.nat(), fc.nat(), ([...secret], [before, after], start, more) => {
        const from = start % (secret.length - 12);
        const piece = secret.slice(from, from + 12 + more).join("");
        fc.pre(/^[a-z0-9].*[a-z0-9]$/.test(piece));
        // Where the text goes on as the secret does, the piece is a part of a longer name that both have.
        fc.pre(
          !secret.join("").includes(piece + after[0]!) && !secret.join("").includes(before.at(-1)! + piece),
        );
        expect(redact(`got ${before}${piece}${after}`, [secret.join("")])).not.toContain(piece);
      }),
      { numRuns: 300 },
    );
  });

  it("garbles no host, image, name or address that merely shares a common part with a secret", () => {
    const label = fc.stringMatching(/^[a-z]{3,10}$/);
    const domains = fc.constantFrom(
      ...["example.com", "svc.cluster.local", "eu-central-1.rds.amazonaws.com", "internal.example-corp.net"],
    );
    const secretAt = [
      (host: string) => host,
      (host: string) => `postgres://app:hunter2@${host}:5432/app`,
      (host: string) => `https://${host}/hooks/T000`,
    ];
    const textAt = [
      (host: string) => `${host}/app:9`,
      (host: string) => `https://${host}/`,
      (host: string) => `${host}:443`,
      (host: string) => `${host}.`,
    ];
    const place = fc.tuple(fc.nat({ max: 2 }), fc.nat({ max: 3 }));
    fc.assert(
      fc.property(label, label, domains, place, (ours, theirs, domain, [secretForm, textForm]) => {
        fc.pre(ours.at(-1) !== theirs.at(-1));
        const text = `cannot pull ${textAt[textForm]!(`${theirs}.${domain}`)}`;
        expect(redact(text, [secretAt[secretForm]!(`${ours}.${domain}`)])).toBe(text);
      }),
      { numRuns: 300 },
    );
    const names = "chat-production-worker and chat-production-api";
    expect(redact(names, ["xyz-chat-production-db"])).toBe(names);
  });

  it("garbles nothing that also stands in what is no secret, and shows no other piece for it", () => {
    const open = ["registry.example.com/Acme_9/chat:1.4.2-Rc9f"];
    const secret = "https://user:pass@registry.example.com/Acme_9/chat:1.4.2-Rc9f?sig=Zk81xQ0pLm";
    const text = "registry.example.com/Acme_9/chat:1.4.2-Rc9f is not there, sig=Zk81xQ0pLm";
    expect(redactor([secret], { open })(text)).toBe(
      "registry.example.com/Acme_9/chat:1.4.2-Rc9f is not there, [secret]",
    );
    expect(redactor([secret], { open })(`bad ${secret}`)).toBe("bad [secret]");
  });

  it("leaves no line of a secret of several lines", () => {
    const key = "-----BEGIN KEY-----\nAbCdEfGhIjKlMnOp\nqRsTuVwXyZ012345\n-----END KEY-----\n";
    expect(redact("line 2: qRsTuVwXyZ012345 is no base64", [key])).toBe("line 2: [secret] is no base64");
    expect(redact(sanitize(`bad key: ${key}`), [key])).toBe("bad key: [secret]");
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

  it("leaves no piece beside a mask, or beside a word that says that a text was cut", () => {
    const secret = "hunter2-Xy9Qz-77aabbcc";
    const signs = ["****", "••••", " [truncated]", "<snip>", " (truncated, 11 more)", " [REDACTED]"];
    for (const sign of signs) {
      expect(redact(`value hunter2-Xy9${sign}`, [secret])).toBe(`value [secret]${sign}`);
      const text = redact(`value hunter2-${sign}bbcc is wrong`, [secret]);
      expect(text).toBe(`value [secret]${sign}[secret] is wrong`);
    }
    const bold = "**name** is (truncated) to 20 characters, ** is hidden";
    expect(redact(bold, [secret])).toBe(bold);
  });

  it("leaves no secret that is broken into lines, or coloured", () => {
    const secret = "hunter2-Xy9Qz-77aabbcc";
    const [start, end] = [secret.slice(0, 9), secret.slice(9)];
    for (const between of ["\n", "\r\n    ", "\u001b[0m", "\u001b[1;31m", "\t"]) {
      const text = `bad ${start}${between}${end}, give another`;
      expect(redact(text, [secret])).toBe("bad [secret], give another");
      expect(redact(sanitize(text), [secret])).toBe("bad [secret], give another");
    }
    expect(redact("a secret word", ["asecret"])).toBe("a secret word");
  });

  it("leaves no rest where another secret was taken out of it before", () => {
    const [mine, other] = ["abc;seCond!half;def", "xyz;seCond!half"];
    const first = redact(`value ${mine}`, [other]);
    expect(first).toBe("value abc[secret];def");
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

  it("ends, however the text and the secrets repeat themselves", () => {
    // With the square of their product it would take hours, and the test's time would be over.
    const [long, secret] = ["a".repeat(4_000), "a".repeat(20_000)];
    expect(redact(long, [secret, `${secret}b`])).toBe("[secret]");
    const many = Array.from({ length: 200 }, (_, at) => `${canary("many")}${at}`);
    for (const hostile of ["a", "…abc", "...[secret]xyz", "%25252541", many.join(" ")]) {
      redact(hostile.repeat(4_000).slice(0, 4_000), many);
    }
  });
});

describe("our own words", () => {
  const [id, revision] = ["0b0e6c1a-0000-4000-8000-000000000001", "7c1d5a2b-1111-4111-8111-111111111111"];
  const messages = [
    "chat: creates a new revision (sourceRevisionConfig.imageUri)",
    `chat: create failed: POST /v2/deployments answered 409 Conflict (request id ${id}). It may pass: run the command again`,
    `waiting for revision ${revision} to become active (status AWAITING_DATABASE, 8000s of at most 30m)`,
    "chat: its source is internal_source, the program says external_container",
    "could not reach https://api.smith.langchain.com (ECONNREFUSED)",
    "chat: the service took sourceConfig.resourceSpec.cpu as 0.5, not as 0.55",
  ];

  it("are not garbled by values that stand in ordinary texts", () => {
    const words = messages.flatMap((message) => message.split(/[ (),]|: /));
    const ordinary = fc.oneof(
      fc.constantFrom(
        ...["8000", "chat", "true", "info", "READY", "internal_source", "2030-01-01", "us-east-1"],
      ),
      fc.constantFrom(...["https://api.smith.langchain.com/v1", "https://db.example.com:5432", "0.5", "30m"]),
      fc.constantFrom(...words.filter((word) => word.length <= 20 && !word.includes("sourceConfig"))),
      fc.stringMatching(/^([a-z]{1,8}|[0-9]{1,5})([-_. ]([a-z]{1,6}|[0-9]{1,4})){0,1}$/),
      fc.string({ maxLength: 7 }),
    );
    fc.assert(
      fc.property(fc.array(ordinary, { maxLength: 20 }), (values) => {
        const shown = redactorOfOwnWords(values);
        expect(messages.map(shown)).toEqual(messages);
      }),
      { numRuns: 1_000 },
    );
  });

  it("keep the names of the resource, whatever its secrets are", () => {
    const secret = `postgres://chat-v2-prod:${canary("pw")}@db/${id}`;
    const shown = redactorOfOwnWords(["chat-v2-prod", id, secret], { kept: ["chat-v2-prod", id] });
    const text = `chat-v2-prod: PATCH /v2/deployments/${id} failed`;
    expect(shown(text)).toBe(text);
    expect(shown(`${text}: ${secret}`)).toBe(`${text}: [secret]`);
  });

  it("repeat nothing else that is a secret, in any spelling or piece", () => {
    const secret = canary("status");
    const shown = redactorOfOwnWords([secret, "hunter22", "correct horse battery staple"]);
    for (const form of formsOf(secret)) expectNoTrace(shown(`status ${form} of the revision`), { secret });
    expect(shown("status hunter22")).toBe("status [secret]");
    expect(shown("status correct horse battery staple")).toBe("status [secret]");
    expect(redactor(["chat"])("a deployment chat exists")).toBe("a deployment [secret] exists");
  });
});
