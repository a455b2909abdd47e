/** Fenced blocks of a Markdown file, with the comments that describe them. */

export interface Fence {
  readonly language: string;
  readonly text: string;
  /** `file: index.ts` of the comment right above: `<!-- file: index.ts -->`. */
  readonly role: string | undefined;
  /** Of the text between the fences, in the file. */
  readonly start: number;
  readonly end: number;
  readonly line: number;
}

const fence = /(?:<!-- ([^\n]*?) -->\n+)?^```([\w-]*)\n([\s\S]*?)^```$/gm;

export function fencesIn(markdown: string): Fence[] {
  return [...markdown.matchAll(fence)].map((match) => {
    const [whole, role, language = "", text = ""] = match;
    const start = match.index + whole.length - text.length - "```".length;
    const line = markdown.slice(0, start).split("\n").length;
    return { language, text, role, start, end: start + text.length, line };
  });
}

/** Whether a block shows the output of `npx pulumi`, which only this part runs. */
export function isOfAgent({ language, text }: Fence): boolean {
  return language === "console" && text.startsWith("$ npx pulumi ");
}

export interface Run {
  readonly command: string;
  readonly output: string;
}

/** The commands of a console block, each with what it printed. */
export function runsIn(text: string): Run[] {
  const parts = text.split(/^\$ /m).slice(1);
  return parts.map((part) => {
    const end = part.indexOf("\n");
    return { command: part.slice(0, end).trim(), output: part.slice(end + 1).trimEnd() };
  });
}

export function consoleText(runs: readonly Run[]): string {
  return runs.map(({ command, output }) => `$ ${command}\n${output === "" ? "" : `${output}\n`}`).join("\n");
}

/** Everything but the fenced blocks. */
export function proseIn(markdown: string): string {
  return markdown.replace(/^```[\s\S]*?^```$/gm, "");
}

function headingsIn(markdown: string): string[] {
  return [...proseIn(markdown).matchAll(/^#+ (.+)$/gm)].map(([, title]) => title!);
}

/** What a link to each heading ends with. */
export function anchorsIn(markdown: string): string[] {
  return headingsIn(markdown).map((title) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replace(/\s/g, "-"),
  );
}
