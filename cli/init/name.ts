/** The name of a deployment, chosen as the service's own command line chooses it. */
import { basename } from "node:path";
import type { Dialect } from "../../provider/dialects";
import { sanitize } from "../../provider/text/sanitize";
import { UsageError } from "../usage-error";
import type { Agent } from "./agent";

export interface ChosenName {
  readonly name: string;
  /** For messages: where it comes from. */
  readonly from: string;
}

/** @param flag the value of `--name` */
export function chooseName(
  flag: string | undefined,
  { root, variables }: Agent,
  env: Readonly<Record<string, string | undefined>>,
  { vendor }: Dialect,
): ChosenName {
  const { deploymentName: nameVariable = "" } = vendor ?? {};
  if (flag !== undefined) return { name: flag, from: "--name" };
  const inFile = variables?.values[nameVariable];
  if (inFile) return { name: inFile, from: `${nameVariable} in ${variables!.shown}` };
  const outside = env[nameVariable];
  if (outside) return { name: outside, from: `${nameVariable} of the environment` };
  return { name: usualName(basename(root)), from: "the agent's folder" };
}

/** Throws if the service would refuse it. */
export function refuseBadName({ name, from }: ChosenName, { names }: Dialect): void {
  if (names === undefined || new RegExp(names.pattern).test(name)) return;
  const usual = usualName(name);
  const example = new RegExp(names.pattern).test(usual) ? ` (${usual}, for example)` : "";
  throw new UsageError(
    `the deployment's name ${JSON.stringify(sanitize(name))} (${from}) ${names.reason}: choose another with --name${example}`,
  );
}

/** The rule of the service's own command line. */
export function usualName(text: string): string {
  return slug(text, "-") || "app";
}

/**
 * A text as a name: lower case, with one dash for each run of other characters, and none at its ends.
 *
 * @param punctuation what stays besides letters and digits
 */
export function slug(text: string, punctuation: "" | "-" | "_-"): string {
  return text
    .toLowerCase()
    .replace(new RegExp(`[^a-z0-9${punctuation}]+`, "g"), "-")
    .replace(/^[-_]+|(?<!-)-+$/g, "");
}
