/** A folder of source code: its content for a preview, and its archive for an upload. */
import type { SourceContent, SourceFolder } from "../deployment/service";
import { archiveOf, refuseTooLarge, type ArchiveFile } from "./archive";
import { describeContent, type FileDigest } from "./digest";
import { namesIn } from "../agent/environment-file";
import { listingOf, type Listing, type ListingOptions, type SourceFile } from "./source-files";
import { OpenFile } from "../agent/open-file";
import { overviewText, type SizedFile } from "./withheld";
import type { Count } from "../time/pace";

export interface FolderOptions extends ListingOptions {
  /** Shows how far the reading or packing of a large folder is. */
  readonly count?: Count | undefined;
}

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

  constructor(private readonly options: FolderOptions) {}

  /** Digests every file. Packs them only if the archive could be too large. */
  async content(): Promise<FolderContent> {
    const { rules } = this.options;
    const listing = await this.#list();
    const read = await this.#read(listing.files);
    const described = describeContent(read, listing.configPath);
    const content = listing.pinsServer ? { ...described, pinsServer: true as const } : described;
    const total = read.reduce((all, each) => all + each.size, 0);
    if (total > rules.largest) await refuseTooLarge(listing, rules, this.#packing(listing));
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
    return (this.#archive ??= this.#list().then((listing) =>
      archiveOf(listing, this.options.rules, this.#packing(listing)),
    ));
  }

  /** Frees the archive's disk space. */
  async close(): Promise<void> {
    await (await this.#archive?.catch(() => undefined))?.close();
  }

  #list(): Promise<Listing> {
    return listingOf(this.options, this.#counter("found"));
  }

  #packing({ files }: Listing): () => void {
    return this.#counter("archived", files.length);
  }

  async #read(files: readonly SourceFile[]): Promise<readonly (FileDigest & SizedFile)[]> {
    const found: (FileDigest & SizedFile)[] = [];
    const count = this.#counter("read", files.length);
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
        count();
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    return found;
  }

  #counter(done: string, total?: number): () => void {
    const of = total === undefined ? "" : ` of ${total}`;
    let files = 0;
    return () => {
      files++;
      this.options.count?.(() => `sourceDirectory: ${done} ${files}${of} files`);
    };
  }
}

/** The number of files read in parallel. */
const atOnce = 8;
