/** How many cases a random test plays: the same few each time, or, in `npm run test:long`, many more and others each time. */
const factor = Number(process.env["TEST_RUNS"] ?? 1);

export const isLong = factor > 1;

/** @param seed left out where a plain run may play others each time, too */
export function runs(few: number, seed?: number): { readonly numRuns: number; readonly seed?: number } {
  return { numRuns: few * factor, ...(!isLong && seed !== undefined && { seed }) };
}
