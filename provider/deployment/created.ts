import type { ValuePath } from "./differences";
import type { Observed } from "./service";
import type { Written } from "./written";

/** What create ends with: the deployment, and what is to be waited for. */
export interface Created {
  readonly observed: Observed;
  /** Whether it was surely made by this call: not taken over, and not found after an answer was lost. */
  readonly isNew: boolean;
  /** Whether there is a revision that is to become active, and which were there before. */
  readonly hasRollout: boolean;
  readonly previous: readonly string[];
  readonly written: Written;
  /** Secrets that it has and the program does not declare. */
  readonly unmanagedSecrets?: readonly string[];
  /** Parts of its objects that the program does not declare. */
  readonly undeclared?: readonly ValuePath[];
}
