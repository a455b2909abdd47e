/** The stock process does not pass on that the engine cancels: the provider has to hear it by itself, on each SDK. */
import { describe, expect, it } from "vitest";
import { CallError, declared, opened, sdks, useProvider } from "../support/provider-process";

describe.each(sdks)("a provider process that is told to cancel, on %s", (_, { name: sdk }) => {
  const served = useProvider(sdk);

  it("ends its wait at once, and gives what there is", async () => {
    const { service, process } = served;
    service.configure({ rollout: "never" });
    const { inputs } = await process.check(declared("chat"));
    const ended = process.create(inputs).catch((error: unknown) => error);
    await expect.poll(() => service.requestLines()).toContain("GET /v2/deployments 200");
    await process.cancel();
    const error = await ended;
    expect(error).toBeInstanceOf(CallError);
    const { message, partial } = error as CallError;
    expect(message).toMatch(/^chat: create failed: interrupted: .* the next `pulumi up` resumes waiting\.$/);
    expect(partial).toMatchObject({ id: service.deployment("chat")?.id, reasons: [message] });
  });
});

describe("a provider process that is told to cancel while the service asks it to slow down", () => {
  const served = useProvider("@pulumi/pulumi");

  it("ends whatever it does at once", async () => {
    const { service, process } = served;
    const { inputs } = await process.check(declared("chat", { skipAwait: true }));
    const { id, properties } = await process.create(inputs);
    service.fail({ times: "always", how: { status: 429, retryAfter: "60" } });
    service.clearRequests();
    const other = await process.check(declared("search"));
    const calls = [process.create(other.inputs), process.read(id, { state: opened(properties), inputs })];
    const ended = calls.map((call) => call.catch((error: unknown) => error));
    await expect.poll(() => service.requestLines().length).toBeGreaterThan(0);
    await process.cancel();
    for (const end of ended) {
      const error = await end;
      expect(error).toBeInstanceOf(CallError);
      expect((error as CallError).message).toContain("interrupted");
    }
  });
});
