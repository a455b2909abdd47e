/** What a program registers with the engine. */
import type { Declared } from "../../../support/adapters";
import type { Config } from "./state";

export interface Registration {
  readonly urn: string;
  /** Its former URNs. */
  readonly aliases: readonly string[];
  /** URN of its provider. */
  readonly provider: string;
  /** Named by its URN. */
  readonly declared: Declared;
  readonly deleteBeforeReplace?: boolean;
}

export interface Program {
  /** By URN. */
  readonly providers: ReadonlyMap<string, Config>;
  readonly resources: readonly Registration[];
}
