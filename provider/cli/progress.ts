import type { Io } from "./command";

/** Milliseconds between progress messages: a log gets fewer. */
export function progressInterval({ isTerminal }: Pick<Io, "isTerminal">): number {
  return isTerminal ? 3_000 : 10_000;
}

/** Collects pages, and reports progress on standard error if that takes long. */
export async function collect<T>(pages: AsyncIterable<readonly T[]>, what: string, io: Io): Promise<T[]> {
  const all: T[] = [];
  const began = Date.now();
  const timer = setInterval(() => {
    // Before the first page arrives, the request may still fail; the error then says enough.
    if (all.length === 0) return;
    const seconds = Math.round((Date.now() - began) / 1000);
    io.stderr.write(`still reading: ${all.length} ${what} so far (${seconds}s)\n`);
  }, progressInterval(io));
  try {
    for await (const page of pages) for (const item of page) all.push(item);
  } finally {
    clearInterval(timer);
  }
  return all;
}
