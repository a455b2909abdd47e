/** Checks the rules between fields and those of the service, the same that a preview checks. */
import { sources } from "../../schema/enums";
import { rulesOf } from "../../schema/rules";
import { dialects, type Dialect } from "../dialects";
import { findingsOf, type Finding } from "../dialects/service-rules";
import { isObject, mapValues, unknownValue, type Values, formatPath } from "../../schema/tree";
import type { Layered } from "./layers";
import { entryOf, isNull, type Entry, type Node, type Span } from "./node";
import { knownText, parseText, type Bindings } from "./reference";
import { parseScalar } from "./scalar";
import type { Scope } from "./scopes";

/** The rules of every service. */
const anyService: Dialect = { ...dialects["standard"]!, conflicts: [] };

/**
 * @param dialect undefined if the service is not known
 * @param isForStack whether a preview follows. It knows which deployments exist, and some rules only apply to new ones
 */
export function checkRules(
  { judged, known, view, about }: Scope,
  dialect: Dialect | undefined,
  isForStack: boolean,
): void {
  const rules = dialect ?? anyService;
  for (const deployment of judged) {
    const { key, node } = deployment;
    if (node.kind !== "map") continue;
    const findings = about(deployment);
    const given = argumentsOf(key, node, known, view.stack?.name);
    const references = given["secretReferences"];
    const hasReferences = isObject(references) && Object.keys(references).length > 0;
    const hasRules = hasReferences || given["sourceDirectory"] !== undefined;
    for (const { path, message } of hasRules ? rulesOf(given) : []) {
      findings.add(
        spanOfProperty(String(path[0]), "field", deployment),
        "fields",
        `${formatPath(path)}: ${message}`,
      );
    }
    const mayExist = given["adopt"] === true || given["adopt"] === unknownValue;
    const all = findingsOf(given, rules, mayExist ? "perhaps" : true, declaredIn(given));
    for (const { kind, onCreateOnly, property, reason, isWarning } of all) {
      // The preview repeats these warnings, and it knows whether the deployment exists.
      if (kind === "early" || ((onCreateOnly || isWarning) && isForStack)) continue;
      // An overlay may still add the missing field.
      if (kind === "missing" && isWarning) continue;
      const hint = onCreateOnly && !isWarning ? "; use `adopt: true` to take over an existing one" : "";
      const severity = isWarning ? "warning" : "error";
      findings.add(
        spanOfProperty(property, kind, deployment),
        "dialect",
        `${property} ${reason}${hint}`,
        severity,
      );
    }
  }
}

/** The position of the problem: in the overlay if the overlay has the property. */
function spanOfProperty(property: string, kind: Finding["kind"], { node, upper, at }: Layered): Span {
  const entry = entryAt(upper ?? node, property.split("."));
  if (entry !== undefined) return kind === "value" ? entry.value.at : entry.key;
  if (kind === "missing") return at;
  return entryOf(upper, "source")?.value.at ?? at;
}

function entryAt(node: Node | undefined, path: readonly string[]): Entry | undefined {
  const [first = "", ...rest] = path;
  const entry = entryOf(node, first);
  return rest.length === 0 ? entry : entryAt(entry?.value, rest);
}

/**
 * The resource's arguments, as far as the file determines them.
 * @param stack the stack's key, which can be a pattern; undefined for any stack
 */
function argumentsOf(key: string, node: Node, known: Bindings, stack = "*"): Values {
  const given = plainValue(node, known) as Values;
  const source = sources.find((each) => each === given["source"]);
  const name = entryOf(node, "name")?.value;
  // A name that is too long for the shortest stack name is too long for all.
  const shortest = { ...known, stack: known.stack ?? stack.replaceAll("*", "0") };
  return { ...given, name: isNull(name) || name === undefined ? key : plainValue(name, shortest), source };
}

/** A string counts as declared, whatever its references resolve to. */
function declaredIn({ revisionSource, ...given }: Values): Values {
  return { ...(withTexts(given) as Values), revisionSource };
}

function withTexts(value: unknown): unknown {
  if (value === unknownValue) return "";
  return isObject(value) ? mapValues(value, withTexts) : value;
}

/** The value of a node for rules, which do not look into lists. Omits `null`; values only known later are unknown. */
function plainValue(node: Node, known: Bindings): unknown {
  if (node.kind === "list") return [];
  if (node.kind === "scalar")
    return typeof node.value === "string" ? resolveText(node.value, known) : node.value;
  const entries = [...node.entries].filter(([, { value }]) => !isNull(value));
  return Object.fromEntries(entries.map(([name, { value }]) => [name, plainValue(value, known)]));
}

function resolveText(written: string, known: Bindings): unknown {
  const { parts } = parseText(written);
  const text = knownText(parts, known);
  if (text === undefined) return unknownValue;
  return parts.every((part) => typeof part === "string") ? text : parseScalar("boolean", text);
}
