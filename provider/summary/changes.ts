/** What differs between the inputs that a deployment has and those that it is to have. */
import type { Redact } from "../text/redact";
import { isEqual, isObject, valueAt, type Values, formatPath } from "../../schema/tree";
import type { State, Step } from "./preview";
import { declaredIn, isSigned, secretMark, withoutSecrets } from "./secret";

export interface Change {
  /** `sourceRevisionConfig.imageUri` */
  readonly path: string;
  /** As a text; undefined where there is none. Secrets are marks. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export function redacted({ path, before, after }: Change, redact: Redact): Change {
  return { path, before: before && redact(before), after: after && redact(after) };
}

type Path = readonly string[];

/** @param named paths that the provider has named */
export function changesOf(step: Step, named: readonly string[] = []): Change[] {
  const [before, after] = [step.oldState, step.newState].map((state) => inputsOf(state));
  const shown = [step.oldState, step.newState].map((state) =>
    withoutSecrets(inputsOf(state), secretPathsOf(state)),
  );
  const paths = differences(before!, after!, []);
  // Two secrets look alike: that they differ is only told.
  const listed = [...named, ...Object.keys(step.detailedDiff ?? {}), ...(step.diffReasons ?? [])].map(
    partsOf,
  );
  const told = listed.filter(
    (path) => !listed.some((other) => other.length > path.length && isWithin(other, path)),
  );
  const hidden = told.filter((path) => {
    const isHidden = shown.some((values) => shownAt(values, path) === secretMark);
    return isHidden && !paths.some((other) => isWithin(other, path) || isWithin(path, other));
  });
  const unique = new Map([...paths, ...hidden].map((path) => [formatPath(path), path]));
  return [...unique]
    .filter(([path]) => path !== "generation")
    .map(([path, parts]) => ({
      path,
      before: textOf(shownAt(shown[0]!, parts)),
      after: textOf(shownAt(shown[1]!, parts)),
    }));
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The number of the revision before and after, as far as it is told. */
export function generationsOf({ oldState, newState }: Step): readonly [unknown, unknown] {
  return [inputsOf(oldState)["generation"], inputsOf(newState)["generation"]];
}

export function inputsOf(state: State | undefined): Values {
  return declaredIn(state?.inputs ?? {});
}

export function secretPathsOf(state: State | undefined): string[] {
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

/** A map, or nothing, which a map may take the place of. */
function groupOf(value: unknown): Values | undefined {
  if (value === undefined) return {};
  return isObject(value) && !isSigned(value) ? value : undefined;
}

/** The value, or the mark of a secret that it is within. */
function shownAt(value: unknown, [first, ...rest]: Path): unknown {
  if (value === secretMark || first === undefined) return value;
  return shownAt(isObject(value) && Object.hasOwn(value, first) ? value[first] : undefined, rest);
}

function isWithin(path: Path, group: Path): boolean {
  return group.every((part, index) => path[index] === part);
}

/** `a.b["c.d"][0]` as the engine writes paths. */
function partsOf(path: string): Path {
  return [...path.matchAll(/\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]|([^.[\]]+)/g)].map(
    ([, quoted, index, plain]) => quoted ?? index ?? plain!,
  );
}
