/** What a program registers with the engine. */
import type { Values } from "../wire";
import type { Config } from "./state";

export interface Registration {
  readonly urn: string;
  /** Its former URNs. */
  readonly aliases: readonly string[];
  /** URN of its provider. */
  readonly provider: string;
  /** Secrets in it are marked as such. */
  readonly args: Values;
  readonly deleteBeforeReplace?: boolean;
  /** Names of arguments. */
  readonly replaceOnChanges?: readonly string[];
}

export interface Program {
  /** By URN. */
  readonly providers: ReadonlyMap<string, Config>;
  readonly resources: readonly Registration[];
}
