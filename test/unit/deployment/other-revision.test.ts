/** A service that takes no change while another revision of the deployment is being rolled out. */
import { expect, it } from "vitest";
import { adviceFor } from "../../../provider/errors/advice";
import { startOne } from "../../support/one-deployment";
import { least } from "../../support/langsmith";
import { rejectionOf } from "../../support/service";

const image = (version: number) => ({
  ...least.external_container,
  sourceRevisionConfig: { imageUri: `registry.example.com/chat:${version}` },
});

const inUse = "A new revision cannot be created while revision 2 is BUILDING";
const refusals = [
  [409, "This may be temporary: run the command again a little later."],
  [400, "Correct what the service reports, then run the command again."],
] as const;
const dialects = ["standard", "langsmith"] as const;

it.each(dialects.flatMap((dialect) => refusals.map((refusal) => [dialect, ...refusal] as const)))(
  "a change that it refuses fails at once, with the service's reason and advice: %s, %i",
  async (dialect, status, advice) => {
    const one = await startOne({ dialect }, dialect);
    await one.up(image(1));
    one.emulator.configure({ rollout: "never" });
    one.emulator.change("chat", () => undefined, { revision: true });
    one.emulator.fail({ when: { method: "PATCH" }, times: 1, how: { status, body: { detail: inUse } } });
    const error = await rejectionOf(one.up(image(2)));
    expect([error.message, adviceFor(error)]).toEqual([expect.stringContaining(inUse), advice]);
    expect(one.writes).toHaveLength(1);

    one.emulator.configure({ rollout: { polls: 1 } });
    await one.up(image(2));
    const { latest_revision_id: latest, active_revision_id: active } = one.emulator.deployment("chat")!;
    expect(active).toBe(latest);
  },
);
