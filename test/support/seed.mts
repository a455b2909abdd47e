/**
 * Seeds the property tests when FAST_CHECK_SEED is set. CI sets it, so that a change is judged by what it changes; a run
 * without it tries new cases each time.
 */
const seed = process.env["FAST_CHECK_SEED"];
if (seed !== undefined) {
  const { default: fc } = await import("fast-check");
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) });
}
