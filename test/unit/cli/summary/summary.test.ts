import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { longestComment, toMarkdown } from "../../../../cli/summary/markdown";
import { readPreviews } from "../../../../cli/summary/preview";
import { summaryOf } from "../../../../cli/summary/summary";
import { canary, expectNoTrace } from "../../../support/canary";
import { cli } from "../support";
import { runs } from "../../../support/runs";

const token = "pulumi-nodejs:dynamic/deployment-service:Deployment";
const packaged = "deployment-service:index:Deployment";
const urn = (name: string, type = token) => `urn:pulumi:dev::shop::${type}::${name}`;
const signature = "4dabf18193072939515e22adb298388d";

type Inputs = Record<string, unknown>;

function update(name: string, before: Inputs, after: Inputs, more: object = {}) {
  const state = (inputs: Inputs) => ({ type: token, inputs: { name, ...inputs } });
  return { op: "update", urn: urn(name), oldState: state(before), newState: state(after), ...more };
}
const step = (op: string, name: string, type = token) => ({ op, urn: urn(name, type) });
const preview = (steps: object[], more: object = {}) => JSON.stringify({ steps, changeSummary: {}, ...more });
const markdownOf = (text: string) =>
  toMarkdown(readPreviews(Buffer.from(text)).previews.map((each) => summaryOf(each, {})));
const image = (tag: string, generation: number) => ({
  generation,
  sourceRevisionConfig: { imageUri: `registry.example.com/chat:${tag}` },
});

async function summary(stdin: string | Uint8Array, ...words: string[]) {
  return cli(["summary", ...words], { stdin });
}

const noon = "`2026-03-01 12:00 UTC`";

describe("the first line", () => {
  it("counts what matters", async () => {
    const text = preview(
      [
        ...["a", "b"].map((name) => update(name, image("1", 1), image("2", 2))),
        update("c", { generation: 1, skipAwait: false }, { generation: 1, skipAwait: true }),
        ...["create-replacement", "replace", "delete-replaced"].map((op) => step(op, "d")),
        step("create", "e", packaged),
        step("delete", "f"),
        step("same", "program-dev", "pulumi:pulumi:Stack"),
        step("same", "g"),
        step("same", "h", `some:component:Type$${token}`),
      ],
      { changeSummary: { same: 3 } },
    );
    expect((await summary(text)).stdout.split("\n")[0]).toBe(
      "1 deletion, 1 replacement, 2 new revisions, 1 settings change, 1 creation, 2 unchanged",
    );
  });

  it("counts what the engine does not list, except for the stack itself", async () => {
    const stack = step("same", "program-dev", "pulumi:pulumi:Stack");
    const text = preview([stack, step("create", "other", "aws:s3:Bucket")], { changeSummary: { same: 15 } });
    const { stdout } = await summary(text);
    expect(stdout.split("\n")[0]).toBe("14 unchanged");
    expect(stdout).toContain("Other resources: 1 to create.\n");
  });

  it("says if the preview failed, or if there are no deployments", async () => {
    const diagnostics = [
      { urn: urn("a"), severity: "error", message: "error: no\n" },
      { severity: "error", message: "preview failed" },
    ];
    const failed = [{ severity: "error", message: "error: program:\n\tat index.ts" }];
    expect((await summary(preview([], { diagnostics: failed }))).stdout).toContain(
      "❌ error\n\n```text\nprogram:\n  at index.ts\n```\n",
    );
    const { stdout, code } = await summary(preview([], { diagnostics }));
    expect(stdout).toBe(
      `the preview failed with 1 error\n\n${noon}\n\n❌ error in \`a\`\n\n\`\`\`text\nno\n\`\`\`\n`,
    );
    expect(code).toBe(1);
    expect((await summary(preview([]))).stdout).toBe(`no deployments\n\n${noon}\n`);
  });
});

it.each([
  ["", "is empty: standard error of `pulumi preview` says why"],
  [" \n", "is empty"],
  ["Previewing update (dev)", "is not JSON; `pulumi preview --json > preview.json` writes one"],
  [
    'warning: a\n{"sequence":0,"timestamp":1}\n{"sequence":1,"timestamp":1}\n',
    "contains a stream of the engine's events, not a preview: unset PULUMI_ENABLE_STREAMING_JSON_PREVIEW",
  ],
  [preview([update("a", {}, {})]).slice(0, -20), "is cut off"],
  ['{"steps":7}', "is JSON, but not a preview of a stack"],
  ['{"result":"succeeded","summary":{"same":1},"resources":[]}', "`--output json` does not"],
])("a comment about what is no preview says what is wrong with it: %j", async (text, problem) => {
  const { code, stdout, stderr } = await summary(text);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^standard input .*\n$/);
  expect(stdout).toContain(problem);
  expect(stderr).toBe(`deployment-service: ${stdout}`);
  expect(await summary(text, "--json")).toMatchObject({ code: 1, stdout: "" });
});

it("a preview that failed before it wrote JSON is reported with its error", async () => {
  const { code, stdout } = await summary("warning: a\nerror: no stack named 'x' found\n");
  expect(code).toBe(1);
  expect(stdout).toMatch(/^the preview failed with 1 error\n[^]*\nno stack named 'x' found\n[^]*is not JSON/);
});

