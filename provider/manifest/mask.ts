/** Which parts of a file must not be shown: source lines stand in logs that more people read than the file. */
import { didYouMean } from "../../schema/problems";
import { credential } from "./credential";
import type { Node, Span } from "./node";

/** A text that is nothing but a reference tells no secret. */
const onlyReference = /^\$\{(?!.*:-)[\w.:-]*\}?$/;

/** The values under `secrets`, and those under names of credentials, in the order of the file. */
export function secretSpans(root: Node | undefined): Span[] {
  const spans = new Map<number, Span>();
  const seen = new Set<Node>();
  const visit = (node: Node, isSecret: boolean) => {
    if (node.kind === "scalar") {
      const isShown = !isSecret || (typeof node.value === "string" && onlyReference.test(node.value));
      if (!isShown && node.value !== null) spans.set(node.at.start, node.at);
      return;
    }
    if (!isSecret && seen.has(node)) return;
    seen.add(node);
    if (node.kind === "list") node.items.forEach((item) => visit(item, isSecret));
    else {
      const all = [...node.entries].map(([key, { value }]) => [key, value] as const);
      for (const [key, value] of [...all, ...(node.refused ?? [])]) {
        visit(value, isSecret || isSecretKey(key, value));
      }
    }
  };
  if (root !== undefined) visit(root, false);
  return [...spans.values()].sort((a, b) => a.start - b.start);
}

function isSecretKey(key: string, { kind }: Node): boolean {
  if (key === "secretName" || key === "secretKey" || key === "secretReferences") return false;
  return kind === "scalar" ? credential.test(key) : key === "secrets" || didYouMean(key, ["secrets"]) !== "";
}

/** A part of a text with what is secret in it as asterisks, each column where it was. */
export function masked(text: string, { start, end }: Span, secrets: readonly Span[]): string {
  let line = text.slice(start, end);
  for (let index = firstAfter(secrets, start); index < secrets.length; index++) {
    const secret = secrets[index]!;
    if (secret.start >= end) break;
    const [from, to] = [Math.max(secret.start, start) - start, Math.min(secret.end, end) - start];
    line = line.slice(0, from) + line.slice(from, to).replace(/\S/g, "*") + line.slice(to);
  }
  return line;
}

/** The first span that ends after an offset. */
function firstAfter(spans: readonly Span[], offset: number): number {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (spans[middle]!.end > offset) high = middle;
    else low = middle + 1;
  }
  return low;
}

const inClear = new RegExp(`((?<!secret)${credential.source}["']?\\s*:\\s+)(?!\\$\\{)(\\S.*)`, "gi");

/** For a line that the parser could not read, in which no value has a place: names of credentials are still known. */
export function maskedByName(line: string): string {
  return line.replace(inClear, (_, name: string, value: string) => name + value.replace(/\S/g, "*"));
}
