/** What messages say of keys and types. Programs load it without zod. */
const articles: Record<string, string> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  object: "an object",
  record: "an object",
  array: "a list",
  symbol: "a value that is not known yet",
};

/** `a whole number` */
export function article(expected: string): string {
  return articles[expected] ?? expected;
}

export function typeName(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "number") {
    if (Number.isNaN(value)) return "NaN";
    // A file may have written it as 1e999.
    if (!Number.isFinite(value)) return "a number out of range";
    return Number.isInteger(value) ? "a number" : "a decimal number";
  }
  if (typeof value === "boolean") return String(value);
  return articles[typeof value] ?? typeof value;
}

export function unknownKeyMessage(key: string, accepted: readonly string[]): string {
  return `unknown key "${key}"${didYouMeanText(key, accepted)}`;
}

/** `; did you mean "repoRef"?`, or nothing if no accepted word is close. */
export function didYouMeanText(word: string, accepted: readonly string[], translate = nearest): string {
  const found = translate(word, accepted) ?? nearest(word, accepted);
  return found === undefined ? "" : `; did you mean "${found}"?`;
}

/** The accepted word that is close enough to be meant. */
export function nearest(word: string, accepted: readonly string[]): string | undefined {
  const plain = (text: string) => text.toLowerCase().replace(/[-_\s]/g, "");
  const limit = Math.max(1, Math.floor(word.length / 3));
  const [first] = accepted
    .map((candidate) => ({ candidate, distance: editDistance(plain(word), plain(candidate)) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance);
  return first?.candidate;
}

function editDistance(a: string, b: string): number {
  // Words much longer than any key are never close, and would make the computation slow.
  if (Math.max(a.length, b.length) > 200 || Math.abs(a.length - b.length) > 20) return Infinity;
  let [before, row]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      // Two swapped letters count as one mistake.
      const isSwap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = isSwap ? before[j - 2]! + 1 : Infinity;
      next.push(Math.min(next[j - 1]! + 1, row[j]! + 1, substitution, swap));
    }
    [before, row] = [row, next];
  }
  return row[b.length]!;
}
