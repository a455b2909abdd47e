/** The manifest that an import writes, or adds to. */
import { Existing } from "../import/existing";
import { withDialect, withEntries } from "../import/insert";
import { entryOf, manifestOf } from "../import/manifest";
import type { Imported } from "../import/plan";
import { checkManifest } from "../manifest/check";
import { toText } from "../manifest/render";
import { Source } from "../manifest/source";
import type { Settings } from "../settings";
import { settingsTable } from "../settings-table";
import { sanitize } from "../text/sanitize";
import { UsageError, type Io } from "./command";
import { textIn, type Target } from "./files";
import { checkFile } from "./manifest-file";
import { usesColor } from "./validate";

export class ManifestFile {
  private constructor(
    readonly target: Target,
    /** What the file holds, its byte order mark included; undefined where there is nothing yet. */
    readonly before: string | undefined,
    readonly existing: Existing,
    /** The connection's, by name. */
    private readonly dialect: string,
  ) {}

  /** Undefined for a file with problems, of which the first is shown: what it means nobody knows. */
  static async read(
    target: Target,
    { dialect, baseUrl }: Settings,
    io: Io,
  ): Promise<ManifestFile | undefined> {
    const before = textIn(target);
    if (before === undefined || before.trim() === "") {
      return new ManifestFile(target, undefined, new Existing(), dialect.name);
    }
    const known = { dialect: { name: dialect.name, is: "connection", baseUrl } } as const;
    const { source, problems, root, mask } = await checkFile(target.file, known, io);
    const first = problems.find(({ severity }) => severity === "error");
    if (first === undefined)
      return new ManifestFile(target, before, new Existing(root, source.text), dialect.name);
    io.stderr.write(toText(source, [first], { mask, color: usesColor(io) }));
    io.stderr.write(
      `${sanitize(target.file)} has problems, so nothing is added to it and nothing was written\n`,
    );
    return undefined;
  }

  /** The text with the deployments in it, and whose rules it is by; undefined where there is nothing to change. */
  with(imported: readonly Imported[]): string | undefined {
    if (imported.length === 0) return undefined;
    const text = this.#withDeployments(imported);
    return this.dialect === settingsTable.dialect.default ? text : this.#withDialect(text);
  }

  /** Not where it would be refused for what is on the service all the same: that once was ruled less strictly. */
  #withDialect(text: string): string {
    const mark = markOf(text);
    const named = withDialect(text.slice(mark.length), this.dialect);
    if (named === undefined) return text;
    const { problems } = checkManifest(new Source(this.target.file, named), {});
    return problems.some(({ severity }) => severity === "error") ? text : mark + named;
  }

  #withDeployments(imported: readonly Imported[]): string {
    const { target, before, existing } = this;
    if (before === undefined) return manifestOf(imported);
    if (textIn(target) !== before) {
      throw new UsageError(
        `${sanitize(target.file)} was changed in the meantime, and nothing was written: try again`,
      );
    }
    const mark = markOf(before);
    const entries = imported.map((each) => entryOf(each, existing.defaults));
    const text = withEntries(before.slice(mark.length), entries);
    if (text !== undefined) return mark + text;
    throw new UsageError(
      `${sanitize(target.file)} is written in a way that nothing can be added to without changing the rest, and nothing ` +
        "was written: import into another file with --manifest, and take over what it holds",
    );
  }
}

/** The byte order mark, if there is one. */
function markOf(text: string): string {
  return text.startsWith("\ufeff") ? "\ufeff" : "";
}
