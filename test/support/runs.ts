/** How many cases a random test plays: few with a fixed seed, or many with new seeds in `npm run test:long`. `npm run check` plays fewer. */
const factor = Number(process.env["TEST_RUNS"] ?? 1);

export const isLong = factor > 1;

/** @param seed leave it out to play other cases in each plain run */
export function runs(few: number, seed?: number): { readonly numRuns: number; readonly seed?: number } {
  return { numRuns: Math.ceil(few * factor), ...(!isLong && seed !== undefined && { seed }) };
}
