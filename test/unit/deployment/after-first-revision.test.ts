/** What the public service takes only once a revision is active: the size, and the name on its pages. */
import { describe, expect, it } from "vitest";
import type { EmulatorOptions } from "../../../emulator";
import type { Values } from "../../../schema/tree";
import { sentencesText } from "../../../provider/errors/advice";
import { optionsKey } from "../../../provider/stored/internal-inputs";
import { startOne, type OneDeployment } from "../../support/one-deployment";
import { rejectionOf } from "../../support/service";

let one: OneDeployment;
const start = async (options: EmulatorOptions = {}) => {
  one = await startOne({ dialect: "langsmith", ...options }, "langsmith");
  return one.emulator;
};

const sized = (deploymentTier?: string, more: Values = {}) => ({
  name: "chat",
  source: "internal_template",
  sourceConfig: { deploymentType: "dev_zero", ...(deploymentTier && { deploymentTier }) },
  ...more,
});
const size = () => one.emulator.deployment("chat")?.tiers?.compute_tier;
const revisions = () => one.emulator.deployment("chat")!.revisions.length;
const methods = (writes: { method: string }[]) => writes.map(({ method }) => method);
const ignoring = { ignoreChanges: ["sourceConfig", "displayName"] };
const argumentsKept = () => (one.kept!.outputs["sourceConfig"] as Values)["deploymentTier"];

describe("a size", () => {
  it.each([
    ["that is the default makes no second revision", sized("SERVERLESS_S"), ["POST"], undefined],
    ["follows the creation", sized("SERVERLESS_M"), ["POST", "PATCH"], "SERVERLESS_M"],
    [
      "with `ignoreChanges` is sent at first",
      sized("SERVERLESS_M", { __options: { ignoreChanges: [["sourceConfig", "deploymentTier"]] } }),
      ["POST", "PATCH"],
      "SERVERLESS_M",
    ],
  ])("%s", async (_, args, sent, becomes) => {
    await start();
    expect(methods(await one.up(args))).toEqual(sent);
    expect(size()).toBe(becomes);
    expect(one.preview(args).kind).toBe("nothing");
  });

  it("is left by `skipAwait` to the first `up` after a revision is active, and each before says so", async () => {
    await start();
    const args = sized("SERVERLESS_M", { skipAwait: true });
    const left =
      "no revision is active yet: the first `pulumi up` after one is active sends sourceConfig.deploymentTier";
    expect([methods(await one.up(args)), one.said.at(-1)]).toEqual([["POST"], left]);
    one.said = [];
    expect([methods(await one.up(args)), one.said.at(-1)]).toEqual([[], left]);
    one.emulator.finish("chat");
    expect(methods(await one.up(args))).toEqual(["PATCH"]);
    expect(one.preview(args).kind).toBe("nothing");
  });

  it("that the service has already is announced neither before nor after others finished a failed creation", async () => {
    await start({ rollout: { polls: 0, fails: true } });
    await rejectionOf(one.up(sized()));
    one.emulator.configure({ rollout: { polls: 0 } });
    // Someone else's revision, of which this stack knows nothing.
    await one.killed(sized(undefined, { secrets: { A: "1" } }));
    expect(revisions()).toBe(2);
    expect(one.preview(sized("SERVERLESS_S")).explanation).not.toContain("creates a new revision");
    expect(await one.up(sized("SERVERLESS_S"))).toEqual([]);
    expect([revisions(), one.preview(sized("SERVERLESS_S")).kind]).toEqual([2, "nothing"]);
  });

  it("that the service has already does not keep `triggers` from making a revision", async () => {
    await start();
    const values = { secrets: { A: "1" } };
    await one.up(sized("SERVERLESS_S", values));
    one.emulator.change("chat", (record) => {
      record.tiers = { compute_tier: "SERVERLESS_M", database_tier: "SERVERLESS_M" };
    });
    const declared = sized("SERVERLESS_M", { ...values, triggers: { at: 1 } });
    expect(one.preview(declared).explanation).toMatch(/^creates a new revision .*triggers/);
    const [patch] = await one.up(declared);
    expect(patch!.body).toEqual({
      deployment_tier: "SERVERLESS_M",
      secrets: [{ name: "A", value: "1" }],
    });
    expect([revisions(), one.preview(declared).kind]).toEqual([2, "nothing"]);
  });

  it("that the service refuses fails with its words and the families, and nothing is lost", async () => {
    await start();
    const detail = "Tier 'SERVERLESS_M' is not available";
    one.emulator.fail({ when: { method: "PATCH" }, how: { status: 400, body: { detail } } });
    const text = sentencesText(await rejectionOf(one.up(sized("SERVERLESS_M"))));
    expect(text).toContain(detail);
    expect(text).toContain(
      "The deployment runs without the declared sourceConfig.deploymentTier: the next `pulumi up` sends it. A dedicated " +
        "deployment (type prod) accepts the DEDICATED tiers, a serverless one (dev_zero) the SERVERLESS ones",
    );
    expect([argumentsKept(), revisions()]).toEqual(["SERVERLESS_S", 1]);
    await one.up(sized());
    expect(one.preview(sized("SERVERLESS_S")).kind).not.toBe("revision");
    expect(methods(await one.up(sized("SERVERLESS_L")))).toEqual(["PATCH"]);
    expect([size(), revisions()]).toEqual(["SERVERLESS_L", 2]);
  });

  it("that was refused is still sent where `ignoreChanges` covers it: only what comes after it is others'", async () => {
    await start();
    const args = sized("SERVERLESS_M", { displayName: "Chat", [optionsKey]: ignoring });
    one.emulator.fail({ when: { method: "PATCH" }, how: { status: 400 } });
    await rejectionOf(one.up(args));
    const [patch] = await one.up(args);
    expect(patch!.body).toEqual({ deployment_tier: "SERVERLESS_M", display_name: "Chat" });
    expect([size(), revisions(), one.preview(args).kind]).toEqual(["SERVERLESS_M", 2, "nothing"]);
  });

  it("that was refused is still sent together with an object of which others own a part", async () => {
    await start();
    const args = (secrets: Values) =>
      sized("SERVERLESS_M", {
        secrets,
        [optionsKey]: { ignoreChanges: [["sourceConfig"], ["secrets", "B"]] },
      });
    one.emulator.fail({ when: { method: "PATCH" }, how: { status: 400 } });
    await rejectionOf(one.up(args({ A: "1" })));
    const [patch] = await one.up(args({ A: "2" }));
    expect(patch!.body).toMatchObject({
      deployment_tier: "SERVERLESS_M",
      secrets: [{ name: "A", value: "2" }],
    });
  });
});

