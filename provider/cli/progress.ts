import type { Io } from "./command";

/** Milliseconds until the first sign of life, and between them. */
const interval = 3_000;

/** Collects pages; says on standard error how far it is when that takes long. */
export async function collect<T>(pages: AsyncIterable<readonly T[]>, what: string, io: Io): Promise<T[]> {
  const all: T[] = [];
  const began = Date.now();
  const timer = setInterval(() => {
    // Nothing has come yet: it may be that nothing comes, and then an error is all there is to say.
    if (all.length === 0) return;
    const seconds = Math.round((Date.now() - began) / 1000);
    io.stderr.write(`still reading: ${all.length} ${what} so far (${seconds}s)\n`);
  }, interval);
  try {
    for await (const page of pages) for (const item of page) all.push(item);
  } finally {
    clearInterval(timer);
  }
  return all;
}
