import * as pulumi from "@pulumi/pulumi";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
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

describe("while a resource is made, a stack", () => {
  it("is not captured, and afterwards as it was", () => {
    const restore = withoutStacks({}, Deployment);
    const meanwhile = new Error("a").stack;
    restore();
    expect(meanwhile).toBe("Error: a");
    expect(new Error("b").stack).toContain(here);
    expect(Error.stackTraceLimit).toBe(stackTraceLimit);
  });
});

describe("an error that is thrown while a deployment is made", () => {
  it("has the stack of whoever made it", () => {
    const made = () => new Deployment("", args);
    expect(made).toThrow(expect.objectContaining({ stack: expect.stringMatching(/at made .*stacks\.test/) }));
    expect(Error.stackTraceLimit).toBe(stackTraceLimit);
  });

  const failing: pulumi.ResourceTransformation = ({ type }) => {
    if (type !== "acme:Team") throw new Error("not so");
    return undefined;
  };
  const thrownByProgram = expect.objectContaining({
    message: "not so",
    stack: expect.stringMatching(/at failing .*stacks\.test/),
  });

  it("by a transformation has the line that threw it", () => {
    expect(() => new Deployment("a", args, { transformations: [failing] })).toThrow(thrownByProgram);
  });
});
