import * as pulumi from "@pulumi/pulumi";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Deployment, fromRepository, getDeployment } from "../../../provider";

const args = {
  source: "external_container",
  sourceRevisionConfig: { imageUri: "registry.example.com/chat:1" },
} as const;
const configure = (keys: Record<string, string>, project: string) => {
  void pulumi.runtime.setMocks(
    { newResource: ({ inputs }) => ({ id: "d1", state: inputs }), call: () => ({}) },
    project,
    "dev",
  );
  pulumi.runtime.setAllConfig(keys);
};
const inStack = (work: () => Promise<void>) => pulumi.runtime.runInPulumiStack(work);
afterEach(() => pulumi.runtime.setAllConfig({}));

describe("the stack's configuration", () => {
  it("is warned of once per run if a key is unknown, whatever is declared or looked up with it", async () => {
    const configuration = { "deployment-service:tenant": "t1", "deployment-service:later": "x" };
    configure(configuration, "shop");
    const warn = vi.spyOn(pulumi.log, "warn").mockResolvedValue();
    await inStack(async () => {
      new Deployment("chat", args);
      await getDeployment({ name: "chat" }).catch(() => undefined);
      new Deployment("search", args);
    });
    expect(warn.mock.calls).toEqual([
      ['the setting deployment-service:tenant is ignored: unknown key "tenant"; did you mean "tenantId"?'],
      ['the setting deployment-service:later is ignored: unknown key "later"'],
    ]);
    await inStack(async () => void new Deployment("chat", args));
    expect(warn).toHaveBeenCalledTimes(4);
    warn.mockRestore();
  });

  it("is warned of once per run if it holds the API key in plain text, and not if it is a secret", async () => {
    configure({}, "shop");
    const warn = vi.spyOn(pulumi.log, "warn").mockResolvedValue();
    const key = "deployment-service:apiKey";
    const declare = () =>
      inStack(async () => {
        new Deployment("chat", args);
        new Deployment("search", args);
        await Promise.resolve();
      });
    pulumi.runtime.setAllConfig({ [key]: "sesame" }, [key]);
    await declare();
    expect(warn).not.toHaveBeenCalled();
    pulumi.runtime.setAllConfig({ [key]: "sesame" }, []);
    await declare();
    expect(warn.mock.calls).toEqual([[expect.stringContaining(`pulumi config set --secret ${key}`)]]);
    expect(JSON.stringify(warn.mock.calls)).not.toContain("sesame");
    warn.mockRestore();
  });

  it.each(["https://user:sesame@host.example.com", "https://host.example.com?token=sesame"])(
    "is refused before it is copied to the state if its address may contain a credential: %s",
    (baseUrl) => {
      configure({ "deployment-service:baseUrl": baseUrl }, "shop");
      const declare = () => new Deployment("chat", args);
      expect(declare).toThrow("This run did not copy it to the state");
      expect(declare).not.toThrow("sesame");
    },
  );

  it("may hold the keys of everybody else, and those of a project of that name", () => {
    configure(
      { "shop:tenant": "t1", "deployment-service:tenantId": "t1", "deployment-services:a": "b" },
      "shop",
    );
    expect(() => new Deployment("chat", args)).not.toThrow();
    configure({ "deployment-service:tenant": "t1" }, "deployment-service");
    expect(() => new Deployment("chat", args)).not.toThrow();
  });
});

it("a missing repository is an error in words", () => {
  expect(() => fromRepository(undefined as never)).toThrow("fromRepository expects a repository");
});
