import { langsmith, lenientLangsmith } from "./langsmith";
import type { Rules } from "./rules";
import { standard } from "./standard";

/** `lenient` is for programs that were not written for this emulator. */
export const dialects = {
  standard: { strict: standard, lenient: { ...standard, unknownKeys: "ignore" } },
  langsmith: { strict: langsmith, lenient: lenientLangsmith },
} as const satisfies Readonly<Record<string, { readonly strict: Rules; readonly lenient: Rules }>>;

export type DialectName = keyof typeof dialects;