it.each<[string, (text: string) => Buffer, (text: string) => Buffer]>([
  ["UTF-16 after UTF-8", Buffer.from, (text) => Buffer.from(text, "utf16le")],
  ["UTF-8 after UTF-16", (text) => Buffer.from(text, "utf16le"), Buffer.from],
])("a file that mixes encodings, %s, never passes as one without drift", async (_, first, second) => {
  const text = `${preview([update("a", {}, {})])}\n`;
  const mixed = Buffer.concat([first(text), second(text)]);
  const { code, stdout, stderr } = await summary(mixed, "--expect-no-drift");
  expect(code).toBe(1);
  expect(stdout).toContain("standard input mixes UTF-8 and UTF-16");
  expect(stderr).toContain("append with `Out-File -Encoding utf8 -Append` instead of `>>`");
});

describe("the same preview gives the same summary", () => {
  const steps = [update("a", image("1", 1), image("2", 2)), step("create", "b"), step("delete", "c")];
  const changeSummary = { update: 1, create: 1, delete: 1 };
  const diagnostics = [{ urn: urn("a"), severity: "warning", message: "warning: careful\n" }];
  const usual = JSON.stringify({ steps, changeSummary, diagnostics }, null, 4);
  const wide = (text: string) => new Uint8Array(Buffer.from(text, "utf16le"));

  it.each<[string, string | Uint8Array]>([
    ["in UTF-16, as PowerShell writes it", wide(`\ufeff${usual}`)],
    ["in UTF-16 without a mark", wide(usual)],
    ["with a mark of UTF-8", `\ufeff${usual}`],
    ["with CRLF", usual.replaceAll("\n", "\r\n")],
    ["after a warning", `warning: A new version of Pulumi is available.\n\n${usual}`],
    ["after a log in JSON, and before a warning", `{"level":"info"}\n${usual}\nwarning: done\n`],
    ["on one line", JSON.stringify(JSON.parse(usual))],
    ["after a line that begins with a brace", `{ not JSON\n${usual}`],
  ])("%s", async (_, written) => {
    const expected = await summary(usual);
    expect(expected).toMatchObject({ code: 0, stderr: "" });
    expect(expected.stdout).toMatch(/^1 deletion, 1 new revision/);
    expect(await summary(written)).toEqual(expected);
  });
});

