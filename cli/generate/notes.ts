/** Assigns the comments of a YAML file to keys and list items. */
import { readComments } from "../../provider/manifest/comments";
import { partsOf, type Entry, type Node } from "../../provider/manifest/node";
import type { SourceText } from "../../provider/manifest/source";
import type { Notes } from "./code";
import { inCode, needsPulumi } from "./commented-secrets";

/** The comments by the offset of their key or item. Returns each one once, even if defaults are used many times. */
export class NoteBook {
  /** The comments at the end of the file. */
  readonly footer: string[] = [];
  /** Whether a comment is code that needs the import of `pulumi`. */
  readonly needsPulumi: boolean = false;
  readonly #notes = new Map<number, Record<keyof Notes, string[]>>();

  constructor(source: SourceText, root: Node) {
    const places = [...new Set(Array.from(partsOf(root), ({ at }) => at.start))].sort((a, b) => a - b);
    const columnOf = (place: number) => source.positionOf(place).column;
    let next = 0;
    for (const comment of inCode([...readComments(source)])) {
      const { offset, text, line, column, isAlone } = comment;
      this.needsPulumi ||= needsPulumi(comment);
      while (next < places.length && places[next]! < offset) next++;
      const following = places[next];
      if (isAlone) {
        if (following !== undefined && columnOf(following) >= column)
          this.#notesAt(following).before.push(text);
        else if (column === 1) this.footer.push(text);
        // A comment that is indented deeper than the next key belongs to the block before it.
        else this.#notesAt(lastOf(places, next - 1, (place) => columnOf(place) <= column)).after.push(text);
        continue;
      }
      const { start } = source.lineSpan(line);
      // A comment after several keys belongs to the first one on the line.
      const isOnLine = next > 0 && places[next - 1]! >= start;
      const first = isOnLine ? lastOf(places, next - 1, (_, before) => before < start) : places[next - 1];
      if (first !== undefined) this.#notesAt(first).beside.push(text);
    }
  }

  #notesAt(offset: number): Record<keyof Notes, string[]> {
    const notes = this.#notes.get(offset) ?? { before: [], beside: [], after: [] };
    this.#notes.set(offset, notes);
    return notes;
  }

  at(offset: number): Notes | undefined {
    const notes = this.#notes.get(offset);
    this.#notes.delete(offset);
    return notes;
  }

  /** The comments of an entry and of the entries it replaced. */
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
}

/** Searches backwards from an index for a fitting offset. Falls back to the first one. */
function lastOf(
  places: readonly number[],
  from: number,
  isWanted: (place: number, before: number) => boolean,
): number {
  let index = from;
  while (index > 0 && !isWanted(places[index]!, places[index - 1]!)) index--;
  return places[Math.max(0, index)]!;
}
