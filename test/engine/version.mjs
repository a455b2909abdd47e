/** The three numbers of the first version in `text` ("v3.274.1", "go1.26.8 X:…"), or undefined. */
export function parseVersion(text) {
  const found = /(\d+)\.(\d+)(?:\.(\d+))?/.exec(text);
  return found ? [Number(found[1]), Number(found[2]), Number(found[3] ?? 0)] : undefined;
}

/** Whether `text` holds a version that is `minimum` or newer. Text without a version never is. */
export function isAtLeast(text, minimum) {
  const have = parseVersion(text);
  const want = parseVersion(minimum);
  if (!have || !want) return false;
  const differing = have.findIndex((part, index) => part !== want[index]);
  return differing === -1 || have[differing] > want[differing];
}
