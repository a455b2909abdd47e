/**
 * Property tests try this many cases where they do not say how many: few in a plain run, more in `npm run test:long`. Seeds them
 * when FAST_CHECK_SEED is set. CI sets it, so that a change is judged by what it changes; a run without it tries new cases each
 * time.
 */
import fc from "fast-check";
import { runs } from "./runs";

const seed = process.env["FAST_CHECK_SEED"];
fc.configureGlobal({ ...runs(40), ...(seed !== undefined && { seed: Number(seed) }) });
