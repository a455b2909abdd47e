/** Checks nodes with the resource's own check, and finds the place of each problem. */
import type { z } from "zod";
import { Manifest, manifestVersion, MergedDeployment } from "../../schema/manifest";
import type { Problem } from "../../schema/problem";
import { problemsOf } from "../../schema/problems";
import { didYouMeanText } from "../../schema/wording";
import { maps } from "../../schema/rows";
import { formatPath, isEqual, isWithin, type Path, unknownValue, valueAt } from "../../schema/tree";
import type { Bindings } from "./bindings";
import type { Layered } from "./layers";
import { entriesOf, entryAt, isNull, nodeAt, partsOf, valuesOf, type Entry, type Node } from "./node";
import type { Report } from "./problem";
import { parseText } from "./reference";
import { hintForText, parseScalar } from "./scalar";
import { knownValues, valueFromNode } from "./values";

/**
 * Checks what is around the deployments, and defaults that no deployment uses. Deployments are checked after merging, because an
 * overlay may replace a wrong value.
 */
export function checkFrame(root: Node, report: Report, known: Bindings): void {
  const hasDeployments = [root, ...valuesOf(nodeAt(root, "stacks"))].some(
    (layer) => valuesOf(nodeAt(layer, "deployments")).length > 0,
  );
  const isMerged = ([first, second, third, fourth]: Path) =>
    (first === "deployments" && second !== undefined) ||
    (first === "stacks" && third === "deployments" && fourth !== undefined) ||
    (first === "defaults" && second !== undefined && hasDeployments);
  const around = { key: root.at, value: root };
  checkShape(around, Manifest, report, { ...known, stack: undefined }, (path) => !isMerged(path));
}

/** Checks a deployment after merging, which must be complete. */
export function checkMerged({ node, at, below = at }: Layered, report: Report, known: Bindings): void {
  const inOverlay: Report = (place, rule, message) =>
    report(place, rule, message, place === below ? { inOverlay: at } : {});
  checkShape({ key: below, value: node }, MergedDeployment, inOverlay, known);
  for (const row of maps) checkRemovedEntries(node, row, report);
}

/** Checks references and numbers, but not below unknown keys. */
function checkScalars(top: Node, problems: readonly Problem[], report: Report, isChecked: IsChecked): void {
  const misplaced = problems.filter(({ rule }) => rule === "unknown-key");
  for (const { path, value } of partsOf(top)) {
    if (value.kind !== "scalar" || !isChecked(path) || misplaced.some((each) => isWithin(path, each.path)))
      continue;
    const texts = typeof value.value === "string" ? parseText(value.value).problems : [];
    for (const problem of texts) report(value.at, "reference", placed(path, problem));
    if (value.isRounded && !problems.some((each) => isEqual(path, each.path))) {
      const message = "JavaScript cannot hold this number exactly; write it as a text, in quotes";
      report(value.at, "fields", placed(path, message));
    }
  }
}

/** In a map, `null` removes the lower layer's entry, which must be there. */
function checkRemovedEntries(deployment: Node, { path, field }: (typeof maps)[number], report: Report): void {
  const entries = entriesOf(nodeAt(deployment, ...path));
  for (const [name, { value, below }] of entries) {
    if (!isNull(value) || below !== undefined) continue;
    const others = [...entries.keys()].filter((other) => other !== name);
    for (const { message } of problemsOf(field.type.valueType as z.ZodType, null))
      report(value.at, "type", placed([...path, name], message + didYouMeanText(name, others)));
  }
}

type IsChecked = (path: Path) => boolean;

function checkShape(
  top: Entry,
  schema: z.ZodType,
  report: Report,
  known: Bindings,
  isChecked: IsChecked = () => true,
): void {
  const replace = knownValues(known);
  const value = valueFromNode(top.value, schema, (text, kind, at) => {
    const replaced = replace(text, kind, at);
    // A reference that is not known yet can become any scalar, but not a collection.
    const isScalar = kind !== "object" && kind !== "map" && kind !== "list";
    return replaced === unknownValue && !isScalar ? "" : replaced;
  });
  const problems = problemsOf(schema, value);
  for (const problem of problems.filter(({ path }) => isChecked(path))) {
    const { path, key, message, rule } = problem;
    const found = nearestPart(top, key === undefined ? path : [...path, key]);
    if (rule === "unknown-key") report(found.key, rule, message);
    else if (key !== undefined) report(found.key, "key", `"${key}": ${message}`);
    else if (rule === "required" && schema === Manifest) continue;
    else if (rule === "required") report(found.key, rule, `${formatPath(path)} ${message}`);
    else if (schema === Manifest && isEqual(path, ["version"])) {
      const hint = valueAt(value, path) === String(manifestVersion) ? "; remove the quotes" : "";
      report(found.value.at, "version", `this package reads version ${manifestVersion}${hint}`);
    } else {
      const hint = rule === "type" ? hintFor(problem, valueAt(value, path)) : "";
      report(found.value.at, rule, placed(path, message + hint));
    }
  }
  checkScalars(top.value, problems, report, isChecked);
}

/** The entry or item at a path, or the nearest one around it. */
function nearestPart(top: Entry, path: Path): Entry {
  return entryAt(top, path) ?? nearestPart(top, path.slice(0, -1));
}

function placed(path: Path, message: string): string {
  return path.length === 0 ? message : `${formatPath(path)}: ${message}`;
}

function hintFor({ expected: type }: Problem, value: unknown): string {
  const isScalar = typeof value === "number" || typeof value === "boolean";
  if (type === "string" && isScalar) return "; put it in quotes";
  const kind = type === "int" ? "number" : type;
  if (typeof value !== "string" || (kind !== "number" && kind !== "boolean")) return "";
  return parseScalar(kind, value) === value ? hintForText(kind, value) : "; remove the quotes";
}
