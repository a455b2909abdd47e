import type { Observed } from "./service";

/** What create ends with: the deployment, and what is to be waited for. */
export interface Created {
  readonly observed: Observed;
  /** Whether a revision was made, and which were there before. */
  readonly makesRevision: boolean;
  readonly previous: readonly string[];
  /** Secrets that it has and the program does not declare. */
  readonly unmanaged: readonly string[];
}
