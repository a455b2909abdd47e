/** The pace of messages about something that takes long: on a terminal the numbers move, and a log gets few lines. */
import type { Clock } from "./clock";

/** Milliseconds between two messages. */
function pace(isTerminal: boolean): number {
  return isTerminal ? 1_000 : 10_000;
}

/** Shows how far the work is. Call it at every step: it only shows a text when it is time for one. */
export type Count = (text: () => string) => void;

/** The first text is shown after one interval, so that nothing is shown for short work. */
export function paced(clock: Pick<Clock, "now">, isTerminal: boolean, show: (text: string) => void): Count {
  let shownAt = clock.now();
  return (text) => {
    const now = clock.now();
    if (now - shownAt < pace(isTerminal)) return;
    shownAt = now;
    show(text());
  };
}
