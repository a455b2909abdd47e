/** The manifest that an import writes, or adds to. */
import { Existing } from "../import/existing";
import { withDialect, withEntries } from "../import/insert";
import { manifestEntry, manifestOf } from "../import/manifest";
import type { Imported } from "../import/plan";
import { checkManifest } from "../manifest/check";
import { toText } from "../manifest/render";
import { SourceText } from "../manifest/source";
import type { Settings } from "../settings/reading";
import { settingsTable } from "../settings/table";
import { sanitize } from "../text/sanitize";
import { UsageError, type Io } from "./command";
import { textIn, type TargetFile } from "./files";
import { checkFile } from "./manifest-file";
import { usesColor } from "./validate";

/** What the manifest declares already; undefined for a file with problems, of which the first is shown. */
export async function readExisting(
  target: TargetFile,
  { dialect, baseUrl }: Settings,
  io: Io,
): Promise<Existing | undefined> {
  if (!textIn(target)?.trim()) return new Existing();
  const known = { dialect: { name: dialect.name, is: "connection", baseUrl } } as const;
  const { source, problems, root, mask } = await checkFile(target.file, known, io);
  const first = problems.find(({ severity }) => severity === "error");
  if (first === undefined) return new Existing(root, source.text);
  io.stderr.write(toText(source, [first], { mask, color: usesColor(io) }));
  io.stderr.write(
    `${sanitize(target.file)} has problems, so nothing is added to it and nothing was written\n`,
  );
  return undefined;
}

/** The manifest's text with the deployments in it, and the dialect of the connection they come from. */
export function textWith(
  imported: readonly Imported[],
  target: TargetFile,
  { defaults }: Existing,
  { dialect: { name: dialect } }: Settings,
): string {
  // Read once more: somebody may have saved it while the service was asked.
  const before = textIn(target) ?? "";
  const [mark, there] = before.startsWith("\ufeff") ? ["\ufeff", before.slice(1)] : ["", before];
  const isNew = there.trim() === "";
  const entries = imported.map((each) => manifestEntry(each, defaults));
  const text = isNew ? manifestOf(imported) : withEntries(there, entries);
  if (text === undefined) {
    throw new UsageError(
      `${sanitize(target.file)} is written in a way that nothing can be added to without changing the rest, and nothing ` +
        "was written: import into another file with --manifest, and take over what it holds",
    );
  }
  const named = dialect === settingsTable.dialect.default ? undefined : withDialect(text, dialect);
  return mark + (named !== undefined && isSound(named) ? named : text);
}

/** Whether the dialect's rules accept the file. What is on the service may have been made under older rules. */
function isSound(text: string): boolean {
  const { problems } = checkManifest(new SourceText("", text), {});
  return !problems.some(({ severity }) => severity === "error");
}