describe("what was changed by hand", () => {
  const stack = (op: string) => step(op, "shop-dev", "pulumi:pulumi:Stack");
  const spec = (cpu: number): Inputs => ({ generation: 1, sourceConfig: { resourceSpec: { cpu } } });
  const looked = (name: string, inputs: Inputs) => ({ ...update(name, inputs, inputs), op: "refresh" });

  it("is all that a refresh alone can find, and what the service decides is none of it", async () => {
    const outputs = { ...update("rolled", spec(1), spec(1)), diffReasons: ["latestRevisionId"] };
    const text = preview([
      stack("refresh"),
      update("changed", spec(1), spec(4)),
      { ...step("delete", "gone"), oldState: { inputs: {} } },
      outputs,
      looked("kept", spec(1)),
    ]);
    const { stdout, code } = await summary(text, "--expect-no-drift");
    expect(stdout.split("\n")[0]).toBe("1 changed by hand, 1 deleted by hand, 2 unchanged");
    expect(stdout).not.toContain("What happens");
    expect(code).toBe(1);
    const sound = preview([stack("refresh"), outputs, looked("kept", spec(1))]);
    expect(await summary(sound, "--expect-no-drift")).toMatchObject({ code: 0 });
  });

  it("is the same if the refresh runs the program, which lists the stack as unchanged", async () => {
    const gone = { ...step("delete", "gone"), oldState: { inputs: {} } };
    const listed = [stack("same"), looked("kept", spec(1)), update("changed", spec(1), spec(4)), gone];
    for (const steps of [listed, [...listed, step("same", "gone")]]) {
      const { stdout, code } = await summary(preview(steps), "--expect-no-drift");
      expect(stdout.split("\n")[0]).toBe("1 changed by hand, 1 deleted by hand, 1 unchanged");
      expect(code).toBe(1);
    }
  });

  it.each<[string, object[], object | undefined]>([
    ["that could not read any", [stack("refresh"), looked("a", spec(1))], undefined],
    ["that could not read one", ["a", "b"].map((name) => looked(name, spec(1))), { same: 1 }],
    [
      "whose program failed",
      [stack("refresh"), looked("a", spec(1)), looked("b", spec(1)), stack("same")],
      { same: 1 },
    ],
  ])("is not known after a preview %s", async (_, steps, changeSummary) => {
    const diagnostics = [{ urn: urn("a"), severity: "error", message: "error: no\n" }];
    const { stdout, code } = await summary(
      preview(steps, { changeSummary, diagnostics }),
      "--expect-no-drift",
    );
    expect(stdout.split("\n")[0]).toBe("the preview failed with 1 error");
    expect(code).toBe(1);
  });

  describe("includes what `preview --refresh` refreshes and does not plan", () => {
    const refreshed = [stack("refresh"), looked("gone", spec(1)), looked("kept", spec(1))];
    const kept = { ...looked("kept", spec(1)), op: "same" };

    it("by name if the preview shows what is unchanged", async () => {
      const text = preview([...refreshed, stack("same"), kept], { changeSummary: { same: 2 } });
      const { stdout, code } = await summary(text, "--expect-no-drift");
      expect(stdout.split("\n")[0]).toBe("1 deleted by hand, 1 unchanged");
      expect(stdout).toContain("| `gone` | 🗑️ **deleted** |");
      expect(code).toBe(1);
    });

    it("as a count otherwise, with the command that names it", async () => {
      const text = preview([...refreshed, stack("same")], { changeSummary: { same: 2 } });
      const { stdout, code } = await summary(text, "--expect-no-drift");
      expect(stdout.split("\n")[0]).toBe("1 unexplained change, 1 unchanged");
      expect(stdout).toContain(
        "(delete: 1). A deployment may have changed: run `pulumi refresh --preview-only",
      );
      expect(code).toBe(1);
    });

    it("unless it is renamed with an alias", async () => {
      const old = { ...update("old", spec(1), spec(1)).oldState, urn: urn("old") };
      const steps = (op: string, there: object, ...more: object[]) => [
        stack("refresh"),
        { ...step("refresh", "old"), oldState: old, newState: old },
        stack("same"),
        { ...step(op, "new"), oldState: { ...old, ...there }, newState: old },
        ...more,
      ];
      const text = preview(steps("same", {}), { changeSummary: { same: 2 } });
      const { stdout, code } = await summary(text, "--expect-no-drift");
      expect({ line: stdout.split("\n")[0], code }).toEqual({ line: "1 unchanged", code: 0 });
      const there = { inputs: { name: "old", ...spec(4) } };
      const both = preview(steps("update", there, step("create", "old")), {
        changeSummary: { same: 1, update: 1, create: 1 },
      });
      expect((await summary(both)).stdout.split("\n")[0]).toBe(
        "1 changed by hand, 1 settings change, 1 creation",
      );
    });
  });

  describe("may include a secret that `preview --refresh` shows to change", () => {
    const [before, after] = ["2026-03-01T12:00:00Z", "2026-03-01T12:01:00Z"];
    const inputs: Inputs = {
      generation: 1,
      secrets: "[secret]",
      sourceConfig: { resourceSpec: { cpu: "[secret]" } },
    };
    const state = (modified: string | undefined) => ({
      type: token,
      inputs: { name: "a", ...inputs },
      modified,
    });
    const refreshed = { ...step("refresh", "a"), oldState: state(before), newState: state(before) };
    const planned = (modified: string | undefined, op: string, ...paths: string[]) => ({
      ...step(op, "a"),
      oldState: state(modified),
      newState: state(modified),
      diffReasons: paths.map((path) => path.split(".")[0]),
      detailedDiff: Object.fromEntries(paths.map((path) => [path, { kind: "add" }])),
    });
    const uncertain = "secret changed, by hand or in the program";

    it.each([
      ["update", "secrets", [planned(after, "update", "secrets")]],
      ["update", "secrets.A_KEY", [planned(after, "update", "secrets.A_KEY")]],
      [
        "update",
        "sourceConfig.resourceSpec.cpu",
        [planned(after, "update", "sourceConfig.resourceSpec.cpu")],
      ],
      [
        "replacement",
        "secrets",
        [planned(after, "delete-replaced"), planned(after, "replace", "source", "secrets")],
      ],
      ["update by an engine that does not say when", "secrets", [planned(undefined, "update", "secrets")]],
    ])("if the refresh changed the state: %s of %s", async (_, path, steps) => {
      const text = preview([refreshed, ...steps]);
      const { stdout, code } = await summary(text, "--expect-no-drift");
      expect(stdout.split("\n")[0]).toMatch(/^1 changed by hand/);
      expect(stdout).toContain(`**Changed by hand**`);
      expect(stdout).toContain(`| \`a\` | \`${path}\`: \`${uncertain}\` |`);
      expect(code).toBe(1);
    });

    it("is the program's if the refresh left the state as it was", async () => {
      const text = preview([refreshed, planned(before, "update", "secrets")]);
      const { stdout, code } = await summary(text, "--expect-no-drift");
      expect(stdout).toContain("`secrets`: secret");
      expect(stdout).not.toContain("by hand");
      expect(code).toBe(0);
    });

    it("is not reported if no secret is among the planned changes", async () => {
      const text = preview([refreshed, planned(after, "update", "skipAwait")]);
      expect(await summary(text, "--expect-no-drift")).toMatchObject({ code: 0 });
    });
  });
});

it("a preview that did not read the service never passes for no drift", async () => {
  const steps = [step("same", "a")];
  for (const text of [preview(steps), preview([], { changeSummary: { same: 1 } })]) {
    const { stdout, code } = await summary(text, "--expect-no-drift");
    expect(stdout).toContain("This preview did not read the service, so it cannot show drift");
    expect(code).toBe(1);
    expect((await summary(text)).stdout).not.toContain("drift");
  }
  expect(await summary(preview([]), "--expect-no-drift")).toMatchObject({ code: 0 });
});

