/** A folder of source code: its content for a preview, and its archive for an upload. */
import type { SourceContent, SourceFolder } from "../deployment/service";
import { archiveOf, type ArchiveFile } from "./archive";
import { describeContent, type FileDigest } from "./digest";
import { namesIn } from "./environment-file";
import { listingOf, type Listing, type ListingOptions, type SourceFile } from "./source-files";
import { OpenFile } from "./open-file";
import { bulkOf, overviewText, type SizedFile } from "./overview";
import type { Count } from "../pace";
import { formatSize } from "../size";

export interface FolderOptions extends ListingOptions {
  /** Shows how far the reading or packing of a large folder is. */
  readonly count?: Count | undefined;
}

export interface FolderContent {
  readonly content: SourceContent;
  /** What the archive holds, and what stays out of it, in one line. */
  readonly overview: () => string;
  /** The file with environment variables that the graph configuration names, and the names in it. */
  readonly environment: { readonly file: string; readonly names: readonly string[] } | undefined;
  /** Warnings about a large archive. */
  readonly warnings: readonly string[];
}

export class Folder implements SourceFolder {
  #archive: Promise<ArchiveFile> | undefined;

  constructor(private readonly options: FolderOptions) {}

  /** Digests every file. Only packs an archive to measure it, if it could be too large. */
  async content(): Promise<FolderContent> {
    const { rules } = this.options;
    const listing = await this.#list();
    const read = await this.#read(listing.files);
    const size = read.reduce((all, each) => all + each.size, 0);
    const { configPath, withheld, environmentFile } = listing;
    return {
      content: describeContent(read, configPath),
      overview: () => overviewText(read, withheld),
      environment: environmentFile && {
        file: environmentFile.written,
        names: await namesIn(environmentFile.path),
      },
      warnings: size > rules.large ? await this.#measured(listing, read) : [],
    };
  }

  archive(): Promise<ArchiveFile> {
    return (this.#archive ??= this.#list().then((listing) => this.#pack(listing)));
  }

  /** Frees the archive's disk space. */
  async close(): Promise<void> {
    await (await this.#archive?.catch(() => undefined))?.close();
  }

  #list(): Promise<Listing> {
    return listingOf(this.options, this.#counter("found"));
  }

  #pack(listing: Listing): Promise<ArchiveFile> {
    return archiveOf(listing, this.options.rules, this.#counter("archived", listing.files.length));
  }

  async #measured(listing: Listing, sized: readonly SizedFile[]): Promise<string[]> {
    const archive = await this.#pack(listing);
    await archive.close();
    if (archive.size <= this.options.rules.large) return [];
    const most = bulkOf(sized);
    return [
      `the archive has ${formatSize(archive.size)}${most === undefined ? "" : `, and ${most} before compression`}: ` +
        "exclude everything that is not source code with .dockerignore or .gitignore",
    ];
  }

  async #read(files: readonly SourceFile[]): Promise<readonly (FileDigest & SizedFile)[]> {
    const found: (FileDigest & SizedFile)[] = [];
    const count = this.#counter("read", files.length);
    let next = 0;
    const work = async () => {
      for (let index = next++; index < files.length; index = next++) {
        const { path, file } = files[index]!;
        const opened = await OpenFile.at(file);
        try {
          for await (const _ of opened.read());
          found[index] = { path, size: opened.size, digest: opened.digest() };
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
