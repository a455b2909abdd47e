import { describe, expect, it } from "vitest";
import { Semaphore } from "../../../provider/control-plane/semaphore";
import { settled } from "../../support/clock";

describe("a semaphore", () => {
  it("lets so many run at a time, and the rest in order, whether they work or fail", async () => {
    const places = new Semaphore(2);
    const started: number[] = [];
    const endings: ((fail: boolean) => void)[] = [];
    const run = async <T>(work: () => Promise<T>): Promise<T> => {
      const place = places.take();
      await place.turn;
      return work().finally(place.release);
    };
    const runs = [0, 1, 2, 3, 4].map((number) =>
      run(() => {
        started.push(number);
        return new Promise<number>((resolve, reject) => {
          endings.push((fail) => (fail ? reject(new Error(`failed ${number}`)) : resolve(number)));
        });
      }),
    );
    const results = Promise.allSettled(runs);
    const seen: number[][] = [];
    for (let ended = 0; ended < 5; ended++) {
      await settled();
      seen.push([...started]);
      endings[ended]!(ended % 2 === 1);
    }
    expect(seen.map(({ length }) => length)).toEqual([2, 3, 4, 5, 5]);
    expect(started).toEqual([0, 1, 2, 3, 4]);
    expect((await results).map(({ status }) => status)).toEqual([
      ...["fulfilled", "rejected", "fulfilled", "rejected", "fulfilled"],
    ]);
    expect(places.take().turn).toBeUndefined();
  });

  it("lets whoever gives up leave the queue, and gives each place away once", async () => {
    const places = new Semaphore(1);
    const [first, second, third] = [places.take(), places.take(), places.take()];
    second.release();
    expect(places.waiting).toBe(1);
    first.release();
    first.release();
    await third.turn;
    const fourth = places.take();
    expect(fourth.turn).toBeDefined();
    third.release();
    await fourth.turn;
  });
});
