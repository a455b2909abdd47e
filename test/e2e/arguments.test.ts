import { describe, expect, it } from "vitest";
import { program, useProduct } from "./support";

describe("wrong arguments", () => {
  const product = useProduct({
    program: program(`
new Deployment("chat", {
  source: "extrenal_container",
  sourceConfig: { resourceSpec: { cpus: 1, minScale: 1.5, maxScale: "3", memoryMb: -1, volumes: [{ nmae: "a" }] } },
  sourceRevisonConfig: { imageUri: "registry.example.com/chat:1" },
  sourceRevisionConfig: { imageURI: "registry.example.com/chat:1", repoRef: 7 },
  secrets: ["a-canary"],
  secretReferences: { DB: { secretName: "db", secretKey: pulumi.secret({ a: "b-canary" }) } },
  triggers: { anything: [1, "two", { three: 3 }] },
});
`),
  });

  it("are all reported at once, by their places, in the preview (A16)", async () => {
    const { screen, output, requests } = await product.preview({ expectFailure: true });
    expect(requests).toEqual([]);
    expect(screen).toMatchInlineSnapshot(`
      "Previewing update (dev):
          pulumi-nodejs:dynamic/deployment-service:Deployment chat  12 errors
      Diagnostics:
        pulumi-nodejs:dynamic/deployment-service:Deployment (chat):
          error: pulumi-nodejs:dynamic/deployment-service:Deployment resource 'chat' has a problem: source: expected one of codehost, external_container, internal_container, internal_source, internal_template; did you mean "external_container"?
          error: pulumi-nodejs:dynamic/deployment-service:Deployment resource 'chat' has a problem: sourceConfig.resourceSpec.minScale: expected a whole number, got a decimal number
          error: pulumi-nodejs:dynamic/deployment-service:Deployment resource 'chat' has a problem: sourceConfig.resourceSpec.maxScale: expected a number, got a string
          error: pulumi-nodejs:dynamic/deployment-service:Deployment resource 'chat' has a problem: sourceConfig.resourceSpec.memoryMb: expected a number of at least 0
          error: pulumi-nodejs:dynamic/deployment-service:Deployment resource 'chat' has a problem: sourceConfig.resourceSpec.volumes[0].nmae: unknown key "nmae"; did you mean "name"?
          error: pulumi-nodejs:dynamic/deployment-service:Deployment resource 'chat' has a problem: sourceConfig.resourceSpec.cpus: unknown key "cpus"; use cpu
          error: pulumi-nodejs:dynamic/deployment-service:Deployment resource 'chat' has a problem: sourceRevisionConfig.repoRef: expected a string, got a number
          error: pulumi-nodejs:dynamic/deployment-service:Deployment resource 'chat' has a problem: sourceRevisionConfig.imageURI: unknown key "imageURI"; did you mean "imageUri"?
          error: pulumi-nodejs:dynamic/deployment-service:Deployment resource 'chat' has a problem: secrets: expected an object, got a list; write a map: { NAME: value }
          error: pulumi-nodejs:dynamic/deployment-service:Deployment resource 'chat' has a problem: secretReferences.DB.secretKey: expected a string, got an object
          error: pulumi-nodejs:dynamic/deployment-service:Deployment resource 'chat' has a problem: sourceRevisonConfig: unknown key "sourceRevisonConfig"; did you mean "sourceRevisionConfig"?
          error: pulumi-nodejs:dynamic/deployment-service:Deployment resource 'chat' has a problem: secretReferences: only source external_container supports secret references, but the source is extrenal_container; use secrets"
    `);
    expect(output).not.toContain("canary");
    expect(output).not.toMatch(/^ +at .*\.js/m);
  });

  it("that are not known yet are reported by `up`, before any request for them (A17)", async () => {
    product.stack.write(
      program(`
const first = new Deployment("first", { source: "internal_source" });
new Deployment("second", { source: "internal_source", sourceConfig: { integrationId: first.url } });`),
    );
    await product.preview();
    const { screen, writes } = await product.up({ expectFailure: true });
    expect(screen).toMatchInlineSnapshot(`
      "Updating (dev):
       +  pulumi-nodejs:dynamic/deployment-service:Deployment first created
          pulumi-nodejs:dynamic/deployment-service:Deployment second **failed** 1 error
      Diagnostics:
        pulumi-nodejs:dynamic/deployment-service:Deployment (second):
          error: pulumi-nodejs:dynamic/deployment-service:Deployment resource 'second' has a problem: sourceConfig.integrationId: expected a UUID, such as <id>"
    `);
    expect(writes.map(({ method }) => method)).toEqual(["POST"]);
  });
});
