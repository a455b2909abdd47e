/** An axis on which each step is ten times the one before. It begins and ends at a whole step. */
export interface Scale {
  readonly ticks: readonly number[];
  /** The place of a value, in the units of the picture. */
  at(value: number): number;
}

/** @param values more than zero: an axis of this kind has no place for others */
export function logScale(values: readonly number[], from: number, to: number): Scale {
  const low = Math.floor(Math.log10(Math.min(...values)));
  const high = Math.max(Math.ceil(Math.log10(Math.max(...values))), low + 1);
  return {
    ticks: Array.from({ length: high - low + 1 }, (_, step) => Number((10 ** (low + step)).toPrecision(1))),
    at: (value) => from + ((Math.log10(value) - low) / (high - low)) * (to - from),
  };
}
