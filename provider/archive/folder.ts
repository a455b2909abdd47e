/** A folder of source code: its content for a preview, and its archive for an upload. */
import type { Clock } from "../clock";
import type { SourceContent, SourceFolder } from "../deployment/service";
import type { ArchiveRules } from "../dialects/dialect";
import { archiveOf, type ArchiveFile } from "./archive";
import { describeContent, type FileDigest } from "./digest";
import { listingOf, type LeftOut, type Listing, type SourceFile } from "./listing";
import { OpenFile } from "./open-file";
import { formatSize } from "../size";
import { firstOf } from "../text/first-of";

export interface FolderOptions {
  /** Relative to the working directory. */
  readonly directory: string;
  /** Relative to the folder; the default is the dialect's. */
  readonly configFile?: string | undefined;
  readonly rules: ArchiveRules;
  readonly clock: Pick<Clock, "now">;
  /** Called about once a second with a message that replaces the one before. */
  readonly progress: (message: string) => void;
}

export interface FolderContent {
  readonly content: SourceContent;
  /** Facts about the archive that may surprise the user. */
  readonly notices: readonly string[];
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
    const { digests, size } = await this.#digestsOf(listing.files);
    const content = describeContent(digests, listing.configPath);
    const warnings = size > rules.large ? await this.#measured(listing) : [];
    return { content, notices: noticesOf(listing.unasked), warnings };
  }

  archive(): Promise<ArchiveFile> {
    return (this.#archive ??= this.#list().then((listing) => this.#pack(listing)));
  }

  /** Frees the archive's disk space. */
  async close(): Promise<void> {
    await (await this.#archive?.catch(() => undefined))?.close();
  }

  #list(): Promise<Listing> {
    const { directory, configFile, rules } = this.options;
    return listingOf(directory, configFile, rules, this.#counter("found"));
  }

  #pack(listing: Listing): Promise<ArchiveFile> {
    return archiveOf(listing, this.options.rules, this.#counter("archived", listing.files.length));
  }

  async #measured(listing: Listing): Promise<string[]> {
    const archive = await this.#pack(listing);
    await archive.close();
    if (archive.size <= this.options.rules.large) return [];
    return [
      `the archive has ${formatSize(archive.size)}: exclude everything that is not source code with .dockerignore or .gitignore`,
    ];
  }

  async #digestsOf(files: readonly SourceFile[]): Promise<{ digests: FileDigest[]; size: number }> {
    const digests: FileDigest[] = [];
    const read = this.#counter("read", files.length);
    let next = 0;
    let all = 0;
    const work = async () => {
      for (let index = next++; index < files.length; index = next++) {
        const { path, file } = files[index]!;
        const opened = await OpenFile.at(file);
        try {
          for await (const bytes of opened.read()) all += bytes.length;
          digests[index] = { path, digest: opened.digest() };
        } finally {
          await opened.close();
        }
        read();
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    return { digests, size: all };
  }

  #counter(done: string, total?: number): () => void {
    const { clock, progress } = this.options;
    const of = total === undefined ? "" : ` of ${total}`;
    let count = 0;
    let reportedAt = clock.now();
    return () => {
      count++;
      const now = clock.now();
      if (now - reportedAt < reportInterval) return;
      reportedAt = now;
      progress(`sourceDirectory: ${done} ${count}${of} files`);
    };
  }
}

/** The number of files read in parallel. */
const atOnce = 8;
/** Milliseconds. */
const reportInterval = 1_000;

function noticesOf({ environment, links, special }: LeftOut): string[] {
  const reasons: readonly (readonly [readonly string[], string])[] = [
    [
      environment,
      "environment files may contain credentials. Pass their values as `secrets`, or include a file with a line such as " +
        "`!.env.example` in .gitignore",
    ],
    [links, "links are not followed"],
    [special, "only regular files are uploaded"],
  ];
  return reasons
    .filter(([paths]) => paths.length > 0)
    .map(([paths, reason]) => `leaves out ${firstOf(paths)}: ${reason}`);
}
