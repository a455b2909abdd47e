/** Rules between fields. They also check incomplete values, so that a file shows all its problems at once. */
import { addresses, hasCredentials } from "./address";
import { accidentalImages } from "./images";
import { hasPlaceholder, isPlaceholder, unreplacedText } from "./placeholders";
import type { Problem } from "./problem";
import { sourcesOf } from "./sources";
import { asObject, isWithin, valueAt, type Path, type Values } from "./tree";
import { typeName } from "./wording";

export function rulesOf(deployment: Values): Problem[] {
  return [
    ...rulesOfReferences(deployment),
    ...rulesOfDirectory(deployment),
    ...rulesOfAddresses(deployment),
    ...rulesOfValues(deployment, []),
  ];
}

/** The arguments with parts that have no type, in which the schema does not look at numbers. */
const freeForms: readonly Path[] = [
  ["triggers"],
  ...["volumes", "initContainers", "sidecars"].map((name) => ["sourceConfig", "resourceSpec", name]),
];

/** The start of what the SDKs return, instead of failing, where an Output becomes part of a string. */
const outputInText = /Calling \[?\w+\]? on an? \[?Output[<[]\w*[>\]]\]? is not supported/i;

const outputMessage =
  "contains the SDK's warning of an Output in a string, not the value: use pulumi.interpolate, pulumi.concat or apply " +
  "(in Python, pulumi.Output.format or concat)";

/** Never quotes a text, because the rest of it may be a secret. */
function rulesOfValues(value: unknown, path: Path): Problem[] {
  const isOutputText = (text: unknown) => typeof text === "string" && outputInText.test(text);
  if (isOutputText(value)) return [{ path, message: outputMessage, rule: "format" }];
  // JSON has no such numbers, so the engine would store another value, and find a change in every preview.
  if (typeof value === "number" && !Number.isFinite(value) && freeForms.some((form) => isWithin(path, form)))
    return [{ path, message: `expected a finite number, got ${typeName(value)}`, rule: "format" }];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (isOutputText(key)) return [{ path, message: outputMessage, rule: "format" } satisfies Problem];
    return rulesOfValues(inner, [...path, Array.isArray(value) ? Number(key) : key]);
  });
}

const credentialsMessage =
  "contains a user, a password or a token, which the state and the screen would show: remove what comes before the @";

/** Images have a type of their own. */
function rulesOfAddresses(deployment: Values): Problem[] {
  const at = (paths: readonly Path[], isWrong: (text: string) => boolean, message: string) =>
    paths
      .map((path) => ({ path, text: valueAt(deployment, path) }))
      .filter(({ text }) => typeof text === "string" && isWrong(text))
      .map(({ path }): Problem => ({ path, message, rule: "format" }));
  return [
    ...at([["name"], ...addresses], hasPlaceholder, unreplacedText),
    ...at(addresses, hasCredentials, credentialsMessage),
  ];
}

function rulesOfDirectory(deployment: Values): Problem[] {
  const { source, sourceDirectory, sourceRevisionConfig, revisionSource } = deployment;
  if (sourceDirectory === undefined || sourceDirectory === null) return [];
  const { sourceTarballPath = null } = asObject(sourceRevisionConfig);
  const isOther = (name: unknown) => typeof name === "string" && name !== "internal_source";
  const messages = [
    isOther(source) && `only source internal_source supports a folder, but the source is ${String(source)}`,
    sourceTarballPath !== null &&
      "cannot be combined with sourceRevisionConfig.sourceTarballPath: the folder's upload determines that path",
    isOther(revisionSource) &&
      `cannot be combined with revisionSource ${String(revisionSource)}: its revisions are internal_source`,
  ];
  return messages
    .filter((message) => message !== false)
    .map((message) => ({ path: ["sourceDirectory"], message, rule: "fields" }));
}

function rulesOfReferences({ source, secrets, secretReferences }: Values): Problem[] {
  const names = Object.keys(asObject(secretReferences));
  const takers: readonly string[] = sourcesOf["secretReferences"]!;
  if (names.length > 0 && typeof source === "string" && !takers.includes(source)) {
    const message = `only source ${takers.join(", ")} supports secret references, but the source is ${source}; use secrets`;
    return [{ path: ["secretReferences"], message, rule: "fields" }];
  }
  const message = "is also in `secrets`; use only one of them";
  return names
    .filter((name) => Object.hasOwn(asObject(secrets), name))
    .map((name) => ({ path: ["secretReferences", name], message, rule: "fields" }));
}

/** Warnings: values that the service may accept, but that are hardly meant. */
export function doubtsOf(deployment: Values): Problem[] {
  return [...accidentalImages(deployment), ...doubtfulScale(deployment), ...doubtfulSecrets(deployment)];
}

function doubtfulScale(deployment: Values): Problem[] {
  const path = ["sourceConfig", "resourceSpec"];
  const { minScale, maxScale } = asObject(valueAt(deployment, path));
  if (typeof minScale !== "number" || typeof maxScale !== "number" || minScale <= maxScale) return [];
  return [
    {
      path: [...path, "minScale"],
      message: `is greater than maxScale, which is ${maxScale}`,
      rule: "fields",
    },
  ];
}

/** What a CI system, a file or an unset variable makes of a secret. Says no more of its value. */
function doubtfulSecrets({ secrets }: Values): Problem[] {
  return Object.entries(asObject(secrets)).flatMap(([name, value]) => {
    const message = doubtAbout(value);
    return message === undefined ? [] : [{ path: ["secrets", name], message, rule: "fields" }];
  });
}

function doubtAbout(secret: unknown): string | undefined {
  if (secret === null) return "has no value in the program (undefined or null), so it is not sent";
  if (typeof secret !== "string") return undefined;
  if (secret === "") return "is empty: check where its value comes from";
  if (isPlaceholder(secret)) return unreplacedText;
  return /\r\n?$/.test(secret)
    ? "ends with a carriage return, as in a file from Windows: remove it"
    : undefined;
}

/** The message for two resources with the same name on the service. */
export function sameNameText(resource: string, other: string): string {
  return `"${resource}" has the same name as "${other}": change the \`name\` of one of them`;
}