describe("what waits for an active revision, after an `up` with `skipAwait`", () => {
  const declared = [
    ["a size", { sourceConfig: { deploymentType: "dev_zero", deploymentTier: "SERVERLESS_M" } }],
    ["a display name", { displayName: "Chat" }],
  ] as const;
  const awaited = declared.flatMap(([what, more]) =>
    [undefined, true].map(
      (skipAwait) => [what, sized(undefined, { ...more, skipAwait: true }), skipAwait] as const,
    ),
  );

  it.each(awaited)(
    "is never green over a deployment that is gone: %s, %j, skipAwait %s",
    async (_, args, skipAwait) => {
      await start();
      await one.up(args, { keyDigest: "k" });
      one.emulator.remove("chat");
      const message = (await rejectionOf(one.up({ ...args, skipAwait }, { keyDigest: "k" }))).message;
      expect(message).toMatch(
        /^the service does not show the deployment, .*`pulumi refresh` shows whether it/,
      );
    },
  );

  it.each(awaited)(
    "is never green over a first revision that failed: %s, %j, skipAwait %s",
    async (_, args, skipAwait) => {
      await start({ rollout: { polls: 0, fails: true } });
      await one.up(args);
      const error = await rejectionOf(one.up({ ...args, skipAwait }));
      expect(error.message).toMatch(
        skipAwait ? /^the first revision failed \(DEPLOY_FAILED\)/ : /^revision .* failed \(DEPLOY_FAILED\)/,
      );
      one.emulator.configure({ rollout: { polls: 1 } });
      await one.up({ ...args, skipAwait: undefined, secrets: { A: "1" } });
      expect(one.preview({ ...args, skipAwait: undefined, secrets: { A: "1" } }).kind).toBe("nothing");
    },
  );

  it.each(awaited)(
    "waits for the first revision, unless `skipAwait` says otherwise: %s, %j, skipAwait %s (A02)",
    async (_, args, skipAwait) => {
      await start({ rollout: { polls: 5 } });
      await one.up(args);
      expect(methods(await one.up({ ...args, skipAwait }))).toEqual(skipAwait ? [] : ["PATCH"]);
      one.emulator.finish("chat");
      expect(methods(await one.up({ ...args, skipAwait }))).toEqual(skipAwait ? ["PATCH"] : []);
    },
  );
});

it("`shareable` is chosen on creation, and never changes", async () => {
  await start();
  const [post] = await one.up(sized(undefined, { shareable: true }));
  expect(post!.body).toMatchObject({ shareable: true });
  const taken = one.preview(sized());
  expect(taken.kind).not.toBe("replacement");
  expect(taken.warnings).toEqual(["shareable is no longer declared but stays: this service cannot clear it"]);
  expect(one.preview(sized(undefined, { shareable: false })).kind).toBe("replacement");
});
