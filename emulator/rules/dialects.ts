import { langsmith, lenientLangsmith } from "./langsmith";
import type { Rules } from "./rules";
import { standard } from "./standard";

export type DialectName = "standard" | "langsmith";

/** `lenient` is for programs that were not written for this emulator. */
export const dialects: Readonly<Record<DialectName, { readonly strict: Rules; readonly lenient: Rules }>> = {
  standard: { strict: standard, lenient: { ...standard, unknownKeys: "ignore" } },
  langsmith: { strict: langsmith, lenient: lenientLangsmith },
};
