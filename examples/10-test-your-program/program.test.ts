/** What the program declares: with the engine's mocks, without a service and in milliseconds. */
import * as pulumi from "@pulumi/pulumi";
import { beforeEach, expect, it, vi } from "vitest";

const declared = new Map<string, pulumi.runtime.MockResourceArgs["inputs"]>();

beforeEach(() => {
  declared.clear();
  vi.resetModules();
});

async function run(stack: string): Promise<void> {
  pulumi.runtime.setAllConfig({
    "test-your-program:modelApiKey": "sk-test",
    "test-your-program:tag": "1.4.2",
  });
  await pulumi.runtime.setMocks(
    {
      newResource: ({ name, inputs }) => {
        declared.set(name, inputs);
        return { id: `${name}-id`, state: { ...inputs, status: "READY" } };
      },
      call: ({ inputs }) => inputs,
    },
    "test-your-program",
    stack,
  );
  const { status } = await import("./index.js");
  await new Promise((resolve) => status.apply(resolve));
}

it("has room to grow in production only", async () => {
  await run("prod");
  expect(declared.get("tutor")).toMatchObject({
    sourceConfig: { resourceSpec: { minScale: 2, maxScale: 6 } },
  });
  vi.resetModules();
  await run("dev");
  expect(declared.get("tutor")).toMatchObject({
    sourceConfig: { resourceSpec: { minScale: 1, maxScale: 1 } },
  });
});

it("runs the image that the configuration mentions", async () => {
  await run("dev");
  expect(declared.get("tutor")).toMatchObject({
    sourceRevisionConfig: { imageUri: "registry.example.com/tutor:1.4.2" },
  });
});
