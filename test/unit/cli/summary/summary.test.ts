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
const stack = (op: string) => step(op, "shop-dev", "pulumi:pulumi:Stack");
/** A refresh that finds a deployment, and nothing that differs. */
const looked = (name: string, inputs: Inputs) => ({ ...update(name, inputs, inputs), op: "refresh" });
/** What the engine says of each path. */
const differing = (paths: readonly string[], kind = "update") =>
  Object.fromEntries(paths.map((path) => [path, { kind }]));
const said = (severity: string, message: string, name = "a") => ({ urn: urn(name), severity, message });
const preview = (steps: object[], more: object = {}) => JSON.stringify({ steps, changeSummary: {}, ...more });
const markdownOf = (text: string) =>
  toMarkdown(readPreviews(Buffer.from(text)).previews.map((each) => summaryOf(each, {})));
const image = (tag: string, generation: number) => ({
  generation,
  sourceRevisionConfig: { imageUri: `registry.example.com/chat:${tag}` },
});
const next = update("a", image("1", 1), image("2", 2));

async function summary(stdin: string | Uint8Array, ...words: string[]) {
  const outcome = await cli(["summary", ...words], { stdin });
  return { ...outcome, line: outcome.stdout.split("\n")[0] };
}
/** Of a preview with these steps. */
const shown = (steps: object[], more: object = {}) => summary(preview(steps, more));
const judged = (steps: object[], more: object = {}) => summary(preview(steps, more), "--expect-no-drift");
const parsed = async (text: string) => JSON.parse((await summary(text, "--json")).stdout) as unknown;

const noon = "`2026-03-01 12:00 UTC`";

