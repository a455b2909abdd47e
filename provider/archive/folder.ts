/** A folder of source code: its content for a preview, and its archive for an upload. */
import type { SourceContent, SourceFolder } from "../deployment/service";
import { archiveOf, refuseTooLarge, type ArchiveFile } from "./archive";
import { describeContent, type FileDigest } from "./digest";
import { namesIn } from "../agent/environment-file";
import { listingOf, type ListingOptions, type SourceFile } from "./source-files";
import { OpenFile } from "../agent/open-file";
import { overviewText, type SizedFile } from "./withheld";

export interface FolderContent {
  readonly content: SourceContent;
  /** What the archive holds, and what is excluded from it, in one line. */
  readonly overview: () => string;
  /** Variables of the environment that the service's own command line would send: their names, and where they are. */
  readonly environment: { readonly place: string; readonly names: readonly string[] };
  readonly warnings: readonly string[];
}

export class Folder implements SourceFolder {
  #archive: Promise<ArchiveFile> | undefined;

  constructor(private readonly options: ListingOptions) {}

  /** Digests every file. Packs them only if the archive could be too large. */
  async content(): Promise<FolderContent> {
    const { rules } = this.options;
    const listing = await listingOf(this.options);
    const read = await readAll(listing.files);
    const described = describeContent(read, listing.configPath);
    const content = listing.pinsServer ? { ...described, pinsServer: true as const } : described;
    const total = read.reduce((all, each) => all + each.size, 0);
    if (total > rules.largest) await refuseTooLarge(listing, rules);
    const { place, file, names } = listing.environment;
    const found = { names, ...(file !== undefined && namesIn(file)) };
    return {
      content,
      overview: () => overviewText(read, listing.withheld),
      environment: { place, names: found.names },
      warnings: found.problem === undefined ? [] : [found.problem],
    };
  }

  archive(): Promise<ArchiveFile> {
    return (this.#archive ??= listingOf(this.options).then((listing) =>
      archiveOf(listing, this.options.rules),
    ));
  }

  /** Frees the archive's disk space. */
  async close(): Promise<void> {
    await (await this.#archive?.catch(() => undefined))?.close();
  }
}

/** The number of files read in parallel. */
const atOnce = 8;

async function readAll(files: readonly SourceFile[]): Promise<readonly (FileDigest & SizedFile)[]> {
  const found: (FileDigest & SizedFile)[] = [];
  let next = 0;
  const work = async () => {
    for (let index = next++; index < files.length; index = next++) {
      const { path, file, isExecutable } = files[index]!;
      const opened = await OpenFile.at(file, isExecutable);
      try {
        for await (const _ of opened.read());
        found[index] = { path, size: opened.size, ...opened.digest() };
      } finally {
        await opened.close();
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return found;
}
