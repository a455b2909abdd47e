/** What is wrong in a value, and where. */
import type { Path } from "./tree";

export interface Problem {
  readonly path: Path;
  readonly message: string;
  /** The stable name of the broken rule. */
  readonly rule: "type" | "required" | "unknown-key" | "enum" | "format" | "range" | "fields";
  /** The key in the object at the path, if that is wrong and not the object. */
  readonly key?: string;
  /** The type that would be accepted. */
  readonly expected?: string;
}
