/** Works through a list, so many at a time. */
export async function inTurn<T>(
  count: number,
  list: readonly T[],
  work: (each: T) => Promise<void>,
): Promise<void> {
  const left = [...list];
  const worker = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await work(next);
  };
  await Promise.all(Array.from({ length: count }, worker));
}
