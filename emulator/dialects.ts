import { langsmith, lenientLangsmith } from "./rules/langsmith";
import type { Rules } from "./rules/rules";
import { standard } from "./rules/standard";

/** What the service speaks; `lenient` is for programs that were not written for this emulator. */
export const dialects = {
  standard: { strict: standard, lenient: { ...standard, unknownKeys: "ignore" } },
  langsmith: { strict: langsmith, lenient: lenientLangsmith },
} as const satisfies Readonly<Record<string, { readonly strict: Rules; readonly lenient: Rules }>>;

export type DialectName = keyof typeof dialects;
