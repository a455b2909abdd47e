/** The manifest that an import creates or extends. */
import { Existing } from "./import/existing";
import { withEntries } from "./import/insert";
import { manifestEntry, manifestText } from "./import/manifest";
import type { Imported } from "./import/choice";
import { checkManifest } from "../provider/manifest/check-manifest";
import { problemsToText } from "../provider/manifest/render";
import { SourceText } from "../provider/manifest/source";
import type { Settings } from "../provider/settings/settings";
import { settingsTable } from "../provider/settings/table";
import { sanitize } from "../provider/text/sanitize";
import { UsageError, type Io } from "./command";
import { textIn, type TargetFile } from "./files/target-file";
import { checkFile } from "./files/manifest-file";
import { hasErrors, hasColor } from "./commands/validate-command";

/** What the manifest already declares. For a file with problems, prints the first one and returns undefined. */
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
  io.stderr.write(problemsToText(source, [first], { mask, color: hasColor(io) }));
  io.stderr.write(`${sanitize(target.file)} has problems; nothing was written\n`);
  return undefined;
}

/** The manifest's text with the imported deployments. A new one mentions the dialect of their connection. */
export function textWith(
  imported: readonly Imported[],
  target: TargetFile,
  { defaults }: Existing,
  { dialect }: Settings,
): string {
  // Read again: the user may have saved it in the meantime.
  const before = textIn(target) ?? "";
  if (before.trim() === "") {
    const isUsual = dialect.name === settingsTable.dialect.default;
    const text = manifestText(imported, isUsual ? undefined : dialect.name);
    // Existing deployments may predate some of the dialect's rules.
    return hasErrors(checkManifest(new SourceText("", text), {})) ? manifestText(imported) : text;
  }
  const [mark, there] = before.startsWith("\ufeff") ? ["\ufeff", before.slice(1)] : ["", before];
  const entries = imported.map((each) => manifestEntry(each, defaults));
  const text = withEntries(there, entries);
  if (text !== undefined) return mark + text;
  throw new UsageError(
    `${sanitize(target.file)} has a layout that deployments cannot be added to without changing the rest; ` +
      "nothing was written. Import into another file with --manifest, then copy its deployments by hand",
  );
}
