import type { Entry } from "../node";
import type { Notes } from "./code";
import type { Comments } from "./comments";

/** Gives the comments out, each once although defaults are used many times. */
export class NoteBook {
  readonly #given = new Set<number>();

  constructor(readonly comments: Comments) {}

  get footer(): readonly string[] {
    return this.comments.footer;
  }

  /** The comments of an entry and of what it replaced. */
  of(entry: Entry | undefined): Notes | undefined {
    if (entry === undefined) return undefined;
    const all = [this.of(entry.below), this.at(entry.key.start)].filter((notes) => notes !== undefined);
    if (all.length === 0) return undefined;
    return {
      before: all.flatMap(({ before }) => before),
      beside: all.flatMap(({ beside }) => beside),
      after: all.flatMap(({ after }) => after),
    };
  }

  at(offset: number): Notes | undefined {
    if (this.#given.has(offset)) return undefined;
    this.#given.add(offset);
    return this.comments.notes.get(offset);
  }
}
