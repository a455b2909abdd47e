import { describe, expect, it, onTestFinished } from "vitest";
import { Client } from "../../../provider/control-plane/client";
import { Http } from "../../../provider/control-plane/http";
import { langsmith } from "../../../provider/dialects/langsmith";
import { langsmith as rules, startEmulator } from "../../emulator";
import { RecordingClock } from "../support/clock";

async function connect() {
  const emulator = await startEmulator({ rules });
  onTestFinished(() => emulator.close());
  const clock = new RecordingClock();
  const http = new Http({
    baseUrl: emulator.url,
    headers: { "X-Api-Key": emulator.apiKey },
    secrets: [emulator.apiKey],
    requestTimeout: 10_000,
    maxConcurrency: 8,
    advice: [],
    clock,
  });
  return { emulator, client: new Client({ http, dialect: langsmith, clock, pollInterval: 10 }) };
}

describe("a look at a service that tells of its revisions", () => {
  it("shows a revision as active that was deployed between the answers of the look", async () => {
    const { emulator, client } = await connect();
    const { id } = emulator.create({
      name: "chat",
      source: "external_docker",
      source_config: { resource_spec: {} },
      source_revision_config: { image_uri: "chat:1" },
      secrets: [],
    });
    await client.update(id, { sourceRevisionConfig: { imageUri: "chat:2" } }, { makesRevision: true });
    emulator.clearRequests();
    const seen = await client.look(id);
    expect(emulator.requests.map(({ path }) => path.split("/").slice(4).join("/"))).toEqual([
      "",
      expect.stringMatching(/^revisions\//),
      "",
    ]);
    expect(seen).toMatchObject({
      activeRevisionId: emulator.deployment("chat")!.revisions[1]!.id,
      latestRevisionStatus: "DEPLOYED",
    });
  });
});