describe("the first line", () => {
  it("counts what matters", async () => {
    const steps = [
      ...["a", "b"].map((name) => update(name, image("1", 1), image("2", 2))),
      update("c", { generation: 1, skipAwait: false }, { generation: 1, skipAwait: true }),
      ...["create-replacement", "replace", "delete-replaced"].map((op) => step(op, "d")),
      step("create", "e", packaged),
      step("delete", "f"),
      stack("same"),
      step("same", "g"),
      step("same", "h", `some:component:Type$${token}`),
    ];
    expect((await shown(steps, { changeSummary: { same: 3 } })).line).toBe(
      "1 deletion, 1 replacement, 2 new revisions, 1 settings change, 1 creation, 2 unchanged",
    );
  });

  it("counts what the engine does not list, except for the stack itself", async () => {
    const steps = [stack("same"), step("create", "other", "aws:s3:Bucket")];
    const { line, stdout } = await shown(steps, { changeSummary: { same: 15 } });
    expect(line).toBe("14 unchanged");
    expect(stdout).toContain("Other resources: 1 to create.\n");
  });

  it("counts the last of several steps of one deployment", async () => {
    const old = { inputs: { name: "a", generation: 1 } };
    const steps = [
      looked("a", { generation: 1 }),
      { ...step("delete", "a"), oldState: old },
      { ...step("create", "a"), newState: { inputs: { name: "a", generation: 2 } } },
    ];
    expect((await shown(steps)).line).toBe("1 creation");
  });

  it("counts what a preview with a refresh plans, a new deployment too", async () => {
    const steps = [looked("a", { generation: 1 }), step("create", "b")];
    const changeSummary = { same: 1, create: 1 };
    expect((await shown(steps, { changeSummary })).line).toBe("1 creation, 1 unchanged");
  });

  it("says if the preview failed, or if there are no deployments", async () => {
    const diagnostics = [said("error", "error: no\n"), { severity: "error", message: "preview failed" }];
    const failed = [{ severity: "error", message: "error: program:\n\tat index.ts" }];
    expect((await shown([], { diagnostics: failed })).stdout).toContain(
      "❌ error\n\n```text\nprogram:\n  at index.ts\n```\n",
    );
    expect(await shown([], { diagnostics })).toMatchObject({
      code: 1,
      stdout: `the preview failed with 1 error\n\n${noon}\n\n❌ error in \`a\`\n\n\`\`\`text\nno\n\`\`\`\n`,
    });
    expect((await shown([])).stdout).toBe(`no deployments\n\n${noon}\n`);
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
  const steps = [next, step("create", "b"), step("delete", "c")];
  const changeSummary = { update: 1, create: 1, delete: 1 };
  const diagnostics = [said("warning", "warning: careful\n")];
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
  const spec = (cpu: number): Inputs => ({ generation: 1, sourceConfig: { resourceSpec: { cpu } } });
  const kept = looked("kept", spec(1));
  const changed = update("changed", spec(1), spec(4));
  const gone = { ...step("delete", "gone"), oldState: { inputs: {} } };

  it("is all that a refresh alone can find, and what the service decides is none of it", async () => {
    const outputs = { ...update("rolled", spec(1), spec(1)), diffReasons: ["latestRevisionId"] };
    const found = await judged([stack("refresh"), changed, gone, outputs, kept]);
    expect(found).toMatchObject({ code: 1, line: "1 changed by hand, 1 deleted by hand, 2 unchanged" });
    expect(found.stdout).not.toContain("What happens");
    expect(await judged([stack("refresh"), outputs, kept])).toMatchObject({ code: 0 });
  });

  it("is the same if the refresh runs the program, which lists the stack as unchanged", async () => {
    const steps = [stack("same"), kept, changed, gone];
    const expected = { code: 1, line: "1 changed by hand, 1 deleted by hand, 1 unchanged" };
    expect(await judged(steps)).toMatchObject(expected);
    expect(await judged([...steps, step("same", "gone")])).toMatchObject(expected);
  });

  const [a, b] = ["a", "b"].map((name) => looked(name, spec(1))) as [object, object];
  it.each<[string, object[], object | undefined]>([
    ["that could not read any", [stack("refresh"), a], undefined],
    ["that could not read one", [a, b], { same: 1 }],
    ["whose program failed", [stack("refresh"), a, b, stack("same")], { same: 1 }],
  ])("is not known after a preview %s", async (_, steps, changeSummary) => {
    const diagnostics = [said("error", "error: no\n")];
    const outcome = await judged(steps, { changeSummary, diagnostics });
    expect(outcome).toMatchObject({ code: 1, line: "the preview failed with 1 error" });
  });

  describe("includes what `preview --refresh` refreshes and does not plan", () => {
    const refreshed = [stack("refresh"), looked("gone", spec(1)), kept, stack("same")];
    const changeSummary = { same: 2 };

    it("by name if the preview shows what is unchanged", async () => {
      const outcome = await judged([...refreshed, { ...kept, op: "same" }], { changeSummary });
      expect(outcome).toMatchObject({ code: 1, line: "1 deleted by hand, 1 unchanged" });
      expect(outcome.stdout).toContain("| `gone` | 🗑️ **deleted** |");
    });

    it("as a count otherwise, with the command that names it", async () => {
      const outcome = await judged(refreshed, { changeSummary });
      expect(outcome).toMatchObject({ code: 1, line: "1 unexplained change, 1 unchanged" });
      expect(outcome.stdout).toContain(
        "(delete: 1). A deployment may have changed: run `pulumi refresh --preview-only",
      );
    });

    it("unless it is renamed with an alias", async () => {
      const old = { ...update("old", spec(1), spec(1)).oldState, urn: urn("old") };
      const renamed = (op: string, there: object) => [
        stack("refresh"),
        { ...step("refresh", "old"), oldState: old, newState: old },
        stack("same"),
        { ...step(op, "new"), oldState: { ...old, ...there }, newState: old },
      ];
      const outcome = await judged(renamed("same", {}), { changeSummary });
      expect(outcome).toMatchObject({ code: 0, line: "1 unchanged" });
      const both = [...renamed("update", { inputs: { name: "old", ...spec(4) } }), step("create", "old")];
      const { line } = await shown(both, { changeSummary: { same: 1, update: 1, create: 1 } });
      expect(line).toBe("1 changed by hand, 1 settings change, 1 creation");
    });
  });

  describe("may include a secret that `preview --refresh` shows to change", () => {
    const [before, after] = ["2026-03-01T12:00:00Z", "2026-03-01T12:01:00Z"];
    const cpu = "sourceConfig.resourceSpec.cpu";
    const hidden = { secrets: "[secret]", sourceConfig: { resourceSpec: { cpu: "[secret]" } } };
    const planned = (modified: string | undefined, op: string, ...paths: string[]) => {
      const state = { type: token, inputs: { name: "a", generation: 1, ...hidden }, modified };
      const diffReasons = paths.map((path) => path.split(".")[0]);
      const detailedDiff = differing(paths, "add");
      return { ...step(op, "a"), oldState: state, newState: state, diffReasons, detailedDiff };
    };
    const refreshed = planned(before, "refresh");
    const replacing = [planned(after, "delete-replaced"), planned(after, "replace", "source", "secrets")];

    it.each([
      ["update", "secrets", [planned(after, "update", "secrets")]],
      ["update", "secrets.A_KEY", [planned(after, "update", "secrets.A_KEY")]],
      ["update", cpu, [planned(after, "update", cpu)]],
      ["replacement", "secrets", replacing],
      ["update by an engine that does not say when", "secrets", [planned(undefined, "update", "secrets")]],
    ])("if the refresh changed the state: %s of %s", async (_, path, steps) => {
      const { code, line, stdout } = await judged([refreshed, ...steps]);
      expect(line).toMatch(/^1 changed by hand/);
      expect(stdout).toContain(`**Changed by hand**`);
      expect(stdout).toContain(`| \`a\` | \`${path}\`: \`secret changed, by hand or in the program\` |`);
      expect(code).toBe(1);
    });

    it("is the program's if the refresh left the state as it was", async () => {
      const { code, stdout } = await judged([refreshed, planned(before, "update", "secrets")]);
      expect(stdout).toContain("`secrets`: secret");
      expect(stdout).not.toContain("by hand");
      expect(code).toBe(0);
    });

    it("is not reported if no secret is among the planned changes", async () => {
      expect(await judged([refreshed, planned(after, "update", "skipAwait")])).toMatchObject({ code: 0 });
    });
  });

  it("is shown of a folder as another archive in its place", async () => {
    const inputs = (digest: string) => ({ sourceDirectory: "./agent", __source: { digest, count: 1 } });
    const found = update("a", inputs("abc"), inputs(""));
    const { code, stdout } = await judged([stack("refresh"), found], { changeSummary: { update: 1 } });
    expect(stdout).toContain("| `a` | `sourceDirectory`: `something else was deployed` |");
    expect(code).toBe(1);
  });

  it("is never none after a preview that did not read the service", async () => {
    for (const text of [preview([step("same", "a")]), preview([], { changeSummary: { same: 1 } })]) {
      const { code, stdout } = await summary(text, "--expect-no-drift");
      expect(stdout).toContain("This preview did not read the service, so it cannot show drift");
      expect(code).toBe(1);
      expect((await summary(text)).stdout).not.toContain("drift");
    }
    expect(await judged([])).toMatchObject({ code: 0 });
  });
});

describe("what the engine counts and does not list", () => {
  const silent = looked("a", { generation: 1 });
  const listed = { ...silent, op: "update" };
  const bucket = step("refresh", "b", "aws:s3:Bucket");

  it.each([
    ["a refreshed deployment without details", [stack("refresh"), silent], { same: 1, update: 1 }],
    ["a change that shows no difference", [stack("refresh"), listed], { same: 1, update: 1 }],
    ["a deployment or another resource", [stack("refresh"), silent, bucket], { same: 2, update: 1 }],
    ["a step that a preview lacks", [silent, step("update", "a")], { update: 2 }],
  ])("is told, and never passes for no drift: %s", async (_, steps, changeSummary) => {
    const { code, line, stdout } = await judged(steps, { changeSummary });
    expect(line).toMatch(/1 unexplained change/);
    expect(stdout).toContain("Pulumi found changes that this preview does not show (update: 1).");
    expect(code).toBe(1);
  });

  it("is none of a deployment's if each deployment is explained", async () => {
    const secretReferences = { DB: { secretName: "a", secretKey: "b" } };
    const changed = update("a", { generation: 1 }, { generation: 1, secretReferences });
    const changeSummary = { same: 1, update: 2 };
    expect((await shown([stack("refresh"), changed, bucket], { changeSummary })).line).toBe(
      "1 changed by hand",
    );
    const none = await judged([stack("refresh"), bucket], { changeSummary: { update: 1 } });
    expect(none).toMatchObject({ code: 0 });
  });
});

describe("a file with several previews", () => {
  const previewOf = (name: string, steps: object[], more: object = {}) =>
    preview(steps, more).replaceAll("urn:pulumi:dev::", `urn:pulumi:${name}::`);
  const quiet = previewOf("dev", [step("same", "a")], { changeSummary: { same: 1 } });
  const busy = previewOf("prod", [next], { changeSummary: { update: 1 } });
  const drift = previewOf("prod", [stack("refresh"), update("a", image("1", 1), image("9", 1))]);

  it.each(["\n", "\n\nwarning: careful\n"])(
    "has a section for each, in their order (between them: %j)",
    async (between) => {
      const { code, line, stdout } = await summary(quiet + between + busy);
      expect({ code, line }).toEqual({ code: 0, line: "2 previews: 1 new revision, 1 unchanged" });
      const titles = [...stdout.matchAll(/^### `shop\/(\w+), /gm)].map(([, name]) => name);
      expect(titles).toEqual(["dev", "prod"]);
      expect(stdout.indexOf("1 unchanged\n", 60)).toBeLessThan(stdout.indexOf("### `shop/prod"));
      expect(await parsed(quiet + between + busy)).toMatchObject({
        headline: line,
        previews: [
          { stack: "dev", unchanged: 1 },
          { stack: "prod", deployments: [{ action: "revision" }] },
        ],
      });
    },
  );

  it("says how many of them failed", async () => {
    const diagnostics = [said("error", "error: no\n", "b")];
    const failed = previewOf("prod", [step("create", "b")], { diagnostics });
    const { line } = await summary(`${quiet}\n${failed}`);
    expect(line).toBe("2 previews, 1 failed: 1 creation, 1 unchanged");
  });

  it("may also hold them as a list", async () => {
    expect(await summary(`[${quiet},${busy}]`)).toEqual(await summary(`${quiet}\n${busy}`));
  });

  it("ends with the worst of their exit codes, whichever is first", async () => {
    for (const text of [`${drift}\n${quiet}`, `${quiet}\n${drift}`])
      expect(await summary(text, "--expect-no-drift")).toMatchObject({ code: 1 });
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
    const { stdout } = await summary([previewOf("a", many), quiet, previewOf("b", many)].join("\n"));
    expect(Buffer.byteLength(stdout)).toBeLessThanOrEqual(longestComment);
    expect(stdout.match(/Left out to fit into a comment/g)).toHaveLength(2);
    expect(stdout).toContain("1 unchanged\n");
  });
});

describe("a reviewer sees", () => {
  it("of which stack it is, and when it was made", async () => {
    expect((await shown([next])).stdout).toContain("`shop/dev, 2026-03-01 12:00 UTC`\n");
  });

  it("that a deployment is down while it is replaced under its name", async () => {
    const replace = (after: string) => ({
      ...update("a", { source: "codehost" }, { name: after, source: "internal_template" }),
      op: "replace",
      replaceReasons: ["source"],
    });
    expect((await shown([replace("a")])).stdout).toContain(
      "| `a` | ⚠️ **replaced**, is down while it is replaced | `source`",
    );
    expect((await shown([replace("b")])).stdout).not.toContain("is down");
  });

  it("what the provider says next to a resource, in its own words", async () => {
    const lines = ["creates a new revision (secrets: ~KEY)", "sourceDirectory: ~<b>agent.py</b>"];
    const diagnostics = lines.map((line) => said("info", `a (chat): ${line}\n`));
    const { stdout } = await shown([next], { diagnostics });
    expect(stdout).toContain("<br>`creates a new revision (secrets: ~KEY)`<br><code>");
    expect(stdout).not.toContain("<b>");
    expect(await parsed(preview([next], { diagnostics }))).toMatchObject({ deployments: [{ words: lines }] });
  });

  it("an update that changes no argument as the rollout that an earlier run left, or as no change", async () => {
    const [settled, counted] = [1, 2].map((generation) => update("a", { generation: 1 }, { generation }));
    const failed = { ...settled!, oldState: { ...settled!.oldState, initErrors: ["failed"] } };
    const word = said(
      "info",
      "a: its last revision failed (BUILD_FAILED): `up` fails again until a change makes a new one",
    );
    for (const [step, diagnostics, expected] of [
      [failed, [word], "1 unfinished rollout"],
      [settled, [word], "1 other change"],
      [counted, [word], "1 unfinished rollout"],
      [settled, [], "1 unchanged"],
      // As where a policy takes the change back.
      [counted, [], "1 unchanged"],
    ] as const)
      expect((await shown([step!], { diagnostics })).line).toBe(expected);
  });

  it("what changed in a folder, and nothing of one that moved", async () => {
    const folder = (path: string, generation: number, files: Record<string, string>): Inputs => ({
      ...{ generation, sourceDirectory: path },
      __source: { digest: JSON.stringify(files), count: 1, files },
    });
    const there = folder("./a", 1, { "a.py": "-1" });
    const moved = update("a", there, folder("./b", 1, { "a.py": "-1" }));
    expect((await shown([moved])).line).toBe("1 unchanged");
    const changed = update("a", there, folder("./b", 2, { "a.py": "-2", b: "-1" }));
    expect((await shown([changed])).stdout).toContain(
      "| `a` | new revision | `sourceDirectory`: `+b, ~a.py` |",
    );
    // After a failed build, the provider compares with what runs.
    const told =
      "creates a new revision (secrets: ~KEY, sourceDirectory: ~a.py); the last one failed (BUILD_FAILED)";
    const { stdout } = await shown([changed], { diagnostics: [said("info", `a: ${told}`)] });
    expect(stdout).toContain(`| \`a\` | new revision | \`${told}\` |`);
  });

  it("a value that is not known yet as that, and what only such values cause as possible", async () => {
    const source = update("other", image("1", 1), image("2", 2));
    const dependent = (generation: number, more: Inputs, paths: string[], op = "update") => {
      const marked = { generation: 1, secrets: { URL: "[secret]" } };
      const step = update("a", marked, { ...marked, generation, ...more });
      const newState = { ...step.newState, propertyDependencies: { secrets: [urn("other")] } };
      return { ...step, newState, detailedDiff: differing(paths), op };
    };
    const followed = "`secrets.URL`: may follow `other`, not known yet";
    const possible = await shown([source, dependent(2, {}, ["generation", "secrets.URL"])]);
    expect(possible.line).toBe("1 new revision, 1 possible new revision");
    expect(possible.stdout).toContain(`| \`a\` | possible new revision | ${followed} |`);
    const certain = await shown([source, dependent(2, image("2", 2), ["secrets.URL"])]);
    expect(certain.line).toBe("2 new revisions");
    expect(certain.stdout).toContain(followed);
    const replaced = await shown([source, dependent(1, {}, ["secrets.URL"], "replace")]);
    expect(replaced.line).toBe("1 possible replacement, 1 new revision");
    expect(replaced.stdout).not.toContain("is down");
    // Without a change of what it depends on, the secret itself has changed.
    const alone = await shown([dependent(2, {}, ["secrets.URL"])]);
    expect(alone.stdout).toContain("| new revision | `secrets.URL`: secret changed |");
  });

  it("a copy that an earlier run left as a deletion of that alone", async () => {
    const old = { ...step("delete-replaced", "a"), oldState: { inputs: { name: "a" } } };
    const { line, stdout } = await shown([old, next]);
    expect(line).toBe("1 deletion, 1 new revision");
    expect(stdout).toContain("only the copy that an earlier run has replaced and not deleted |");
    expect((await shown([old, step("same", "a")])).line).toBe("1 deletion");
  });

  it("two long values around their first difference", async () => {
    const inputs = (end: string) => ({ generation: 1, triggers: [`${"x".repeat(400)}${end}`] });
    const detailedDiff = differing(["triggers[0]"]);
    const { stdout } = await shown([update("a", inputs("1"), inputs("2"), { detailedDiff })]);
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
    const detailedDiff = differing(["triggers[0]", `${sidecar}.image`, `${sidecar}.env[0].value`]);
    const { stdout } = await shown([
      update("a", inputs("1", "first-key"), inputs("2", "second-key"), { detailedDiff }),
    ]);
    expect(stdout).toContain('`triggers`: `["1"]` → `["2"]`');
    expect(stdout).toContain(`\`${sidecar}.image\`: \`log:1\` → \`log:2\``);
    expect(stdout).toContain(`\`${sidecar}.env[0].value\`: secret changed`);
  });

  it("a reference that comes, goes or changes as one value", async () => {
    const inputs = (secretReferences: object) => ({ generation: 1, secretReferences });
    const reference = (secretName: string) => ({ secretName, secretKey: "url" });
    const { stdout } = await shown([
      update(
        "a",
        inputs({ OLD: reference("o"), DB: reference("one") }),
        inputs({ DB: reference("two"), NEW: reference("n") }),
      ),
    ]);
    expect(stdout).toContain('`secretReferences.NEW`: `{"secretName":"n","secretKey":"url"}` added');
    expect(stdout).toContain('`secretReferences.OLD`: `{"secretName":"o","secretKey":"url"}` removed');
    expect(stdout).toContain('`secretReferences.DB`: `{"secretName":"one"');
  });

  it("what keeps the name of a deleted deployment, unless that is deleted too", async () => {
    const deleted = (inputs: Inputs) =>
      shown([{ ...step("delete", "a"), oldState: { inputs } }], {
        config: { "deployment-service:dialect": "langsmith" },
      });
    expect((await deleted({})).stdout).toContain(
      "the tracing project of the same name stays and keeps the name; to delete it too, first set `deleteTracingProject: true`",
    );
    expect((await deleted({ deleteTracingProject: true })).stdout).not.toContain("keeps the name");
  });

  it("that a deployment which is no longer managed is retained", async () => {
    const text = preview([{ ...step("delete", "a"), oldState: { inputs: {}, retainOnDelete: true } }]);
    expect(await parsed(text)).toMatchObject({ deployments: [{ operation: "retain", isRetained: true }] });
  });

  const [created, deleted] = [
    (name: string, inputs: Inputs) => ({ ...step("create", name), newState: { inputs } }),
    (name: string, inputs: Inputs) => ({ ...step("delete", name), oldState: { inputs } }),
  ];

  it.each([
    ["image", { sourceRevisionConfig: { imageUri: "registry.example.com/a:1" } }],
    ["repository", { sourceConfig: { repoUrl: "https://code.example.com/a" } }],
    ["folder", { sourceDirectory: "./agent" }],
  ])("that another name with the same source and %s may be a rename", async (_, content) => {
    const from = (source: string) =>
      shown([
        created("new", { name: "new", source: "x", ...content }),
        deleted("old", { name: "old", source, ...content }),
      ]);
    const { stdout } = await from("x");
    expect(stdout).toContain("old is deleted and new is created, from the same source: is this a rename?");
    expect(stdout).toContain('Then declare `name: "old"`, and set `options: { aliases: ["old"] }`');
    expect((await from("y")).stdout).not.toContain("is this a rename?");
  });

  it("that a name which is deleted and created may be a rename", async () => {
    const { stdout } = await shown([
      created("new", { name: "chat" }),
      deleted("old", { name: "chat" }),
      deleted("other", { name: "other" }),
    ]);
    expect(stdout.match(/is this a rename\?/g)).toHaveLength(1);
    expect(stdout).toContain("old is deleted and new is created, both as chat on the service");
    expect(stdout).toContain('Then set `options: { aliases: ["old"] }`');
  });

  it("the type of a deployment in the user's word and, in brackets, the service's, in its own dialect", async () => {
    const typed = (deploymentType: string) => ({
      inputs: { source: "internal_source", sourceConfig: { deploymentType } },
      outputs: { __madeWith: { dialect: "langsmith" } },
    });
    const { stdout } = await shown([
      { ...step("update", "a"), oldState: typed("dev_zero"), newState: typed("prod") },
    ]);
    expect(stdout).toContain("`sourceConfig.deploymentType`: `serverless (dev_zero)` → `dedicated (prod)`");
  });

  it("secrets that look alike as changed", async () => {
    const marked = { generation: 1, secrets: "[secret]", sourceConfig: { customUrl: "[secret]" } };
    const detailedDiff = differing(["secrets", "sourceConfig.customUrl"]);
    const { stdout } = await shown([update("chat", marked, marked, { detailedDiff })]);
    expect(stdout).toContain("`secrets`: secret changed<br>`sourceConfig.customUrl`: secret changed");
  });

  it("secrets that come and go by name in what the engine says of a packaged resource", async () => {
    const state = (...names: string[]) => ({
      generation: 1,
      secrets: Object.fromEntries(names.map((name) => [name, "[secret]"])),
    });
    const detailedDiff = {
      ...differing(["secrets.KEY"]),
      ...differing(["secrets.OLD"], "delete"),
      ...differing(["secrets.NEW"], "add"),
    };
    const step = update("chat", state("KEY", "OLD"), state("KEY", "NEW"), { detailedDiff });
    const changes = Object.entries({ OLD: "removed", NEW: "added", KEY: "changed" });
    expect(await parsed(preview([step]))).toMatchObject({
      deployments: [{ changes: changes.map(([name, change]) => ({ path: `secrets.${name}`, change })) }],
    });
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
  const { stdout } = await shown([update("chat", { secrets }, { secrets })], { diagnostics });
  expect(stdout).toContain("the service said [secret]");
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
