/** Compares a deployment's inputs before and after a step. */
import type { Redact } from "../text/redact";
import { isEqual, isObject, valueAt, type Values, formatPath } from "../../schema/tree";
import type { ResourceState, PreviewStep } from "./preview";
import { declaredIn, isSigned, secretMark, maskSecrets } from "./secret";

export interface ValueChange {
  /** `sourceRevisionConfig.imageUri` */
  readonly path: string;
  /** As a string; undefined if there is no value. Secrets are marked. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export function redacted({ path, before, after }: ValueChange, redact: Redact): ValueChange {
  return { path, before: before && redact(before), after: after && redact(after) };
}

type Path = readonly string[];

/** @param named paths from the provider's own message */
export function changesOf(step: PreviewStep, named: readonly string[] = []): ValueChange[] {
  const [before, after] = [step.oldState, step.newState].map((state) => declaredInputs(state));
  const shown = [step.oldState, step.newState].map((state) =>
    maskSecrets(declaredInputs(state), secretPathsOf(state)),
  );
  const paths = differences(before!, after!, []);
  // Secrets look equal here; only the engine's or the provider's list of paths shows that they differ.
  const listed = [...named, ...Object.keys(step.detailedDiff ?? {}), ...(step.diffReasons ?? [])].map(
    partsOf,
  );
  const innermost = listed.filter(
    (path) => !listed.some((other) => other.length > path.length && isWithin(other, path)),
  );
  const hidden = innermost.filter((path) => {
    const isHidden = shown.some((values) => shownAt(values, path) === secretMark);
    return isHidden && !paths.some((other) => isWithin(other, path) || isWithin(path, other));
  });
  const unique = new Map([...paths, ...hidden].map((path) => [formatPath(path), path]));
  return [...unique]
    .filter(([path]) => path !== "generation")
    .map(([path, parts]) => ({
      path,
      before: displayText(shownAt(shown[0]!, parts)),
      after: displayText(shownAt(shown[1]!, parts)),
    }));
}

function displayText(value: unknown): string | undefined {
  return typeof value === "string" ? value : JSON.stringify(value);
}

export function declaredInputs(state: ResourceState | undefined): Values {
  return declaredIn(state?.inputs ?? {});
}

export function secretPathsOf(state: ResourceState | undefined): string[] {
  const context = state?.inputs?.["__options"];
  const paths: unknown = isObject(context) ? context["secretPaths"] : undefined;
  const named = Array.isArray(paths) ? paths.filter((path) => typeof path === "string") : [];
  return [...named, ...(state?.additionalSecretOutputs ?? [])];
}

function differences(before: unknown, after: unknown, path: Path): Path[] {
  if (isEqual(before, after)) return [];
  const [left, right] = [groupOf(before), groupOf(after)];
  const isLeaf = left === undefined || right === undefined || (before === undefined && after === undefined);
  if (isLeaf || Object.keys({ ...left, ...right }).length === 0) return [path];
  const keys = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  return keys.flatMap((key) => differences(valueAt(left, [key]), valueAt(right, [key]), [...path, key]));
}

/** The value as a map. A missing value counts as an empty one. */
function groupOf(value: unknown): Values | undefined {
  if (value === undefined) return {};
  return isObject(value) && !isSigned(value) ? value : undefined;
}

/** The value at a path, or the secret mark that replaces it or a parent. */
function shownAt(value: unknown, [first, ...rest]: Path): unknown {
  if (value === secretMark || first === undefined) return value;
  return shownAt(isObject(value) && Object.hasOwn(value, first) ? value[first] : undefined, rest);
}

function isWithin(path: Path, group: Path): boolean {
  return group.every((part, index) => path[index] === part);
}

/** Parses a path in the engine's notation: `a.b["c.d"][0]`. */
function partsOf(path: string): Path {
  return [...path.matchAll(/\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]|([^.[\]]+)/g)].map(
    ([, quoted, index, plain]) => quoted ?? index ?? plain!,
  );
}
