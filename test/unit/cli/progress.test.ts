import { describe, expect, it } from "vitest";
import { collect, withProgress, type Progress } from "../../../cli/terminal/progress";
import { observed } from "./import/support";
import { readRows, rowOf } from "../../../cli/deployments/deployment-rows";
import { standard } from "../../../provider/dialects/standard";
import { standardError } from "../../../cli/terminal/terminal-line";
import { VirtualClock } from "../../support/clock";

/** What a command wrote, and after how many seconds. */
async function written(
  work: (progress: Progress, clock: VirtualClock) => Promise<unknown>,
  { isTerminal = true, env = {} }: { isTerminal?: boolean; env?: Record<string, string> } = {},
) {
  const clock = new VirtualClock();
  const began = clock.now();
  const texts: [seconds: number, text: string][] = [];
  const write = (text: string) => texts.push([(clock.now() - began) / 1000, text]) > 0;
  const stderr = standardError({ write, columns: 40, isTTY: isTerminal } as never, env);
  await clock.run(withProgress({ stderr }, clock, (progress) => work(progress, clock))).catch(() => {});
  expect(clock.sleeping).toBe(0);
  return { texts, stderr, all: () => texts.map(([, text]) => text).join("") };
}

async function* slowly(clock: VirtualClock, pages: number, seconds: number) {
  for (let page = 0; page < pages; page++) {
    await clock.sleep(seconds * 1000);
    yield [page, page];
  }
}

const reading =
  (pages: number, seconds: number, total?: number) => (progress: Progress, clock: VirtualClock) =>
    collect(slowly(clock, pages, seconds), "deployments", progress, total);

const clear = "\r\u001b[K";

describe("a command that takes long", () => {
  it("shows in a terminal how far it is, in a line that changes every second and is gone at the end", async () => {
    const { texts } = await written(reading(2, 1.6));
    expect(texts).toEqual([
      [1, "reading deployments: 0 so far, 1s"],
      [2, `${clear}reading deployments: 2 so far, 2s`],
      [3, `${clear}reading deployments: 2 so far, 3s`],
      [3.2, clear],
    ]);
  });

  it.each([
    ["elsewhere", { isTerminal: false }],
    ["in CI, though it may have a terminal", { env: { CI: "true" } }],
    ["in a terminal that cannot move its cursor", { env: { TERM: "dumb" } }],
  ])("writes a line every ten seconds %s", async (_, setting) => {
    const { texts } = await written(reading(8, 3, 300), setting);
    expect(texts).toEqual([
      [10, "reading deployments: 6 of 300, 10s\n"],
      [20, "reading deployments: 12 of 300, 20s\n"],
    ]);
  });

  it.each([true, false])("says nothing when it is quick (in a terminal: %s)", async (isTerminal) => {
    expect((await written(reading(1, 0.9), { isTerminal })).all()).toBe("");
  });

  it("counts what has been read of many", async () => {
    const found = ["1", "2", "3"].map((id) => observed({ id }));
    const { texts } = await written(
      (progress, clock) =>
        readRows(found, progress, standard, async (each) => {
          await clock.sleep(Number(each.id) * 8_000);
          return rowOf(each, standard);
        }),
      { isTerminal: false },
    );
    expect(texts).toEqual([
      [10, "reading revisions: 1 of 3, 10s\n"],
      [20, "reading revisions: 2 of 3, 20s\n"],
    ]);
  });

  it("shows what is new at once, and the next line ten seconds later", async () => {
    const { texts } = await written(
      async (progress, clock) => {
        await clock.sleep(4_500);
        progress.text = () => `waiting ${progress.elapsed()}`;
        progress.changed();
        await clock.sleep(12_000);
      },
      { isTerminal: false },
    );
    expect(texts).toEqual([
      [4.5, "waiting 4s\n"],
      [15, "waiting 15s\n"],
    ]);
  });

  it("keeps its line apart from other messages, and within the width of the terminal", async () => {
    const { texts, stderr } = await written(async (progress, clock) => {
      progress.text = () => "waiting for chat, search, billing and 漢字漢字漢字";
      progress.changed();
      await clock.sleep(100);
    });
    expect(texts[0]![1]).toBe("waiting for chat, search, billing and …");
    stderr.line?.("half");
    stderr.write("whole\n");
    stderr.write("another\n");
    expect(texts.slice(-3).map(([, text]) => text)).toEqual(["half", `${clear}whole\n`, "another\n"]);
  });

  it("breaks other messages between words, but no command and no indented excerpt", async () => {
    const { texts, stderr } = await written(() => Promise.resolve());
    stderr.write("connecting to http://127.0.0.1:8787 of stack dev\n");
    stderr.write("run `npx pulumi-deployment-service status chat --stack dev`\n");
    stderr.write("    an excerpt of a file that is wider than the terminal\n");
    expect(texts.slice(-3).map(([, text]) => text)).toEqual([
      "connecting to http://127.0.0.1:8787 of\nstack dev\n",
      "run\n`npx pulumi-deployment-service status chat --stack dev`\n",
      "    an excerpt of a file that is wider than the terminal\n",
    ]);
  });

  it("leaves no line behind when it fails", async () => {
    const { texts } = await written(async (progress, clock) => {
      progress.text = () => "reading";
      await clock.sleep(1_500);
      throw new Error("no");
    });
    expect(texts).toEqual([
      [1, "reading"],
      [1.5, clear],
    ]);
  });
});
