import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { format, resolveConfig } from "prettier";
import { withFigures } from "./document";
import { growth } from "./growth";
import { describeMachine, type Machine } from "./machine";
import { picture } from "./picture";
import type { Summary } from "./summary";
import { asMarkdown } from "./table";
import { shortTable } from "./views";

const docs = resolve(__dirname, "../../../docs");
const document = resolve(docs, "performance.md");
const image = resolve(docs, "pictures/growth.svg");

/** Writes the figures and the picture of them into the documents. Returns the files. */
export async function writeDocuments(
  summaries: readonly Summary[],
  machine: Machine,
  rounds: number,
): Promise<string[]> {
  mkdirSync(dirname(image), { recursive: true });
  const caption = describeMachine(machine);
  writeFileSync(image, picture(growth(summaries), caption));
  const before = existsSync(document) ? readFileSync(document, "utf8") : "# Performance\n";
  const text = withFigures(before, figures(summaries, caption, rounds));
  const config = await resolveConfig(document);
  writeFileSync(document, await format(text, { ...config, filepath: document }));
  return [document, image];
}

function figures(summaries: readonly Summary[], caption: string, rounds: number): string {
  return `![Processor time of a preview without a change, and requests of a refresh, by the number of resources](pictures/growth.svg)

${caption}.
Medians of ${rounds} ${rounds === 1 ? "round" : "rounds"}, in brackets the least and the most.
Processor time is that of the CLI with all that it starts, memory the peak of the provider process.
"1.20x" is 1.2 times that of the bare program: as many dynamic resources with the same arguments and nothing behind them.
The conventional program is a \`pulumi.dynamic.Resource\` as Pulumi's documentation teaches it.

${asMarkdown(shortTable(summaries))}`;
}
