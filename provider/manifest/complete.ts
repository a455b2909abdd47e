/** What can only be said of a whole deployment, with its defaults and its overlay: what is missing, what contradicts. */
import type { z } from "zod";
import { deployment as fields, sources } from "../../schema/fields";
import { ManifestDeployment } from "../../schema/manifest";
import { didYouMean, formatPath, problemsOf, type Path } from "../../schema/problems";
import { rulesOf } from "../../schema/rules";
import type { Layered } from "./layers";
import { entriesOf, entryOf, isNull, type Node, type Span } from "./node";
import { secretNameOf, type Findings } from "./problem";
import { knownText, parseText, type Bindings } from "./reference";
import { missingIn, segmentOf } from "./shape";
import { describeType, unwrap } from "./types";

export class CompletenessChecker {
  readonly #seen = new WeakSet<Node>();
  /** What was said of a deployment without an overlay is not said again of it with one. */
  readonly #saidOfBase = new Set<string>();

  /** @param deployment after those without an overlay */
  check(deployment: Layered, known: Bindings, findings: Findings): void {
    const { key, at, node, upper } = deployment;
    if (node.kind !== "map") return;
    const say = (place: Span, rule: "required" | "fields" | "type", message: string) => {
      const identity = `${key}: ${message}`;
      if (!this.#saidOfBase.has(identity)) findings.add(place, rule, message);
      if (upper === undefined) this.#saidOfBase.add(identity);
    };
    const source = entryOf(node, "source")?.value;
    if (source === undefined || isNull(source)) {
      const [problem] = problemsOf(fields.source.type, undefined);
      say(source !== undefined && upper ? source.at : at, "required", `source ${problem?.message}`);
    }
    this.#checkParts(node, ManifestDeployment, [], at, say);

    const [secrets, references] = ["secrets", "secretReferences"].map((field) => namesIn(node, field));
    const values = {
      source: sourceIn(source, known),
      secrets,
      secretReferences: Object.keys(references!).length > 0 ? references : undefined,
    };
    for (const { path, message } of rulesOf(values)) {
      say(this.#blame(deployment, String(path[0])), "fields", `${formatPath(path)}: ${message}`);
    }
  }

  #checkParts(
    node: Node,
    given: z.ZodType,
    path: Path,
    holder: Span,
    say: (at: Span, rule: "required" | "type", message: string) => void,
  ): void {
    // Most deployments share most of their defaults.
    if (this.#seen.has(node)) return;
    this.#seen.add(node);
    const type = describeType(unwrap(given).type);
    if (node.kind !== "map") return;
    if (type.kind === "object") {
      for (const { key, message } of missingIn(node, type.shape)) {
        say(holder, "required", `${formatPath([...path, key])} ${message}`);
      }
      for (const [key, entry] of node.entries) {
        const inner = Object.hasOwn(type.shape, key) ? type.shape[key] : undefined;
        if (inner !== undefined) this.#checkParts(entry.value, inner, [...path, key], entry.key, say);
      }
    } else if (type.kind === "map" && type.removable) {
      for (const [key, entry] of node.entries) {
        const inner = [...path, segmentOf(key, entry, path)];
        this.#checkParts(entry.value, type.values, inner, entry.key, say);
        if (!isNull(entry.value) || entry.below) continue;
        const others = [...node.entries.keys()].filter((name) => name !== key && name === secretNameOf(name));
        const hint = entry.isBare ? "" : didYouMean(key, others);
        for (const { message } of problemsOf(type.values, null)) {
          say(entry.value.at, "type", `${formatPath(inner)}: ${message}${hint}`);
        }
      }
    }
  }

  /** Where a rule between fields is broken: in the overlay where only the overlay breaks it. */
  #blame({ node, upper, at }: Layered, field: string): Span {
    const place = entryOf(upper ?? node, field);
    if (place !== undefined) return place.key;
    return entryOf(upper, "source")?.value.at ?? at;
  }
}

function sourceIn(node: Node | undefined, known: Bindings): string | undefined {
  if (node?.kind !== "scalar" || typeof node.value !== "string") return undefined;
  const text = knownText(parseText(node.value).parts, known);
  return sources.find((candidate) => candidate === text);
}

/** The names of a map, without those that an overlay removes. */
function namesIn(node: Node, field: string): Record<string, true> {
  const entries = [...entriesOf(entryOf(node, field)?.value)].filter(([, { value }]) => !isNull(value));
  return Object.fromEntries(entries.map(([name]) => [name, true]));
}
