import type { Benchmark } from "./benchmark";
import { checkAndDiff } from "./check-and-diff";
import { engineSlots } from "./engine-slots";
import { fromManifest } from "./from-manifest";
import { manifest } from "./manifest";
import { rateLimit } from "./rate-limit";
import { start } from "./start";

/** In the order of the report. */
export const benchmarks: readonly Benchmark[] = [
  start,
  checkAndDiff,
  manifest,
  fromManifest,
  rateLimit,
  engineSlots,
];
