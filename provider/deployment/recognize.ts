/**
 * Whether what the service shows can be what a call made whose response was lost. The service may have normalized it:
 * such differences do not make it foreign, another image, repository or label does.
 */
import { type Difference, differencesBetween, isAsDeclared, valueIn, withDrift } from "./drift";
import type { Observed } from "./service";
import { argumentsIn, type Declared } from "./state";
import { isEqual, isObject, type Values } from "../values";
import { isAsBefore, type Before } from "./normalized";

/**
 * Whether a deployment can be what a POST made.
 *
 * @param earliest by the service's clock, in milliseconds since the epoch
 */
export function canBeCreated(declared: Declared, found: Observed, earliest: number): boolean {
  const args = argumentsIn(declared);
  const made = Date.parse(found.createdAt ?? "");
  // Without a time there is nothing but its likeness.
  if (Number.isNaN(made)) return isAsDeclared(args, found);
  if (made < earliest) return false;
  return withoutMasks(differencesBetween(args, withDrift(args, found))).every(({ declared, seen }) =>
    canComeOf(declared, seen),
  );
}

/** One text for different secrets is a mask. */
function withoutMasks(differences: readonly Difference[]): readonly Difference[] {
  const secrets = differences.filter(({ path, seen }) => path[0] === "secrets" && typeof seen === "string");
  const isMask = ({ seen, declared }: Difference) =>
    secrets.some((other) => other.seen === seen && other.declared !== declared);
  return differences.filter((each) => !(secrets.includes(each) && isMask(each)));
}

/** Whether a new revision can be what a PATCH made: what was sent is there, as far as it tells. */
export function canBeUpdated(sent: Values, before: Before, declared: Declared, found: Observed): boolean {
  const { latestRevisionId: latest } = found;
  if (latest === null || before.revisions.includes(latest)) return false;
  const args = argumentsIn(declared);
  return withoutMasks(differencesBetween(args, withDrift(args, found)))
    .filter(({ path }) => valueIn(sent, path) !== undefined)
    .every((difference) => canComeOfChange(difference, before, found));
}

function canComeOfChange({ path, declared, seen }: Difference, before: Before, found: Observed): boolean {
  const hasStayed = isAsBefore(path, seen, before, found);
  if (isEqual(declared, valueIn(before.values, path))) return hasStayed || canComeOf(declared, seen);
  // What has not moved speaks for somebody else's revision, unless there was hardly a move to make.
  return hasStayed ? isNear(declared, seen) : canComeOf(declared, seen);
}

/** Whether the service can have made one value of another: rounded, limited, spelt its own way, with members added. */
export function canComeOf(sent: unknown, shown: unknown): boolean {
  if (isEqual(sent, shown)) return true;
  if (typeof sent === "number") return typeof shown === "number";
  if (typeof sent === "string") return typeof shown === "string" && isSpelling(sent, shown);
  if (Array.isArray(sent)) {
    const members: unknown[] = Array.isArray(shown) ? shown : [];
    return sent.every((each) => isNothing(each) || members.some((member) => canComeOf(each, member)));
  }
  if (!isObject(sent)) return false;
  const members = isObject(shown) ? shown : {};
  return Object.keys(sent).every((key) => {
    const member = Object.hasOwn(members, key) ? members[key] : undefined;
    return isNothing(sent[key]) ? isNothing(member) : canComeOf(sent[key], member);
  });
}

/** What a service may leave out. */
function isNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  return typeof value === "object" && Object.values(value).every(isNothing);
}

/** The same but for letter case, space around it, slashes at its end, and what leads to it: a scheme, a host, `refs/heads`. */
function isSpelling(sent: string, shown: string): boolean {
  const [a, b] = [plain(sent), plain(shown)];
  return a === b || isQualified(a, b) || isQualified(b, a);
}

function isQualified(text: string, longer: string): boolean {
  if (text === "" || !longer.endsWith(`/${text}`)) return false;
  return /^(refs\/(heads|tags)$|[^/]*[.:])/.test(longer.slice(0, -text.length - 1));
}

function plain(text: string): string {
  return text.trim().toLowerCase().replace(/\/+$/, "");
}

function isNear(sent: unknown, shown: unknown): boolean {
  if (typeof sent !== "number" || typeof shown !== "number") return canComeOf(sent, shown);
  return Math.abs(sent - shown) <= Math.max(0.1, 0.25 * Math.abs(sent));
}