describe("what the engine counts and does not list", () => {
  const stack = step("refresh", "shop-dev", "pulumi:pulumi:Stack");
  const state = { inputs: { name: "a", generation: 1 } };
  const silent = { ...step("refresh", "a"), oldState: state, newState: state };
  const bucket = step("refresh", "b", "aws:s3:Bucket");
  const listed = { ...step("update", "a"), oldState: state, newState: state };

  it.each([
    ["a refreshed deployment without details", [stack, silent], { same: 1, update: 1 }],
    ["a change that shows no difference", [stack, listed], { same: 1, update: 1 }],
    ["a deployment or another resource", [stack, silent, bucket], { same: 2, update: 1 }],
    ["a step that a preview lacks", [silent, step("update", "a")], { update: 2 }],
  ])("is told, and never passes for no drift: %s", async (_, steps, changeSummary) => {
    const { stdout, code } = await summary(preview(steps, { changeSummary }), "--expect-no-drift");
    expect(stdout.split("\n")[0]).toMatch(/1 unexplained change/);
    expect(stdout).toContain("Pulumi found changes that this preview does not show (update: 1).");
    expect(code).toBe(1);
  });

  it("is none of a deployment's if each deployment is explained", async () => {
    const there = {
      inputs: { ...state.inputs, secretReferences: { DB: { secretName: "a", secretKey: "b" } } },
    };
    const changed = { ...listed, newState: there };
    const text = preview([stack, changed, bucket], { changeSummary: { same: 1, update: 2 } });
    const { stdout } = await summary(text);
    expect(stdout.split("\n")[0]).toBe("1 changed by hand");
    expect(
      (await summary(preview([stack, bucket], { changeSummary: { update: 1 } }), "--expect-no-drift")).code,
    ).toBe(0);
  });
});

it("a refresh that finds another archive in the place of a folder shows that", async () => {
  const stack = step("refresh", "shop-dev", "pulumi:pulumi:Stack");
  const inputs = (digest: string): Inputs => ({ sourceDirectory: "./agent", __source: { digest, count: 1 } });
  const text = preview([stack, update("a", inputs("abc"), inputs(""))], { changeSummary: { update: 1 } });
  const { stdout, code } = await summary(text, "--expect-no-drift");
  expect(stdout).toContain("| `a` | `sourceDirectory`: `something else was deployed` |");
  expect(code).toBe(1);
});

it("of several steps of one deployment, the last one counts", async () => {
  const [old, now] = [{ inputs: { name: "a", generation: 1 } }, { inputs: { name: "a", generation: 2 } }];
  const steps = [
    { ...step("refresh", "a"), oldState: old, newState: old },
    { ...step("delete", "a"), oldState: old },
    { ...step("create", "a"), newState: now },
  ];
  expect((await summary(preview(steps))).stdout.split("\n")[0]).toBe("1 creation");
});

it("a preview with a refresh counts what it plans, a new deployment too", async () => {
  const state = { inputs: { name: "a", generation: 1 } };
  const refreshed = { ...step("refresh", "a"), oldState: state, newState: state };
  const text = preview([refreshed, step("create", "b")], { changeSummary: { same: 1, create: 1 } });
  expect((await summary(text)).stdout.split("\n")[0]).toBe("1 creation, 1 unchanged");
});

