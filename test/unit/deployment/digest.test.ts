/** A service that shows an image by its digest, but only after the rollout. */
import { expect, it } from "vitest";
import { startOne, type OneDeployment } from "../../support/one-deployment";
import { least } from "../../support/langsmith";

let one: OneDeployment;

const digest = (name: string, letter: string) => `${name}@sha256:${letter.repeat(64)}`;
const show = (image: string, revision = false) =>
  one.emulator.change("chat", (record) => void (record.source_revision_config["image_uri"] = image), {
    revision,
  });

it.each([
  ["standard", "registry.example.com/chat:1"],
  ["standard", "registry.example.com:5000/chat:1"],
  ["langsmith", "registry.example.com/team/chat:v1.2"],
] as const)(
  "an image that becomes a digest is no drift, but another digest is: %s, %s",
  async (dialect, image) => {
    one = await startOne({ dialect }, dialect);
    const args = { ...least.external_container, sourceRevisionConfig: { imageUri: image } };
    await one.up(args);
    const name = image.replace(/:[^:/]*$/, "");
    show(digest(name, "a"));
    expect([await one.refresh(), one.preview(args).kind]).toEqual([false, "nothing"]);
    expect(await one.refresh()).toBe(false);
    show(digest(name, "b"), true);
    expect([await one.refresh(), one.preview(args).kind]).toEqual([true, "revision"]);
  },
);

it.each(["registry.example.com/other", "elsewhere.example.com/chat"])(
  "a digest of another image is drift: %s",
  async (name) => {
    one = await startOne();
    const args = least.external_container;
    await one.up(args);
    show(digest(name, "a"));
    expect(await one.refresh()).toBe(true);
  },
);
