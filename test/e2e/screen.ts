/** What the CLI prints, as a person reads it, without what differs from run to run: ids, times, order. */

const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

export function withoutIds(text: string): string {
  return text.replace(uuid, "<id>");
}

/** Lines that tell how far the run is: which of them there are is a matter of time. */
const passing =
  /^@ |\b(creating|updating|deleting|refreshing|replacing)\b.*\(\d+s\)|^([a-z ]+ \S+ of \d\S*: |active after |deployment-service: )/;
/** The stack's own lines, addresses, times, and what the CLI says after every run. */
const noise =
  /^[ +~-]*pulumi:pulumi:Stack\b(?! \()|\[(urn|id)=|^Duration:|^The resources in the stack|^If you want to remove/;
/** The line of a resource, which is printed again with each piece of news. */
const row = /^ *[-+~<>=]* +(\S+:\S+ \S+) (?!\()/;
/** How long it took, and what was said last; that is printed once more among the diagnostics. */
const end = / \([\d.]+s\)( \[diff: [^\]]*\])?.*/;
/** The outputs of the stack, among the resources: they come whenever they are known. */
const outputs = /^ {4}--outputs:--/;
/** Where a resource begins, in both forms of the output, or what belongs to none. */
const resource = new RegExp(`^(?: {4}| )[-+~<>=]+ +\\S+:\\S+[ :]|${outputs.source}`);
/** What a run is going to do to a resource, and warnings, among the resources where each property is shown. */
const explanation = /^(\S+(?: \(\S+\))?: (creates|updates|replaces|resumes|takes) |warning: )/;

/** After a failure it is a matter of time how far the program came, and so which outputs it had. */
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

/** The engine tells of resources in the order in which it got to them, and sums up in no order. */
function inOrder(lines: readonly string[]): string[] {
  // How far the others came when one failed is a matter of time.
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

/** The lines in parts, each but perhaps the first with an opening line. */
function partsOf(lines: readonly string[], opening: RegExp): string[][] {
  const parts: string[][] = [];
  for (const line of lines) {
    if (parts.length === 0 || opening.test(line)) parts.push([line]);
    else parts.at(-1)?.push(line);
  }
  return parts;
}
