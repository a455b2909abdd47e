import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { format, resolveConfig } from "prettier";
import { asLine } from "./benchmark";
import { withFigures } from "./document";
import { growth } from "./growth";
import { describeMachine } from "./machine";
import { picture } from "./picture";
import { many } from "./options";
import type { Report } from "./report";
import { parallel, type Sample } from "./rounds";
import { asMarkdown } from "./table";
import { shortTable } from "./views";

const docs = resolve(__dirname, "../../../docs");
const document = resolve(docs, "performance.md");
const image = resolve(docs, "pictures/growth.svg");

/** Writes the figures and the picture of them into the documents. Returns the files. */
export async function writeDocuments(report: Report): Promise<string[]> {
  mkdirSync(dirname(image), { recursive: true });
  writeFileSync(image, picture(growth(report.summaries), describeMachine(report.machine)));
  const before = existsSync(document) ? readFileSync(document, "utf8") : "# Performance\n";
  const text = withFigures(before, figuresOf(report));
  const config = await resolveConfig(document);
  writeFileSync(document, await format(text, { ...config, filepath: document }));
  return [document, image];
}

export function figuresOf({ machine, figures, summaries, samples }: Report): string {
  const lines = Object.values(figures).flat();
  const single = { left: 1, headings: ["What", ""], rows: lines.map((line) => [line.what, asLine(line)]) };
  return `![Processor time of a preview without a change, and requests of a refresh, by the number of resources](pictures/growth.svg)

${describeMachine(machine)}.
${roundsOf(samples)}; in brackets the lowest and the highest value.
Each run is a command of the CLI with \`--parallel ${parallel}\`; with ${many} resources, state is written once at the end, because writing it after every step takes quadratic time in any Pulumi program. Processor time covers the CLI and all processes that it starts; memory is the peak of the provider process.
"1.20x" means 1.2 times the bare program, which declares the same number of dynamic resources with the same arguments, but does nothing.
"Equal state" is the bare program with as much state as this package keeps, which the engine and the SDK pass back and forth. The difference from it, if larger than the spread, is this package's own work.
The conventional program is a \`pulumi.dynamic.Resource\` written as Pulumi's documentation teaches it.

${asMarkdown(shortTable(summaries))}
${lines.length === 0 ? "" : asMarkdown(single)}`;
}

/** "Medians of 3 rounds (1000 resources: 1)" */
function roundsOf(samples: readonly Sample[]): string {
  const rounds = new Map<number, number>();
  for (const { count, round } of samples) rounds.set(count, Math.max(round, rounds.get(count) ?? 0));
  const most = Math.max(...rounds.values());
  const fewer = [...rounds].filter(([, each]) => each < most);
  const others = fewer.map(([count, each]) => `${count} resources: ${each}`).join(", ");
  return `Medians of ${most} ${most === 1 ? "round" : "rounds"}${others === "" ? "" : ` (${others})`}`;
}
