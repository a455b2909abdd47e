import { afterEach, describe, expect, it, vi } from "vitest";
import { withoutStacks } from "../../../provider/pulumi/without-stacks";

const { prepareStackTrace, stackTraceLimit } = Error;

afterEach(() => {
  vi.unstubAllEnvs();
  Object.assign(Error, { prepareStackTrace, stackTraceLimit });
});

describe("the text of a stack meanwhile", () => {
  it("is empty, and afterwards is what it was", () => {
    const restore = withoutStacks();
    const meanwhile = new Error("a").stack;
    restore();
    expect(meanwhile).toBe("");
    expect(new Error("b").stack).toContain("without-stacks.test");
    expect(Error.prepareStackTrace).toBe(prepareStackTrace);
  });

  it("is whole for an error that is thrown", () => {
    const restore = withoutStacks();
    const thrown = new Error("a");
    restore();
    expect(thrown.stack).toContain("without-stacks.test");
  });

  it.each([
    ["as somebody has said", () => "in another way", "in another way"],
    ["as Node.js does", undefined, expect.stringMatching(/^Error: a\n {4}at .*without-stacks\.test/)],
  ])("is whole where it is asked for without a limit, %s", (_, prepare, expected) => {
    Object.assign(Error, { prepareStackTrace: prepare });
    const restore = withoutStacks();
    Error.stackTraceLimit = Infinity;
    const meanwhile = new Error("a").stack;
    restore();
    expect(meanwhile).toEqual(expected);
  });

  it("is whole where promises that never end are looked for", () => {
    vi.stubEnv("PULUMI_DEBUG_PROMISE_LEAKS", "true");
    const restore = withoutStacks();
    expect(new Error("a").stack).toContain("without-stacks.test");
    restore();
  });
});
