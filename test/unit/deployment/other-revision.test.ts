/** A service that takes no change while another revision of the deployment is being rolled out. */
import { expect, it } from "vitest";
import type { JsonObject } from "../../../emulator";
import { startOne, type OneDeployment } from "../../support/one-deployment";
import { least } from "../../support/langsmith";
import { rejectionOf } from "../../support/service";

let one: OneDeployment;

const image = (version: number, buildOnPush?: boolean) => ({
  ...least.external_container,
  sourceRevisionConfig: { imageUri: `registry.example.com/chat:${version}` },
  ...(buildOnPush !== undefined && { sourceConfig: { buildOnPush } }),
});

const refusals = [
  [409, { detail: "Conflict" }],
  [400, { detail: "A new revision cannot be created while revision 2 is BUILDING" }],
] as const;
const dialects = ["standard", "langsmith"] as const;
const cases = dialects.flatMap((dialect) => refusals.map((refusal) => [dialect, ...refusal] as const));

/** Someone else's revision is being rolled out, and the service refuses this many changes. */
async function busy(dialect: (typeof dialects)[number], status: number, body: JsonObject, count: number) {
  one = await startOne({ dialect }, dialect);
  await one.up(image(1));
  one.emulator.configure({ rollout: count > 1 ? "never" : { polls: 4 } });
  one.emulator.change("chat", () => undefined, { revision: true });
  one.emulator.configure({ rollout: { polls: 1 } });
  one.emulator.fail({ when: { method: "PATCH" }, times: count, how: { status, body } });
}

it.each(cases)(
  "a change that it refuses meanwhile waits for that revision: %s, %i %j",
  async (dialect, ...how) => {
    await busy(dialect, ...how, 1);
    await one.up(image(2));
    const {
      revisions,
      latest_revision_id: latest,
      active_revision_id: active,
    } = one.emulator.deployment("chat")!;
    expect([revisions.length, active]).toEqual([3, latest]);
    expect(one.preview(image(2)).kind).toBe("nothing");
  },
);

it.each(cases)(
  "the wait ends with the operation's timeout, and the error says what it waited for: %s, %i %j",
  async (dialect, ...how) => {
    await busy(dialect, ...how, 1000);
    const { message } = await rejectionOf(one.up(image(2), { timeout: 60_000 }));
    expect(message).toMatch(
      /Revision [0-9a-f-]{36} is still being rolled out: .*run `pulumi up` again later$/,
    );
    expect(one.emulator.deployment("chat")!.revisions).toHaveLength(2);
  },
);

it.each(dialects)("a change that it refuses for another reason fails at once: %s", async (dialect) => {
  await busy(dialect, 400, { detail: "image_uri is malformed" }, 1);
  const { message } = await rejectionOf(one.up(image(2)));
  expect(message).toContain("image_uri is malformed");
  expect(one.writes).toHaveLength(1);
});
