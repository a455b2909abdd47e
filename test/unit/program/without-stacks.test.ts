import * as pulumi from "@pulumi/pulumi";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { Deployment } from "../../../provider/program/deployment";
import { withoutStacks } from "../../../provider/program/without-stacks";

const { stackTraceLimit } = Error;
const args = { source: "external_container" } as const;
const here = "without-stacks.test";

beforeAll(async () => {
  await pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => ({ id: name, state: inputs as object }),
    call: () => ({}),
  });
});
afterEach(() => {
  vi.unstubAllEnvs();
  Error.stackTraceLimit = stackTraceLimit;
});

it("while a resource is made, a stack is not captured, and afterwards as it was", () => {
  const restore = withoutStacks({}, Deployment);
  const meanwhile = new Error("a").stack;
  restore();
  expect(meanwhile).toBe("Error: a");
  expect(new Error("b").stack).toContain(here);
  expect(Error.stackTraceLimit).toBe(stackTraceLimit);
});

it("an error that is thrown while a deployment is made has the stack of whoever made it", () => {
  const made = () => new Deployment("", args);
  expect(made).toThrow(expect.objectContaining({ stack: expect.stringMatching(/at made .*stacks\.test/) }));
  expect(Error.stackTraceLimit).toBe(stackTraceLimit);
});
