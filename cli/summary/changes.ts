/** Compares a deployment's inputs before and after a step. */
import type { Dialect } from "../../provider/dialects";
import { bothWords } from "../../provider/dialects/words";
import { contentChanges, contentIn, replacedContent } from "../../provider/deployment/content";
import { contentKey } from "../../provider/deployment/service";
import { parsePropertyPath } from "../../schema/property-path";
import type { Redact } from "../../provider/text/redact";
import {
  asObject,
  formatPath,
  isEqual,
  isObject,
  isWithin,
  type Path,
  valueAt,
  valueTowards,
  type Values,
} from "../../schema/tree";
import type { PreviewStep } from "./preview";
import { declaredInputs, isSigned, secretMark, shownInputs, unknownMark } from "./secret";

export interface ValueChange {
  /** `sourceRevisionConfig.imageUri` */
  readonly path: string;
  readonly change: "added" | "removed" | "changed";
  /** As a string; undefined if there is no value. Secrets are marked. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** The changing resources on which the value depends, if it is not known yet. */
  readonly follows?: readonly string[];
}

/** The change as users read it: without secrets, and with their word next to the service's, `serverless (dev_zero)`. */
export function readable(change: ValueChange, redact: Redact, dialect: Dialect): ValueChange {
  const show = (text: string | undefined) => text && redact(bothWords(text, change.path, dialect));
  return { ...change, before: show(change.before), after: show(change.after) };
}

/** @param changing the logical names of the resources that the preview changes, by URN */
export function changesOf(
  step: PreviewStep,
  changing: ReadonlyMap<string, string> = new Map(),
): ValueChange[] {
  const [before, after] = [step.oldState, step.newState].map(declaredInputs);
  const shown = [step.oldState, step.newState].map((state) => shownInputs(state));
  // Secrets look equal here; only the engine's list of paths shows that they differ.
  const listed = [...Object.keys(step.detailedDiff ?? {}), ...(step.diffReasons ?? [])].map(
    (text): Path => parsePropertyPath(text) ?? [text],
  );
  const isBelow = (other: Path, path: Path) => other.length > path.length && isWithin(other, path);
  const innermost = listed.filter((path) => !listed.some((other) => isBelow(other, path)));
  const isHidden = (path: Path) => shown.some((values) => valueOrMarkAt(values, path) === secretMark);
  // What changes in a list with a secret, or in a hidden map that comes or goes as a whole, only the engine's list shows.
  const paths = differences(before!, after!, []).flatMap((path) => {
    const inside = innermost.filter((other) => isBelow(other, path));
    return inside.some(isHidden) ? inside : [path];
  });
  const hidden = innermost.filter(
    (path) => isHidden(path) && !paths.some((other) => isWithin(other, path) || isWithin(path, other)),
  );
  const unique = new Map([...paths, ...hidden].map((path) => [formatPath(path), path]));
  for (const path of ["generation", ...(hasContent(step) ? ["sourceDirectory"] : [])]) unique.delete(path);
  const changes = [...unique].map(([path, parts]) => {
    const [old, now] = shown.map((values) => displayText(valueOrMarkAt(values, parts)));
    const told = kindIn(step, path);
    const change = told ?? (old === undefined ? "added" : now === undefined ? "removed" : "changed");
    return {
      path,
      change,
      // A secret that someone set on the service is in no declaration.
      before: change === "added" ? undefined : (old ?? (change === "removed" ? secretMark : undefined)),
      after: change === "removed" ? undefined : now,
      ...followed(step, parts, now, changing),
    };
  });
  return [...contentChange(step), ...changes];
}

/** Whether a folder is deployed before and after. Then its content counts, not its path. */
function hasContent({ oldState, newState }: PreviewStep): boolean {
  return [oldState, newState].every((state) => isObject(state?.inputs?.[contentKey]));
}

/** The content of a folder is an internal input. */
function contentChange(step: PreviewStep): ValueChange[] {
  if (!hasContent(step)) return [];
  const [before, after] = [step.oldState, step.newState].map((state) => state?.inputs ?? {});
  const isReplaced = contentIn(after!)?.digest === replacedContent.digest;
  return contentChanges(before!, after!).map(({ path, summary }) => ({
    path: formatPath(path),
    change: "changed",
    before: undefined,
    after: isReplaced ? "something else was deployed" : summary,
  }));
}

/** A value that depends on a resource that changes may stay the same, and is not known before `up`. */
function followed(
  { newState }: PreviewStep,
  path: Path,
  now: string | undefined,
  changing: ReadonlyMap<string, string>,
): Pick<ValueChange, "follows"> {
  if (now !== secretMark && now !== unknownMark) return {};
  const sources = newState?.propertyDependencies?.[String(path[0])] ?? [];
  const names = sources.flatMap((urn) => changing.get(urn) ?? []);
  return names.length === 0 && now === secretMark ? {} : { follows: names };
}

/** What the engine says of a path. */
function kindIn({ detailedDiff }: PreviewStep, path: string): ValueChange["change"] | undefined {
  const kind = asObject(detailedDiff?.[path])["kind"];
  if (typeof kind !== "string") return undefined;
  return kind.startsWith("add") ? "added" : kind.startsWith("delete") ? "removed" : "changed";
}

function displayText(value: unknown): string | undefined {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function differences(before: unknown, after: unknown, path: Path): Path[] {
  if (isEqual(before, after)) return [];
  const [left, right] = [groupOf(before), groupOf(after)];
  const keys = Object.keys({ ...left, ...right });
  // Name and key of a secret reference are one value.
  const isOne = keys.length === 0 || (path[0] === "secretReferences" && path.length === 2);
  if (left === undefined || right === undefined || isOne) return [path];
  return keys.flatMap((key) => differences(valueAt(left, [key]), valueAt(right, [key]), [...path, key]));
}

/** The value as a map. A missing value counts as an empty one. */
function groupOf(value: unknown): Values | undefined {
  if (value === undefined) return {};
  return isObject(value) && !isSigned(value) ? value : undefined;
}

/** The value at a path, or the secret mark in its place or in that of an enclosing value. */
function valueOrMarkAt(value: unknown, path: Path): unknown {
  return valueTowards(value, path, (at) => at === secretMark);
}
