/** What is on the screen after a run. */

const row = /^ ?[ +~=-]{2} *(\S+:\S+ \S+) /;

/**
 * The rows that an interactive terminal ends with: one for each resource. Without a terminal the CLI prints a row
 * again whenever it changes, and dots in between.
 */
export function settled(output: string): string {
  const lines = output.split("\n").filter((line) => !line.startsWith("@ "));
  const last = new Map<string, number>();
  lines.forEach((line, index) => {
    const resource = row.exec(line)?.[1];
    if (resource !== undefined) last.set(resource, index);
  });
  const isStale = (line: string, index: number) => {
    const resource = row.exec(line)?.[1];
    return resource !== undefined && last.get(resource) !== index;
  };
  const kept = lines.filter((line, index) => !isStale(line, index)).map((line) => line.trimEnd());
  return kept
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/**
 * Leaves out what differs between runs and versions of Node.js: times, dates, compressed sizes, the last progress of what is done,
 * whether the stack's own deletion is shown, and the order of resources.
 */
export function comparable(output: string): string {
  return output
    .replace(/\b\d+(\.\d+)?(ms|s|m\d+s|m)\b/g, "<time>")
    .replace(/\b\d{4}-\d\d-\d\d( \d\d:\d\d UTC)?\b/g, "<date>")
    .replace(/^ -( {2}pulumi:pulumi:Stack \S+) deleted .*/gm, "  $1")
    .replace(/uploading \d+ bytes/g, "uploading <size>")
    .replace(/(\(<time>\)( \[diff: [^\]]*\];)?) (uploading|active after) .*/g, "$1")
    .replace(/[ \t]+$/gm, "")
    .trim()
    .split("\n")
    .sort()
    .join("\n");
}
