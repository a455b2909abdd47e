/** The stacks of a project, and what each of them deploys. */
import type { Values } from "../../schema/tree";
import type { Dialect } from "../../provider/dialects";
import { findingsOf } from "../../provider/dialects/service-rules";
import type { Imported } from "../import/choice";
import { sanitize } from "../../provider/text/sanitize";
import { UsageError } from "../usage-error";
import { refuseBadName, slug, type ChosenName } from "./name";

export interface ProjectStack {
  readonly stack: string;
  /** The deployment's name, unique among the stacks. */
  readonly name: string;
  readonly isProtected: boolean;
  /** The deployment's type and size, and what else differs between stacks. */
  readonly args: Values;
  /** The command that sets the stack's secrets from a file of the agent's variables. */
  readonly setSecrets?: string | undefined;
  /** The deployment that already has this name. */
  readonly existing?: FoundAgent | undefined;
}

/** A deployment that the service already has. */
export interface FoundAgent extends Imported {
  /** The text of the file for `pulumi import`. */
  readonly file: string;
}

const usualStack = "dev";
const productionStack = "prod";

/** The names in `--stacks`, in their order. */
export function stackNames(flag: string | undefined): string[] {
  if (flag === undefined) return [usualStack];
  const stacks = flag.split(",").map((each) => each.trim());
  const refuse = (reason: string) => new UsageError(`--stacks ${sanitize(flag)}: ${reason}`);
  const wrong = stacks.find((each) => !/^(?!-)(?=.*[A-Za-z0-9])[\w.-]{1,100}$/.test(each));
  if (wrong !== undefined)
    throw refuse(
      `${JSON.stringify(sanitize(wrong))} cannot be the name of a stack's file: use letters, digits, dashes, dots and ` +
        "underscores, without an organization or a project",
    );
  const labels = stacks.map((each) => slug(each, ""));
  const at = labels.findIndex((label, index) => labels.indexOf(label) < index);
  if (at !== -1)
    throw refuse(
      `${stacks[labels.indexOf(labels[at]!)]} and ${stacks[at]} would have deployments with the same name: choose names that differ ` +
        "in more than case and punctuation",
    );
  return stacks;
}

/** A name for each stack: the last one has the plain name. */
export function stacksFor(stacks: readonly string[], chosen: ChosenName, dialect: Dialect): ProjectStack[] {
  return stacks.map((stack, at) => {
    const isLast = at === stacks.length - 1;
    const name = isLast ? chosen.name : `${chosen.name}-${slug(stack, "")}`;
    refuseBadName({ name, from: isLast ? chosen.from : `${chosen.from}, in the stack ${stack}` }, dialect);
    const isProduction = stack === productionStack;
    return { stack, name, isProtected: isProduction, args: { sourceConfig: sizeOf(isProduction, dialect) } };
  });
}

/** Types with their smallest size, from the cheapest to the one that every service has. */
const scalesToZero = { deploymentType: "serverless", deploymentTier: "SERVERLESS_S" };
const small = { deploymentType: "dev" };
const alwaysRuns = { deploymentType: "dedicated", deploymentTier: "DEDICATED_S" };

function sizeOf(isProduction: boolean, dialect: Dialect): Values {
  if (isProduction) return alwaysRuns;
  const isAccepted = (sourceConfig: Values) =>
    findingsOf({ source: "internal_source", sourceConfig }, dialect, false).length === 0;
  return [scalesToZero, small].find(isAccepted) ?? alwaysRuns;
}
