/** What one run of the engine has done so far. */
import { Claims } from "./claims";
import type { State } from "./state";

export class Run {
  /** The state of each resource that was compared; undefined if the program moves it to another service. */
  readonly compared = new Map<string, { readonly id: string; readonly state: State } | undefined>();
  /** The name of each resource that was checked for its creation, which has not begun. */
  readonly toCreate = new Map<string, unknown>();

  constructor(readonly claims = new Claims()) {}
}
