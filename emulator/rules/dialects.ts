import { langsmith } from "./langsmith-rules";
import type { Rules } from "./dialect-rules";
import { standard } from "./standard-rules";

export type DialectName = "standard" | "langsmith";

export const dialects: Readonly<Record<DialectName, Rules>> = { standard, langsmith };
