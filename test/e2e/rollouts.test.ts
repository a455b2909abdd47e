import { unseal } from "../engine/sealed";
import { describe, expect, it } from "vitest";
import { program, useProduct } from "./support";

/** A deployment whose rollouts may take one second. */
const chat = (image: string, more = "") =>
  program(`
new Deployment(
  "chat",
  { source: "external_container", sourceRevisionConfig: { imageUri: "registry.example.com/chat:${image}" }, ${more} },
  { customTimeouts: { create: "1s", update: "1s" } },
);`);

describe("a rollout that does not end in time", () => {
  const product = useProduct({ program: chat("1"), emulator: { rollout: "never" } });
  /** The speed of the machine decides whether the last poll was answered in time. */
  const failedUp = async () => {
    const { writes, screen } = await product.up({ expectFailure: true });
    return { writes, screen: screen.replace(/ when last seen; since then, .* gives more\)/, "") };
  };
  const mark = () => {
    const { ciphertext } = product.stack.resource("chat").outputs?.["__private"] as { ciphertext: string };
    const memory = JSON.parse(unseal(ciphertext)) as string;
    return (JSON.parse(memory) as { rollout?: unknown }).rollout;
  };

  it("fails the creation and loses nothing (H07)", async () => {
    const { writes, screen } = await failedUp();
    expect(writes.map(({ method }) => method)).toEqual(["POST"]);
    expect(screen).toMatchInlineSnapshot(`
      "Updating (dev):
       +  pulumi-nodejs:dynamic/deployment-service:Deployment chat **creating failed**
      Diagnostics:
        pulumi-nodejs:dynamic/deployment-service:Deployment (chat):
          error: 1 error occurred:
          	* chat: create failed: the rollout did not finish within 1s: revision <id> is not active; active revision: none, status AWAITING_DATABASE. The deployment exists and the rollout may still be in progress: the next \`pulumi up\` resumes waiting. To wait longer, set the resource option \`customTimeouts\`."
    `);
    const [deployment] = product.emulator.deployments();
    expect(product.emulator.deployments()).toHaveLength(1);
    expect(product.stack.resource("chat")).toMatchObject({ id: deployment?.id });
    expect(mark()).toMatchObject({ revision: deployment?.latest_revision_id });
  });

  it("is waited for again by the next up, which sends nothing and fails while it continues (C13)", async () => {
    expect((await product.preview({ diff: true })).screen).toMatchInlineSnapshot(`
      "Previewing update (dev):
      chat: resumes waiting for its last rollout, no new revision
          ~ pulumi-nodejs:dynamic/deployment-service:Deployment: (update)
              generation          : 1
              name                : "chat"
              source              : "external_container"
              sourceRevisionConfig: {
                  imageUri: "registry.example.com/chat:1"
              }
      Resources:
          ~ 1 to update
          1 unchanged"
    `);
    const { writes, screen } = await failedUp();
    expect(writes).toEqual([]);
    expect(screen).toMatchInlineSnapshot(`
      "Updating (dev):
       ~  pulumi-nodejs:dynamic/deployment-service:Deployment chat **updating failed**
      Diagnostics:
        pulumi-nodejs:dynamic/deployment-service:Deployment (chat):
          chat: resumes waiting for its last rollout, no new revision
          error: 1 error occurred:
          	* chat: update failed: the rollout did not finish within 1s: revision <id> is not active; active revision: none, status AWAITING_DATABASE. The deployment exists and the rollout may still be in progress: the next \`pulumi up\` resumes waiting. To wait longer, set the resource option \`customTimeouts\`."
    `);
  });

  it("ends well in the next up when the service finished meanwhile (C14)", async () => {
    product.emulator.finish("chat");
    const { writes, screen } = await product.up();
    expect(writes).toEqual([]);
    expect(screen).toMatchInlineSnapshot(`
      "Updating (dev):
       ~  pulumi-nodejs:dynamic/deployment-service:Deployment chat updated
      Diagnostics:
        pulumi-nodejs:dynamic/deployment-service:Deployment (chat):
          chat: resumes waiting for its last rollout, no new revision
      Resources:
          ~ 1 updated
          1 unchanged"
    `);
    expect(mark()).toBeUndefined();
    expect((await product.preview({ args: ["--expect-no-changes"] })).requests).toEqual([]);
  });
});
