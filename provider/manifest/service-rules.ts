/** Rules between fields, and what the service would refuse, told with its place: the same rules that a preview applies. */
import { sources } from "../../schema/enums";
import { rulesOf } from "../../schema/rules";
import { dialects, type Dialect } from "../dialects";
import { findingsOf, type Finding } from "../dialects/service-rules";
import { isObject, mapValues, unknownValue, type Values, formatPath } from "../../schema/tree";
import type { Layered } from "./layers";
import { entryOf, isNull, type Entry, type Node, type Span } from "./node";
import { knownText, parseText, type Bindings } from "./reference";
import { readAs } from "./scalar";
import type { Scope } from "./scopes";

/** What makes no sense on any service. */
const anyService: Dialect = { ...dialects["standard"]!, conflicts: [] };

/**
 * @param dialect without it nothing is known of the service
 * @param isForStack whether a stack's preview follows, which knows what exists already: that may break what holds for
 * new deployments alone
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
        placeOf(String(path[0]), "field", deployment),
        "fields",
        `${formatPath(path)}: ${message}`,
      );
    }
    const mayExist = given["adopt"] === true || given["adopt"] === unknownValue;
    const all = findingsOf(given, rules, mayExist ? "perhaps" : true, declaredIn(given));
    for (const { kind, onCreateOnly, property, reason, isWarning } of all) {
      // Whether the deployment exists is not known here. What a stack's preview warns of, and what an overlay may bring, is not
      // warned of twice.
      if (kind === "early" || ((onCreateOnly || isWarning) && isForStack)) continue;
      if (kind === "missing" && isWarning) continue;
      const hint = onCreateOnly && !isWarning ? "; `adopt: true` takes over one that exists so" : "";
      const severity = isWarning ? "warning" : "error";
      findings.add(placeOf(property, kind, deployment), "dialect", `${property} ${reason}${hint}`, severity);
    }
  }
}

/** Where the rule is broken: in the overlay where only the overlay breaks it. */
function placeOf(property: string, kind: Finding["kind"], { node, upper, at }: Layered): Span {
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
 * As the resource gets them, as far as the file knows them.
 *
 * @param stack the stack's key, perhaps a pattern; undefined for any stack
 */
function argumentsOf(key: string, node: Node, known: Bindings, stack = "*"): Values {
  const given = plainValue(node, known) as Values;
  const source = sources.find((each) => each === given["source"]);
  const name = entryOf(node, "name")?.value;
  // A name that is wrong in the shortest of the stacks is wrong in all of them.
  const shortest = { ...known, stack: known.stack ?? stack.replaceAll("*", "0") };
  return { ...given, name: isNull(name) || name === undefined ? key : plainValue(name, shortest), source };
}

/** A text in a file is given, whatever its references come to. */
function declaredIn({ revisionSource, ...given }: Values): Values {
  return { ...(withTexts(given) as Values), revisionSource };
}

function withTexts(value: unknown): unknown {
  if (value === unknownValue) return "";
  return isObject(value) ? mapValues(value, withTexts) : value;
}

/** The value of a node, as far as rules look: not into lists. What is known only later is unknown; what removes is not there. */
function plainValue(node: Node, known: Bindings): unknown {
  if (node.kind === "list") return [];
  if (node.kind === "scalar") return typeof node.value === "string" ? textOf(node.value, known) : node.value;
  const entries = [...node.entries].filter(([, { value }]) => !isNull(value));
  return Object.fromEntries(entries.map(([name, { value }]) => [name, plainValue(value, known)]));
}

function textOf(written: string, known: Bindings): unknown {
  const { parts } = parseText(written);
  const text = knownText(parts, known);
  if (text === undefined) return unknownValue;
  return parts.every((part) => typeof part === "string") ? text : readAs("boolean", text);
}