describe("a file with several previews", () => {
  const stack = (name: string, steps: object[], more: object = {}) =>
    preview(steps, more).replaceAll("urn:pulumi:dev::", `urn:pulumi:${name}::`);
  const quiet = stack("dev", [step("same", "a")], { changeSummary: { same: 1 } });
  const busy = stack("prod", [update("a", image("1", 1), image("2", 2))], { changeSummary: { update: 1 } });
  const refreshed = step("refresh", "shop-dev", "pulumi:pulumi:Stack");
  const drift = stack("prod", [refreshed, update("a", image("1", 1), image("9", 1))], {});

  it.each(["\n", "\n\nwarning: careful\n"])(
    "has a section for each, in their order (between them: %j)",
    async (between) => {
      const { code, stdout } = await summary(quiet + between + busy);
      expect(code).toBe(0);
      expect(stdout.split("\n")[0]).toBe("2 previews: 1 new revision, 1 unchanged");
      const titles = [...stdout.matchAll(/^### `shop\/(\w+), /gm)].map(([, name]) => name);
      expect(titles).toEqual(["dev", "prod"]);
      expect(stdout.indexOf("1 unchanged\n", 60)).toBeLessThan(stdout.indexOf("### `shop/prod"));
      expect(JSON.parse((await summary(quiet + between + busy, "--json")).stdout)).toMatchObject({
        headline: "2 previews: 1 new revision, 1 unchanged",
        previews: [
          { stack: "dev", unchanged: 1 },
          { stack: "prod", deployments: [{ action: "revision" }] },
        ],
      });
    },
  );

  it("says how many of them failed", async () => {
    const failed = stack("prod", [step("create", "b")], {
      diagnostics: [{ urn: urn("b"), severity: "error", message: "error: no\n" }],
    });
    const { stdout } = await summary(`${quiet}\n${failed}`);
    expect(stdout.split("\n")[0]).toBe("2 previews, 1 failed: 1 creation, 1 unchanged");
  });

  it("may also hold them as a list", async () => {
    expect(await summary(`[${quiet},${busy}]`)).toEqual(await summary(`${quiet}\n${busy}`));
  });

  it.each([
    [drift, quiet],
    [quiet, drift],
  ])("ends with the worst of their exit codes", async (...texts) => {
    expect(await summary(texts.join("\n"), "--expect-no-drift")).toMatchObject({ code: 1 });
  });

  it.each([
    ["at its end", `${quiet}\n${busy.slice(0, -10)}`],
    ["within, before another one", `${JSON.stringify(JSON.parse(quiet), null, 4).slice(0, -10)}\n${busy}`],
  ])("says that a preview is cut off %s, besides what it holds", async (_, text) => {
    const { code, stdout, stderr } = await summary(text);
    expect(code).toBe(1);
    expect(stderr).toContain("standard input is cut off");
    expect(stdout).toContain("\n\nstandard input is cut off");
    expect(stdout).toMatch(/1 unchanged|1 new revision/);
    expect(await summary(text, "--json")).toMatchObject({ code: 1, stdout: "" });
  });

  it("fits into one comment, with as much of each section", async () => {
    const long = "x".repeat(110);
    const many = Array.from({ length: 400 }, (_, index) =>
      update(`${long}${index}`, { a: `${long}1` }, { a: `${long}2` }),
    );
    const { stdout } = await summary([stack("a", many), quiet, stack("b", many)].join("\n"));
    expect(Buffer.byteLength(stdout)).toBeLessThanOrEqual(longestComment);
    expect(stdout.match(/Left out to fit into a comment/g)).toHaveLength(2);
    expect(stdout).toContain("1 unchanged\n");
  });
});

describe("a reviewer sees", () => {
  it("of which stack it is, and when it was made", async () => {
    const { stdout } = await summary(preview([update("a", image("1", 1), image("2", 2))]));
    expect(stdout).toContain("`shop/dev, 2026-03-01 12:00 UTC`\n");
  });

  it("that a deployment is down while it is replaced under its name", async () => {
    const replace = (after: string) => ({
      ...update("a", { source: "codehost" }, { name: after, source: "internal_template" }),
      op: "replace",
      replaceReasons: ["source"],
    });
    expect((await summary(preview([replace("a")]))).stdout).toContain(
      "| `a` | ⚠️ **replaced**, is down while it is replaced | `source`",
    );
    expect((await summary(preview([replace("b")]))).stdout).not.toContain("is down");
  });

  it("what the provider says next to a resource, in its own words", async () => {
    const lines = ["creates a new revision (secrets: ~KEY)", "sourceDirectory: ~<b>agent.py</b>"];
    const diagnostics = lines.map((line) => ({
      urn: urn("a"),
      severity: "info",
      message: `a (chat): ${line}\n`,
    }));
    const text = preview([update("a", image("1", 1), image("2", 2))], { diagnostics });
    const { stdout } = await summary(text);
    expect(stdout).toContain("<br>`creates a new revision (secrets: ~KEY)`<br><code>");
    expect(stdout).not.toContain("<b>");
    expect(JSON.parse((await summary(text, "--json")).stdout)).toMatchObject({
      deployments: [{ words: lines }],
    });
  });

  it("an update that changes no argument as the rollout that an earlier run left, or as no change", async () => {
    const steps = [1, 2].map((generation) => update("a", { generation: 1 }, { generation }));
    const [settled] = steps;
    const failed = { ...settled!, oldState: { ...settled!.oldState, initErrors: ["failed"] } };
    const message =
      "a: its last revision failed (BUILD_FAILED): `up` fails again until a change makes a new one";
    const said = { urn: urn("a"), severity: "info", message };
    for (const [step, diagnostics, line] of [
      [failed, [said], "1 unfinished rollout"],
      [settled, [said], "1 other change"],
      [steps[1], [said], "1 unfinished rollout"],
      [settled, [], "1 unchanged"],
      // As where a policy takes the change back.
      [steps[1], [], "1 unchanged"],
    ] as const)
      expect((await summary(preview([step!], { diagnostics }))).stdout.split("\n")[0]).toBe(line);
  });

  it("what changed in a folder, and nothing of one that moved", async () => {
    const folder = (path: string, generation: number, files: Record<string, string>): Inputs => ({
      ...{ generation, sourceDirectory: path },
      __source: { digest: JSON.stringify(files), count: 1, files },
    });
    const moved = update("a", folder("./a", 1, { "a.py": "-1" }), folder("./b", 1, { "a.py": "-1" }));
    expect((await summary(preview([moved]))).stdout.split("\n")[0]).toBe("1 unchanged");
    const changed = update(
      "a",
      folder("./a", 1, { "a.py": "-1" }),
      folder("./b", 2, { "a.py": "-2", b: "-1" }),
    );
    expect((await summary(preview([changed]))).stdout).toContain(
      "| `a` | new revision | `sourceDirectory`: `+b, ~a.py` |",
    );
    // After a failed build, the provider compares with what runs.
    const told =
      "creates a new revision (secrets: ~KEY, sourceDirectory: ~a.py); the last one failed (BUILD_FAILED)";
    const diagnostics = [{ urn: urn("a"), severity: "info", message: `a: ${told}` }];
    expect((await summary(preview([changed], { diagnostics }))).stdout).toContain(
      `| \`a\` | new revision | \`${told}\` |`,
    );
  });

  it("a value that is not known yet as that, and what only such values cause as possible", async () => {
    const source = update("other", image("1", 1), image("2", 2));
    const dependent = (generation: number, more: Inputs, paths: string[], op = "update") => {
      const marked = { generation: 1, secrets: { URL: "[secret]" } };
      const step = update("a", marked, { ...marked, generation, ...more });
      const newState = { ...step.newState, propertyDependencies: { secrets: [urn("other")] } };
      const detailedDiff = Object.fromEntries(paths.map((path) => [path, { kind: "update" }]));
      return { ...step, newState, detailedDiff, op };
    };
    const followed = "`secrets.URL`: may follow `other`, not known yet";
    const { stdout } = await summary(preview([source, dependent(2, {}, ["generation", "secrets.URL"])]));
    expect(stdout.split("\n")[0]).toBe("1 new revision, 1 possible new revision");
    expect(stdout).toContain(`| \`a\` | possible new revision | ${followed} |`);
    const certain = await summary(preview([source, dependent(2, image("2", 2), ["secrets.URL"])]));
    expect(certain.stdout.split("\n")[0]).toBe("2 new revisions");
    expect(certain.stdout).toContain(followed);
    const replaced = await summary(preview([source, dependent(1, {}, ["secrets.URL"], "replace")]));
    expect(replaced.stdout).toMatch(/^1 possible replacement, 1 new revision\n/);
    expect(replaced.stdout).not.toContain("is down");
    // Without a change of what it depends on, the secret itself has changed.
    const alone = await summary(preview([dependent(2, {}, ["secrets.URL"])]));
    expect(alone.stdout).toContain("| new revision | `secrets.URL`: secret changed |");
  });

  it("a copy that an earlier run left as a deletion of that alone", async () => {
    const old = { ...step("delete-replaced", "a"), oldState: { inputs: { name: "a" } } };
    const { stdout } = await summary(preview([old, update("a", image("1", 1), image("2", 2))]));
    expect(stdout.split("\n")[0]).toBe("1 deletion, 1 new revision");
    expect(stdout).toContain("only the copy that an earlier run has replaced and not deleted |");
    expect((await summary(preview([old, step("same", "a")]))).stdout.split("\n")[0]).toBe("1 deletion");
  });

  it("two long values around their first difference", async () => {
    const inputs = (end: string) => ({ generation: 1, triggers: [`${"x".repeat(400)}${end}`] });
    const detailedDiff = { "triggers[0]": { kind: "update" } };
    const { stdout } = await summary(preview([update("a", inputs("1"), inputs("2"), { detailedDiff })]));
    expect(stdout).toMatch(/`…x+1"\]` → `…x+2"\]`/);
  });

  it("a list of which the engine names an item, and beside a secret in it, what else changes there", async () => {
    const inputs = (version: string, key: string) => ({
      generation: 1,
      triggers: [version],
      sourceConfig: {
        resourceSpec: { sidecars: [{ image: `log:${version}`, env: [{ name: "API_KEY", value: key }] }] },
      },
    });
    const sidecar = "sourceConfig.resourceSpec.sidecars[0]";
    const paths = ["triggers[0]", `${sidecar}.image`, `${sidecar}.env[0].value`];
    const detailedDiff = Object.fromEntries(paths.map((path) => [path, { kind: "update" }]));
    const step = update("a", inputs("1", "first-key"), inputs("2", "second-key"), { detailedDiff });
    const { stdout } = await summary(preview([step]));
    expect(stdout).toContain('`triggers`: `["1"]` → `["2"]`');
    expect(stdout).toContain(`\`${sidecar}.image\`: \`log:1\` → \`log:2\``);
    expect(stdout).toContain(`\`${sidecar}.env[0].value\`: secret changed`);
  });

  it("a reference that comes, goes or changes as one value", async () => {
    const inputs = (secretReferences: object) => ({ generation: 1, secretReferences });
    const reference = (secretName: string) => ({ secretName, secretKey: "url" });
    const step = update(
      "a",
      inputs({ OLD: reference("o"), DB: reference("one") }),
      inputs({ DB: reference("two"), NEW: reference("n") }),
    );
    const { stdout } = await summary(preview([step]));
    expect(stdout).toContain('`secretReferences.NEW`: `{"secretName":"n","secretKey":"url"}` added');
    expect(stdout).toContain('`secretReferences.OLD`: `{"secretName":"o","secretKey":"url"}` removed');
    expect(stdout).toContain('`secretReferences.DB`: `{"secretName":"one"');
  });

  it.each([
    ["stays", {}, "the tracing project of the same name stays and keeps the name"],
    ["is deleted too", { deleteTracingProject: true }, undefined],
  ])("whether what keeps the name of a deleted deployment %s", async (_, inputs, note) => {
    const text = preview([{ ...step("delete", "a"), oldState: { inputs } }], {
      config: { "deployment-service:dialect": "langsmith" },
    });
    const { stdout } = await summary(text);
    expect(stdout.includes("keeps the name; to delete it too, first set `deleteTracingProject: true`")).toBe(
      note !== undefined,
    );
    if (note !== undefined) expect(stdout).toContain(note);
  });

  it("that a deployment which is no longer managed is retained", async () => {
    const text = preview([{ ...step("delete", "a"), oldState: { inputs: {}, retainOnDelete: true } }]);
    expect(JSON.parse((await summary(text, "--json")).stdout)).toMatchObject({
      deployments: [{ operation: "retain", isRetained: true }],
    });
  });

  it.each([
    ["image", { sourceRevisionConfig: { imageUri: "registry.example.com/a:1" } }],
    ["repository", { sourceConfig: { repoUrl: "https://code.example.com/a" } }],
    ["folder", { sourceDirectory: "./agent" }],
  ])("that another name with the same source and %s may be a rename", async (_, content) => {
    const state = (name: string, source = "x") => ({ inputs: { name, source, ...content } });
    const steps = (source?: string) => [
      { ...step("create", "new"), newState: state("new") },
      { ...step("delete", "old"), oldState: state("old", source) },
    ];
    const question = "old is deleted and new is created, from the same source: is this a rename?";
    const { stdout } = await summary(preview(steps("x")));
    expect(stdout).toContain(question);
    expect(stdout).toContain('Then declare `name: "old"`, and set `options: { aliases: ["old"] }`');
    expect((await summary(preview(steps("y")))).stdout).not.toContain("is this a rename?");
  });

  it("that a name which is deleted and created may be a rename", async () => {
    const state = { inputs: { name: "chat" } };
    const text = preview([
      { ...step("create", "new"), newState: state },
      { ...step("delete", "old"), oldState: state },
      { ...step("delete", "other"), oldState: { inputs: { name: "other" } } },
    ]);
    const { stdout } = await summary(text);
    expect(stdout.match(/is this a rename\?/g)).toHaveLength(1);
    expect(stdout).toContain("old is deleted and new is created, both as chat on the service");
    expect(stdout).toContain('Then set `options: { aliases: ["old"] }`');
  });
});

it("secrets are not shown, however a preview spells them", async () => {
  const secret = canary("preview");
  const inputs = (extra: string): Inputs => ({
    generation: 1,
    secrets: { PLAIN: secret + extra },
    sourceConfig: {
      customUrl: `https://${secret}${extra}.example.com`,
      installCommand: {
        [signature]: "1b47061264138c4ac30d75fd1eb44270",
        plaintext: JSON.stringify(secret + extra),
      },
      resourceSpec: { sidecars: [{ name: "a", env: [{ name: "API_KEY", value: secret + extra }] }] },
    },
    __private: secret,
    __provider: secret,
    __options: { secretPaths: [["sourceConfig", "customUrl"]], other: secret },
  });
  const diagnostics = [
    { severity: "warning", message: `the service said ${secret}` },
    { severity: "error", message: JSON.stringify({ said: Buffer.from(secret).toString("base64") }) },
    { severity: "info", message: secret },
  ];
  const text = preview([update("chat", inputs(""), inputs("x"), { diffReasons: ["__private"] })], {
    diagnostics,
  });
  for (const words of [[], ["--json"]]) {
    const { stdout, code } = await summary(text, ...words);
    expect(code).toBe(1);
    expectNoTrace(stdout, { secret });
    for (const path of ["secrets.PLAIN", "sourceConfig.customUrl", "sourceConfig.installCommand"]) {
      expect(stdout).toContain(path);
    }
    expect(stdout).not.toContain("__");
  }
});

it.each([
  ["a map", { MODEL_API_KEY: "correct-horse-battery" }],
  [
    "a secret that the engine shows",
    {
      [signature]: "1b47061264138c4ac30d75fd1eb44270",
      plaintext: JSON.stringify({ MODEL_API_KEY: "correct-horse-battery" }),
    },
  ],
])("a credential made of words is taken out of diagnostics: `secrets` as %s", async (_, secrets) => {
  const diagnostics = [{ severity: "error", message: "the service said correct-horse-battery" }];
  const text = preview([update("chat", { secrets }, { secrets })], { diagnostics });
  expect((await summary(text)).stdout).toContain("the service said [secret]");
});

/** What people and machines put into names, and what Markdown, HTML and terminals would make of it. */
const hostile = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.constantFrom("a|b", "`", "``a``", "@team/people", "<img src=x onerror=y>", "a\nb", "\\|", "\\", "**b**"),
  fc.constantFrom(
    "[x](javascript:y)",
    "#1",
    "\u202e",
    "\u001b[31m",
    "</code>",
    "&lt;",
    "a\r\n| x |",
    " ",
    "::",
    "",
  ),
);
const big = fc.tuple(hostile, fc.integer({ min: 1, max: 1_000 })).map(([text, times]) => text.repeat(times));

describe("Markdown", () => {
  /** Values and names in a row, which nothing of theirs leaves. */
  const quoted = /`[^`|\\]+`|<code>[\w ./:…&#;-]*<\/code>/g;
  const row = /^\| _ \| settings \| (?:_: (?:_|_ → _|_ removed|secret changed)(?:<br>)?)* \|$/;

  it("is what we wrote, whatever names and values hold", () => {
    fc.assert(
      fc.property(hostile, hostile, hostile, hostile, (name, key, before, after) => {
        const spec = (value: string) => ({
          generation: 1,
          sourceConfig: { resourceSpec: { labels: { [key]: value } } },
        });
        const diagnostics = [{ urn: urn(name), severity: "warning", message: `${before}\n${after}!` }];
        const lines = markdownOf(
          preview([update(name, spec(before), spec(`${after}!`))], { diagnostics }),
        ).split("\n");
        const rows = lines.filter((line) => line.startsWith("|")).slice(-1);
        expect(rows[0]!.replace(quoted, "_")).toMatch(row);
        const fences = lines.flatMap((line, at) => (/^`{3,}(text)?$/.test(line) ? [at] : []));
        const [open, close] = [lines.findIndex((line) => /^`{3,}text$/.test(line)), fences.at(-1)!];
        const fence = lines[open]!.replace("text", "");
        expect(lines.slice(open + 1).findIndex((line) => line.startsWith(fence))).toBe(close - open - 1);
      }),
      runs(100),
    );
  });

  it("of 250 deployments fits into a comment, and says what it leaves out", () => {
    fc.assert(
      fc.property(
        fc.array(big, { minLength: 1, maxLength: 4 }),
        fc.constantFrom("replace", "update", "create"),
        (texts, op) => {
          const pick = (index: number) => texts[index % texts.length]!;
          const steps = Array.from({ length: 250 }, (_, index) => {
            const inputs = (value: string) => ({ generation: 1, sourceConfig: { buildCommand: value } });
            const change = update(
              `${pick(index).slice(0, 300)}${index}`,
              inputs(pick(index)),
              inputs(`${pick(index + 1)}!`),
            );
            return { ...change, op: index === 0 ? "replace" : op };
          });
          const diagnostics = texts.map((message) => ({ severity: "error", message: `no ${message}` }));
          const text = markdownOf(preview(steps, { diagnostics }));
          expect(text.length).toBeLessThanOrEqual(longestComment);
          expect(Buffer.byteLength(text)).toBeLessThanOrEqual(longestComment);
          const rows =
            text.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| Depl")).length - 1;
          if (rows < 250) expect(text).toContain("Left out to fit into a comment: ");
        },
      ),
      runs(15),
    );
  });

  it("leaves out what matters least: replacements and errors are always there", () => {
    const long = "x".repeat(110);
    const change = (name: string, op: string) => ({
      ...update(name, { a: `${long}1` }, { a: `${long}2`, b: long }),
      op,
    });
    const steps = Array.from({ length: 800 }, (_, index) =>
      change(`${long.slice(0, 90)}-${index}`, index < 50 ? "replace" : "update"),
    );
    const diagnostics = [{ severity: "error", message: "it failed" }];
    const text = markdownOf(preview(steps, { diagnostics }));
    expect(text).toContain("it failed");
    expect(text.match(/\*\*replaced\*\*/g)).toHaveLength(50);
    expect(text).toMatch(/Left out to fit into a comment: \d+ deployments\. /);
    expect(text.indexOf("**replaced**")).toBeLessThan(text.indexOf("| settings |"));
  });
});

describe("the type of a deployment", () => {
  const typed = (deploymentType: string) => ({
    inputs: { source: "internal_source", sourceConfig: { deploymentType } },
    outputs: { __madeWith: { dialect: "langsmith" } },
  });
  it("is shown with the user's word and with the service's in brackets, in its own dialect", async () => {
    const steps = [{ ...step("update", "a"), oldState: typed("dev_zero"), newState: typed("prod") }];
    const { stdout } = await summary(preview(steps));
    expect(stdout).toContain("`sourceConfig.deploymentType`: `serverless (dev_zero)` → `dedicated (prod)`");
  });
});

it("secrets that look alike are shown as changed", async () => {
  const marked = { generation: 1, secrets: "[secret]", sourceConfig: { customUrl: "[secret]" } };
  const detailedDiff = { secrets: { kind: "update" }, "sourceConfig.customUrl": { kind: "update" } };
  const { stdout } = await summary(preview([update("chat", marked, marked, { detailedDiff })]));
  expect(stdout).toContain("`secrets`: secret changed<br>`sourceConfig.customUrl`: secret changed");
});

it("secrets come and go by name in what the engine says of a packaged resource", async () => {
  const state = (secrets: object) => ({ generation: 1, secrets });
  const [before, after] = [
    state({ KEY: "[secret]", OLD: "[secret]" }),
    state({ KEY: "[secret]", NEW: "[secret]" }),
  ];
  const detailedDiff = {
    "secrets.KEY": { kind: "update" },
    "secrets.OLD": { kind: "delete" },
    "secrets.NEW": { kind: "add" },
  };
  const text = preview([update("chat", before, after, { detailedDiff })]);
  const { deployments } = JSON.parse((await summary(text, "--json")).stdout) as {
    deployments: [{ changes: { path: string; change: string }[] }];
  };
  expect(Object.fromEntries(deployments[0].changes.map(({ path, change }) => [path, change]))).toEqual({
    "secrets.KEY": "changed",
    "secrets.OLD": "removed",
    "secrets.NEW": "added",
  });
});
