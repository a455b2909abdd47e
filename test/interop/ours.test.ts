import { describe, expect, it } from "vitest";
import { declaring } from "../e2e/support";
import { newest, oldest, versionOf } from "../interop/client";
import { image, useClient, useStack } from "./support";

const chat = (digit: number) => ({
  source: "external_container",
  sourceConfig: { resourceSpec: { maxScale: 3 } },
  sourceRevisionConfig: { imageUri: image("chat", digit) },
  secrets: { MODEL_API_KEY: "model-hush" },
});

const generations = [newest, oldest].map((generation) => [versionOf(generation), generation] as const);

describe.each(generations)("what this package deploys, seen by client %s", (_, version) => {
  const product = useStack(declaring({ chat: chat(1) }));
  const client = useClient(version, product);
  const resource = () => product.stack.resource("chat");
  const revisionId = () => resource().outputs?.["latestRevisionId"];

  it("is listed under the id that the state holds, with its revision", async () => {
    await product.up();
    expect(await client().list()).toEqual([{ id: resource().id, name: "chat" }]);
    expect(await client().revisions(resource().id!)).toEqual([{ id: revisionId(), status: "DEPLOYED" }]);
  });

  it("has a second revision after a new image, and the first one is replaced", async () => {
    const first = revisionId();
    product.stack.write(declaring({ chat: chat(2) }));
    await product.up();
    expect(await client().revisions(resource().id!)).toEqual([
      { id: revisionId(), status: "DEPLOYED" },
      { id: first, status: "REPLACED" },
    ]);
  });

  it("has a failed revision when `up` says so", async () => {
    product.emulator.configure({ rollout: { polls: 1, fails: true } });
    product.stack.write(declaring({ chat: chat(3) }));
    await product.up({ expectFailure: true });
    const statuses = (await client().revisions(resource().id!)).map(({ status }) => status);
    expect(statuses).toEqual(["DEPLOY_FAILED", "DEPLOYED", "REPLACED"]);
    product.emulator.configure({ rollout: { polls: 1 } });
  });

  it("is deleted by the client; a refresh then says that it is gone, and the next up makes it again", async () => {
    const { id } = resource();
    expect(await client().deploy("delete", "--force", id!)).toContain(`Deleted deployment ${id}`);
    expect((await product.refresh()).screen).toContain("- 1 deleted");
    // The client leaves it behind, and then it keeps the name.
    product.emulator.tracingProjects.delete("chat");
    await product.up();
    expect(await client().list()).toEqual([{ id: resource().id, name: "chat" }]);
    expect(resource().id).not.toBe(id);
  });

  it("is gone for the client after a destroy", async () => {
    await product.destroy();
    expect(await client().list()).toEqual([]);
  });
});
