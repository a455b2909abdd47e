/** What several measurements of the same thing say. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** Undefined where nothing was measured. */
export function spreadOf(values: readonly number[]): Spread | undefined {
  if (values.length === 0) return undefined;
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const median = (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2;
  return { median, min: sorted[0]!, max: sorted.at(-1)! };
}

/** Undefined where one of them is, or there is nothing to divide by. */
export function ratioOf(spread: Spread | undefined, base: Spread | undefined): number | undefined {
  return spread === undefined || base === undefined || base.median === 0
    ? undefined
    : spread.median / base.median;
}
