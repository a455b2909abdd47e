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
import { entriesOf, isNull, entryAt, partsOf, nodeAt, type Entry, type Node } from "./node";
import type { Report } from "./problem";
import { parseText } from "./reference";
import { hintForText, parseScalar } from "./scalar";
import { knownValues, valueFromNode } from "./values";

/** Checks each layer by itself. What is missing in one may be in another. */
export function checkLayerShapes(root: Node, report: Report, known: Bindings): void {
  const problems = checkShape({ key: root.at, value: root }, Manifest, report, known);
  checkScalars(root, problems, report, inDeployment);
}

/** Checks references and numbers, but not below unknown keys. */
function checkScalars(
  top: Node,
  problems: readonly Problem[],
  report: Report,
  shown: (path: Path) => Path,
): void {
  const misplaced = problems.filter(({ rule }) => rule === "unknown-key");
  for (const { path, value } of partsOf(top)) {
    if (value.kind !== "scalar" || misplaced.some((each) => isWithin(path, each.path))) continue;
    const texts = typeof value.value === "string" ? parseText(value.value).problems : [];
    for (const problem of texts) report(value.at, "reference", placed(shown(path), problem));
    if (value.isRounded && !problems.some((each) => isEqual(path, each.path))) {
      const message = "JavaScript cannot hold this number exactly; write it as a text, in quotes";
      report(value.at, "fields", placed(shown(path), message));
    }
  }
}

/** Checks a deployment after merging, which must be complete. */
export function checkMerged({ node, at, below = at }: Layered, report: Report, known: Bindings): void {
  const inOverlay: Report = (place, rule, message) =>
    report(place, rule, message, place === below ? { inOverlay: at } : {});
  const problems = checkShape({ key: below, value: node }, MergedDeployment, inOverlay, known);
  checkScalars(node, problems, report, (path) => path);
  for (const row of maps) checkRemovedEntries(node, row, report);
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

function checkShape(top: Entry, schema: z.ZodType, report: Report, known: Bindings): Problem[] {
  const replace = knownValues(known);
  const value = valueFromNode(top.value, schema, (text, kind, at) => {
    const replaced = replace(text, kind, at);
    // A reference that is not known yet can become any scalar, but not a collection.
    const isScalar = kind !== "object" && kind !== "map" && kind !== "list";
    return replaced === unknownValue && !isScalar ? "" : replaced;
  });
  const problems = problemsOf(schema, value);
  for (const problem of problems) {
    const { path, key, message, rule } = problem;
    const found = nearestPart(top, key === undefined ? path : [...path, key]);
    const place = schema === MergedDeployment ? path : inDeployment(path);
    if (rule === "unknown-key") report(found.key, rule, message);
    else if (key !== undefined) report(found.key, "key", `"${key}": ${message}`);
    else if (rule === "required") {
      // Lists are never merged, so their items must be complete in each layer.
      const isComplete = schema === MergedDeployment || path.some((part) => typeof part === "number");
      if (isComplete) report(found.key, rule, `${formatPath(place)} ${message}`);
    } else if (isEqual(place, ["version"])) {
      const hint = valueAt(value, path) === String(manifestVersion) ? "; remove the quotes" : "";
      report(found.value.at, "version", `this package reads version ${manifestVersion}${hint}`);
    } else {
      const hint = rule === "type" ? hintFor(problem, valueAt(value, path)) : "";
      report(found.value.at, rule, placed(place, message + hint));
    }
  }
  return problems;
}

/** The entry or item at a path, or the nearest one around it. */
function nearestPart(top: Entry, path: Path): Entry {
  return entryAt(top, path) ?? nearestPart(top, path.slice(0, -1));
}

/** The path within a deployment, if it leads into one. */
function inDeployment(path: Path): Path {
  const [first, , below] = path;
  const depth = first === "defaults" ? 1 : first === "deployments" ? 2 : below === "deployments" ? 4 : 0;
  return path.length < depth ? path : path.slice(depth);
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
