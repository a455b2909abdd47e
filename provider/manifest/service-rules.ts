/** What the service would refuse, told with its place: the same rules that a preview applies. */
import { sources } from "../../schema/fields";
import type { Dialect } from "../dialects";
import { refusalsOf, type Refusal } from "../dialects/service-rules";
import { unknownValue, type Values } from "../values";
import { mentionsIn } from "./graph";
import type { Layered } from "./layers";
import { entryOf, isNull, type Entry, type Node, type Span } from "./node";
import { knownText, parseText, type Bindings } from "./reference";
import type { Scope } from "./scopes";
import { readAs } from "./types";

export class ServiceRulesChecker {
  /** What was said of a deployment without an overlay is not said again of it with one. */
  readonly #saidOfBase = new Set<string>();

  /**
   * @param dialect without it nothing is known of the service
   * @param isForStack whether a stack's preview follows, which knows what exists already: that may break what holds for
   * new deployments alone
   */
  constructor(
    readonly dialect: Dialect | undefined,
    readonly isForStack = false,
  ) {}

  /** @param scope after that without an overlay */
  check({ view, judged, known, findings, ofStack }: Scope): void {
    if (this.dialect === undefined) return;
    const isJudged = new Set(judged.map(({ key }) => key));
    for (const deployment of view.all()) {
      if (isJudged.has(deployment.key)) this.#check(deployment, this.dialect, known, findings);
      else if (namesStack(deployment.node)) this.#check(deployment, this.dialect, known, ofStack);
    }
  }

  #check(deployment: Layered, dialect: Dialect, known: Bindings, findings: Scope["findings"]): void {
    const { key, node, upper } = deployment;
    if (node.kind !== "map") return;
    const given = argumentsOf(key, node, known);
    const mayExist = given["adopt"] === true || given["adopt"] === unknownValue;
    for (const refusal of refusalsOf(given, dialect, !mayExist)) {
      // Whether the deployment exists is not known here.
      if (refusal.kind === "early" || (refusal.onCreateOnly && this.isForStack)) continue;
      const hint = refusal.onCreateOnly ? "; `adopt: true` takes over one that exists so" : "";
      const message = `${refusal.property} ${refusal.reason}${hint}`;
      const identity = `${key}: ${message}`;
      if (!this.#saidOfBase.has(identity)) findings.add(placeOf(refusal, deployment), "dialect", message);
      if (upper === undefined) this.#saidOfBase.add(identity);
    }
  }
}

/** Where the rule is broken: in the overlay where only the overlay breaks it. */
function placeOf({ property, kind }: Refusal, { node, upper, at }: Layered): Span {
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

function namesStack(node: Node): boolean {
  return mentionsIn(node).some(({ reference }) => reference.kind === "stack");
}

/** As the resource gets them, as far as the file knows them. */
function argumentsOf(key: string, node: Node, known: Bindings): Values {
  const given = plainValue(node, known) as Values;
  const source = sources.find((each) => each === given["source"]);
  return { ...given, name: given["name"] ?? key, source };
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
