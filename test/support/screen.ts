/** What the CLI prints, without what differs between runs: ids, times and order. */

const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

export function withoutIds(text: string): string {
  return text.replace(uuid, "<id>");
}

/** Lines about progress, which depend on timing. */
const passing =
  /^@ |\b(creating|updating|deleting|refreshing|replacing)\b.*\(\d+s\)|^([a-z ]+ \S+ of \d\S*: |active after |deployment-service: )/;
/** The stack's own lines, addresses, times, and what the CLI says after every run. */
const noise =
  /^[ +~-]*pulumi:pulumi:Stack\b(?! \()|\[(urn|id)=|^Duration:|^The resources in the stack|^If you want to remove/;
/** The line of a resource, which is printed again for each event. */
const row = /^ *[-+~<>=]* +(\S+:\S+ \S+) (?!\()/;
/** The duration and the last message, which is repeated among the diagnostics. */
const end = / \([\d.]+s\)( \[diff: [^\]]*\])?.*/;
/** Outputs of the stack between the resources, printed as soon as they are known. */
const outputs = /^ {4}--outputs:--/;
/** The first line of a resource in either form of the output, or a line that belongs to none. */
const resource = new RegExp(`^(?: {4}| )[-+~<>=]+ +\\S+:\\S+[ :]|${outputs.source}`);
/** What a run does to a resource, and warnings, in output that shows each property. */
const explanation = /^(\S+(?: \(\S+\))?: (creates|updates|replaces|resumes|takes) |warning: )/;

/** After a failure, timing decides which outputs the program had. */
const failed = /^ *error: (update|preview) failed$/;

export function screenOf(output: string, serviceUrl: string): string {
  const lines = withoutIds(output)
    .replaceAll(serviceUrl, "<service>")
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => line !== "" && !passing.test(line) && !noise.test(line))
    .map((line) => (row.test(line) ? line.replace(end, "$1") : line))
    .map((line) =>
      line
        .replace(/(\*\*\w+ failed\*\*).*/, "$1")
        .replace(/<\{%.*?%\}>/g, "")
        .replace(/\((\d+(\.\d+)?(ms|s|m))+\)/g, "(<time>)")
        .replace(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"<time>"')
        .replace(/-[0-9a-f]{8}\.apps\./g, "-<hash>.apps."),
    );
  const subjects = lines.map((line) => row.exec(line)?.[1]);
  const last = lines.filter((_, at) => !subjects[at] || subjects.lastIndexOf(subjects[at]) === at);
  const explanations = last.filter((line) => explanation.test(line)).sort();
  const [title, ...others] = last.filter((line) => !explanation.test(line));
  const isFailed = others.some((line) => failed.test(line));
  const parts = partsOf(others, /^\S/).filter(([heading]) => !(isFailed && heading === "Outputs:"));
  return [title, ...explanations, ...parts.flatMap(inOrder)].join("\n");
}

/** The engine lists resources in the order of events, and the summary in no order. */
function inOrder(lines: readonly string[]): string[] {
  // Timing decides how far the others got when one failed.
  if (lines[0] === "Resources:" && lines.some((line) => line.endsWith("errored"))) return [];
  if (lines[0] !== "Diagnostics:") return sorted(lines, resource);
  const said = lines.filter((line) => !failed.test(line));
  const sections = partsOf(said, /^ {2}\S/).filter((section) => section.length > 1);
  return sections.length === 0
    ? []
    : ["Diagnostics:", ...sections.map((section) => section.join("\n")).sort()];
}

function sorted(lines: readonly string[], opening: RegExp): string[] {
  const parts = partsOf(lines, opening).map((part) => part.join("\n"));
  const isOpening = (part: string) => opening.test(part);
  const subjects = parts.filter(isOpening).sort();
  return [
    ...parts.filter((part) => !isOpening(part)),
    ...subjects.filter((part) => !outputs.test(part)),
    ...subjects.filter((part) => outputs.test(part)),
  ];
}

/** Splits the lines at each opening line. */
function partsOf(lines: readonly string[], opening: RegExp): string[][] {
  const parts: string[][] = [];
  for (const line of lines) {
    if (parts.length === 0 || opening.test(line)) parts.push([line]);
    else parts.at(-1)?.push(line);
  }
  return parts;
}
