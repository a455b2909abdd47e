/** All laws, for both providers or only one. */
import type { Law } from "./law";
import { checking } from "./laws/check";
import { copying } from "./laws/copies";
import { comparing } from "./laws/diff";
import { ending } from "./laws/end";
import { failing } from "./laws/failures";
import { operating } from "./laws/operations";
import { packaging } from "./laws/packaged";
import { running } from "./laws/sequences";
import { setting } from "./laws/settings";

export const table: readonly (readonly [topic: string, laws: readonly Law[]])[] = [
  ["settings", setting],
  ["check", checking],
  ["diff", comparing],
  ["the operations", operating],
  ["secrets", copying],
  ["what fails", failing],
  ["runs one after the other", running],
  ["what the packaged provider has beside", packaging],
  ["the end", ending],
];
