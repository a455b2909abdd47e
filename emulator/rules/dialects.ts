import { langsmith, lenientLangsmith } from "./langsmith-rules";
import type { Rules } from "./dialect-rules";
import { standard } from "./standard-rules";

export type DialectName = "standard" | "langsmith";

/** `lenient` is for programs that were not written for this emulator. */
export const dialects: Readonly<Record<DialectName, { readonly strict: Rules; readonly lenient: Rules }>> = {
  standard: { strict: standard, lenient: { ...standard, unknownKeys: "ignore" } },
  langsmith: { strict: langsmith, lenient: lenientLangsmith },
};
