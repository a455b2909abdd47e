/** The stock process does not pass on that the engine cancels: the provider has to hear it by itself, on each SDK. */
import { describe, expect, it } from "vitest";
import { CallError, declared, sdks, useProvider } from "./support";

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
