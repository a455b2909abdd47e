/** Container images: what no registry accepts, and what is hardly meant. */
import { z } from "zod";
import type { Problem } from "./problem";
import { hasPlaceholder, unreplacedText } from "./placeholders";
import { valueAt, type Values } from "./tree";

const host = "(?:[\\w-]+(?:\\.[\\w-]+)+(?::\\d+)?|[\\w-]+:\\d+|\\[[0-9a-fA-F:]+\\](?::\\d+)?)";
const word = "[a-z0-9]+(?:(?:__?|\\.|-+)[a-z0-9]+)*";
const digestPattern = "sha256:[0-9a-fA-F]{64}|sha512:[0-9a-fA-F]{128}";

/** What registries accept (the distribution specification). */
export const Image = z
  .string()
  .regex(new RegExp(`^(?:${host}/)?${word}(?:/${word})*(?::\\w[\\w.-]{0,127})?(?:@(?:${digestPattern}))?$`), {
    error: ({ input }) => objectionTo(String(input)),
  });

/** Never quotes the image, which may be a secret. */
function objectionTo(image: string): string {
  if (hasPlaceholder(image)) return unreplacedText;
  const { path, tag, tags, digest } = partsOf(image);
  if (/^[!-~]+$/.test(image)) {
    if (tag === "") return "has an empty tag: check where the text after the colon comes from";
    if (tags > 1) return "has two tags";
    if (tag !== undefined && tag.length > 128)
      return `has a tag of ${tag.length} characters, and a tag has at most 128`;
    if (tag?.includes("+"))
      return "has a tag with +, which no registry accepts: write - instead, for example";
    if (digest !== undefined && !new RegExp(`^(?:${digestPattern})$`).test(digest))
      return "has an invalid digest: expected sha256: and 64 hexadecimal digits";
    if (/[A-Z]/.test(path))
      return "has capital letters in its repository, which no registry accepts: write it in lowercase";
  }
  return (
    "expected an image such as registry.example.com/chat:1.4.2: no https://, no white space, no invisible characters such as a " +
    "line end"
  );
}

const imagePath = ["sourceRevisionConfig", "imageUri"];

/** What programming languages write for a missing value, and for an object. */
const accident = /^(undefined|null|None|NaN|<nil>|\[object .*)$/;

/** Warnings: such a tag is possible, but hardly meant. */
export function accidentalImages(deployment: Values): Problem[] {
  const image = valueAt(deployment, imagePath);
  if (typeof image !== "string") return [];
  const { tag, digest } = partsOf(image);
  const word = [tag, digest, image.split("/")[0]].find((part) => part !== undefined && accident.test(part));
  if (word === undefined) return [];
  const message = `contains ${word}, which is the text of a missing value or an object: check where it comes from`;
  return [{ path: imagePath, message, rule: "fields" }];
}

/** Warning: pushing another image under the same tag changes no argument, so it makes no revision. */
export function movingTag(deployment: Values): Problem[] {
  const image = valueAt(deployment, imagePath);
  if (typeof image !== "string" || image === "" || (deployment["triggers"] ?? undefined) !== undefined)
    return [];
  const { tag, digest } = partsOf(image);
  if (digest !== undefined || (tag !== undefined && tag !== "latest")) return [];
  const what = tag === undefined ? "has no tag, which means latest" : "has the tag latest";
  const message = `${what}: pushing another image under that tag makes no new revision. Use a digest or a tag that stays, or set \`triggers\``;
  return [{ path: imagePath, message, rule: "fields" }];
}

/** A port belongs to the registry: `registry.example.com:5000/chat:1.4.2@sha256:…`. */
function partsOf(image: string) {
  const [name = "", digest] = image.split("@", 2);
  const parts = name.split("/");
  const [last = "", tag, ...more] = parts.pop()!.split(":");
  const [first] = parts;
  const path = [...(first !== undefined && /[.:]/.test(first) ? parts.slice(1) : parts), last].join("/");
  return { path, tag, tags: more.length + 1, digest };
}
