import type { Observed } from "./service";

/** What create ends with: the deployment, and what is to be waited for. */
export interface Created {
  readonly observed: Observed;
  /** Whether there is a revision that is to become active, and which were there before. */
  readonly hasRollout: boolean;
  readonly previous: readonly string[];
  /** Secrets that it has and the program does not declare. */
  readonly unmanaged: readonly string[];
}
