/** A logarithmic axis. It begins and ends at a tick. */
export interface Scale {
  readonly ticks: readonly number[];
  /** The place of a value, in the units of the picture. */
  at(value: number): number;
}

/** @param values more than zero: an axis of this kind has no place for others */
export function logScale(values: readonly number[], from: number, to: number): Scale {
  const ticks = ticksFor(Math.min(...values), Math.max(...values));
  const low = Math.log10(ticks[0]!);
  const high = Math.log10(ticks.at(-1)!);
  return { ticks, at: (value) => from + ((Math.log10(value) - low) / (high - low)) * (to - from) };
}

/** Powers of ten, and where there would be few of them also twice and five times as much. */
function ticksFor(min: number, max: number): number[] {
  const steps = max / min < 100 ? [1, 2, 5] : [1];
  const powers = [Math.floor(Math.log10(min)), Math.ceil(Math.log10(max)) + 1];
  const candidates = Array.from(
    { length: powers[1]! - powers[0]! + 1 },
    (_, index) => index + powers[0]!,
  ).flatMap((power) => steps.map((step) => Number(`${step}e${power}`)));
  const first = candidates.findLastIndex((tick) => tick <= min);
  const last = candidates.findIndex((tick, index) => tick >= max && index > first);
  return candidates.slice(first, last + 1);
}
