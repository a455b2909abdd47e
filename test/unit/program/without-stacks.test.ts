import * as pulumi from "@pulumi/pulumi";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { Deployment } from "../../../provider/program/deployment";
import { withoutStacks } from "../../../provider/program/without-stacks";

const { stackTraceLimit } = Error;
const args = { source: "internal_template" } as const;
const here = "without-stacks.test";

beforeAll(async () => {
  await pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => ({ id: name, state: inputs as object }),
    call: () => ({}),
  });
});
afterEach(() => {
  Error.stackTraceLimit = stackTraceLimit;
});

it("stacks are not captured while a resource is created, and are captured again afterwards", () => {
  const restore = withoutStacks({}, Deployment);
  const meanwhile = new Error("a").stack;
  restore();
  expect(meanwhile).toBe("Error: a");
  expect(new Error("b").stack).toContain(here);
  expect(Error.stackTraceLimit).toBe(stackTraceLimit);
});

it("an error of the constructor has the stack of the program", () => {
  const made = () => new Deployment("", args);
  expect(made).toThrow(expect.objectContaining({ stack: expect.stringMatching(/at made .*stacks\.test/) }));
  expect(Error.stackTraceLimit).toBe(stackTraceLimit);
});

it("stacks are captured if the SDK is to report leaked promises, or if functions of the program run meanwhile", () => {
  withoutStacks({ transformations: [() => undefined] }, Deployment);
  expect(new Error("a").stack).toContain(here);
  vi.stubEnv("PULUMI_DEBUG_PROMISE_LEAKS", "true");
  withoutStacks({}, Deployment);
  expect(new Error("b").stack).toContain(here);
});
