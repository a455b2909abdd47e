import { describe, expect, it } from "vitest";
import { declared, opened, providerText, secret, urn, type Served } from "../../support/provider-process";

export function operating(served: Served): void {
  describe("create", () => {
    it("gives plain values, the text that loads the provider among them", async () => {
      const { inputs } = await served.process.check(declared("chat"));
      const { id, properties } = await served.process.create(inputs);
      expect(served.service.deployment("chat")).toMatchObject({ id, status: "READY" });
      expect(properties).toMatchObject({
        ...inputs,
        status: "READY",
        latestRevisionId: served.service.deployment("chat")?.latest_revision_id,
        repoCommitSha: null,
        __provider: providerText,
      });
    });

    it("wraps what must be secret, whatever the program passed (G19)", async () => {
      const { properties } = await served.up("chat", {
        secrets: { MODEL_API_KEY: "sesame-opens" },
        sourceConfig: { customUrl: "https://chat.example.com" },
        __options: { urn: urn("chat"), secretPaths: ["sourceConfig.customUrl"] },
      });
      expect(properties["secrets"]).toEqual(secret({ MODEL_API_KEY: "sesame-opens" }));
      expect(properties["url"]).toEqual(secret("https://chat.example.com"));
    });

    it("shows beside the resource what it waits for, and keeps none of it (J13)", async () => {
      await served.up("chat");
      const { messages } = served.process;
      expect(messages.map(({ text }) => text)).toEqual([
        expect.stringMatching(
          /^waiting for revision \S+ to become active \(status AWAITING_DATABASE, \S+ of at most 30m\)$/,
        ),
        expect.stringMatching(/^revision \S+ is active/),
      ]);
      for (const message of messages) {
        expect(message).toMatchObject({ severity: "info", urn: urn("chat"), ephemeral: true });
      }
    });

    it("of 50 at once share one process and one limit of requests", async () => {
      const names = Array.from({ length: 50 }, (_, at) => `chat-${at}`);
      served.service.fail({ how: { slowMs: 5 }, times: "always" });
      const made = await Promise.all(names.map((name) => served.up(name)));
      expect(new Set(made.map(({ id }) => id)).size).toBe(50);
      expect(
        served.service
          .deployments()
          .map(({ name }) => name)
          .sort(),
      ).toEqual([...names].sort());
      expect(served.service.requests().filter(({ method }) => method === "POST")).toHaveLength(50);
      expect(served.service.peakInFlight).toBe(4);
    });
  });

  describe("read", () => {
    it("gives the state and the inputs as the service has them", async () => {
      const { id, inputs, state } = await served.up("chat", { sourceConfig: { buildOnPush: true } });
      served.service.change("chat", (record) => (record.source_config["build_on_push"] = false));
      const seen = await served.process.read(id, { state, inputs });
      expect(seen.id).toBe(id);
      expect(opened(seen.inputs)).toEqual({ ...inputs, sourceConfig: { buildOnPush: false } });
      expect(opened(seen.properties)).toMatchObject({
        ...inputs,
        sourceConfig: { buildOnPush: false },
        status: "READY",
      });
    });

    it("gives nothing when the deployment is gone", async () => {
      const { id, inputs, state } = await served.up("chat");
      served.service.remove("chat");
      expect(await served.process.read(id, { state, inputs })).toMatchObject({ id: "" });
    });
  });

  describe("update", () => {
    it("sends what changed, and gives everything back", async () => {
      const { id, inputs: olds, state } = await served.up("chat", { secrets: { KEY: "sesame-opens" } });
      const { inputs } = await served.process.check(
        declared("chat", {
          secrets: { KEY: "sesame-opens" },
          sourceRevisionConfig: { imageUri: "registry.example.com/chat:2" },
        }),
        olds,
      );
      served.service.clearRequests();
      const updated = await served.process.update(id, state, inputs);
      const [patch] = served.service.requests();
      expect(patch).toMatchObject({
        method: "PATCH",
        body: { source_revision_config: { image_uri: "registry.example.com/chat:2" } },
      });
      expect(Object.keys(updated).sort()).toEqual(Object.keys(state).sort());
      expect(updated["secrets"]).toEqual(secret({ KEY: "sesame-opens" }));
      expect(updated).toMatchObject({ ...inputs, secrets: updated["secrets"], __provider: providerText });
    });

    it.each([
      ["skipAwait", { skipAwait: true }],
      ["adopt", { adopt: true }],
      ["the time limits", { __options: { urn: urn("chat"), timeouts: { update: "1h" } } }],
    ])("sends nothing when only %s changed, and remembers it", async (_, more) => {
      const { id, inputs: olds, state } = await served.up("chat");
      const { inputs } = await served.process.check(declared("chat", more), olds);
      served.service.clearRequests();
      const updated = await served.process.update(id, state, inputs);
      expect(served.service.requestLines()).toEqual([]);
      expect(opened(updated)).toEqual({ ...state, ...more });
    });
  });

  describe("delete", () => {
    it("deletes, and waits until the deployment is gone", async () => {
      const { id, state } = await served.up("chat");
      await served.process.delete(id, state);
      expect(served.service.deployments()).toEqual([]);
    });

    it("is content when there is nothing to delete", async () => {
      const { id, state } = await served.up("chat");
      served.service.remove("chat");
      await expect(served.process.delete(id, state)).resolves.toBeUndefined();
    });
  });

  it("prints nothing as long as nothing fails", async () => {
    const { id, inputs, state } = await served.up("chat");
    await served.process.diff(id, state, inputs);
    await served.process.read(id, { state, inputs });
    await served.process.update(id, state, inputs);
    await served.process.delete(id, state);
    expect(served.process.output).toBe("");
  });
}
