import * as pulumi from "@pulumi/pulumi";
import { afterEach, describe, expect, it } from "vitest";
import { Deployment, getDeployment } from "../../../provider";

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
afterEach(() => pulumi.runtime.setAllConfig({}));

describe("the stack's configuration", () => {
  it("is refused where a key is misspelt, whatever is declared or looked up with it", async () => {
    configure({ "deployment-service:tenant": "t1" }, "shop");
    const text =
      "the stack's configuration has a key that `pulumi config rm deployment-service:tenant` removes: " +
      'unknown key "tenant"; did you mean "tenantId"?';
    expect(() => new Deployment("chat", args)).toThrow(text);
    await expect(getDeployment({ name: "chat" })).rejects.toThrow(text);
  });

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
