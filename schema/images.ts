/** Container images: what no registry accepts, and what is hardly meant. */
import { z } from "zod";
import type { Problem } from "./problem";
import { valueAt, type Path, type Values } from "./tree";

/** Not line ends, spaces, and characters that no editor shows, which come with values from files and web pages. */
const part =
  "[^/\\s\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e" +
  "\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb]+";

export const Image = z.string().regex(
  // eslint-disable-next-line no-misleading-character-class -- these characters are the rule
  new RegExp(`^${part}(/${part})*$`),
  "expected an image such as registry.example.com/chat:1.4.2: no https://, no white space, no invisible characters such as a line end",
);

const imagePath = ["sourceRevisionConfig", "imageUri"];

/** What programming languages write for a missing value, and for an object. */
const accident = /^(undefined|null|None|NaN|<nil>|\[object .*)$/;

/** Warnings: such a tag is possible, but hardly meant. */
export function accidentalImages(deployment: Values): Problem[] {
  return imagePathsOf(deployment).flatMap((path) => {
    const text = valueAt(deployment, path);
    if (typeof text !== "string") return [];
    const { tag, digest } = partsOf(text);
    const word = [tag, digest, text.split("/")[0]].find((part) => part !== undefined && accident.test(part));
    if (word === undefined) return [];
    const message = `contains ${word}, which is the text of a missing value or an object: check where it comes from`;
    return [{ path, message, rule: "fields" }];
  });
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
function partsOf(image: string): { readonly tag: string | undefined; readonly digest: string | undefined } {
  const [name = "", digest] = image.slice(image.lastIndexOf("/") + 1).split("@");
  const colon = name.indexOf(":");
  return { tag: colon === -1 ? undefined : name.slice(colon + 1), digest };
}

function imagePathsOf(deployment: Values): Path[] {
  const spec = ["sourceConfig", "resourceSpec"];
  const ofContainers = ["initContainers", "sidecars"].flatMap((name) => {
    const containers = valueAt(deployment, [...spec, name]);
    return Array.isArray(containers) ? containers.map((_, index) => [...spec, name, index, "image"]) : [];
  });
  return [imagePath, ...ofContainers];
}
