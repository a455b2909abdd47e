/** What the user asks for, and where. */
import type { Dialect } from "../../provider/dialects";

/** Where the command runs. */
export interface Caller {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stderr: { write(text: string): unknown };
}

export type Kind = "typescript" | "manifest";

/** The new project. */
export interface Place {
  /** Absolute. */
  readonly folder: string;
  /** As the user wrote it. */
  readonly name: string;
  readonly kind: Kind;
  readonly dialect: Dialect;
}

export type CiService = "github" | "gitlab";
