import type { Change } from "../../schema/fields";

/**
 * How one service of this family spells and rules the same protocol. A dialect is data: whatever reads it
 * never asks for its name.
 */
export interface Dialect {
  readonly name: string;
  readonly headers: {
    readonly apiKey: string;
    readonly tenantId: string;
  };
  /** Paths below the base address; `{id}` and `{integration_id}` are filled in, escaped. */
  readonly paths: {
    readonly deployments: string;
    readonly deployment: string;
    readonly codehostRepositories: string;
    /** The second repository listing (specification, section 4.2), where its path is known. */
    readonly serviceRepositories: string | undefined;
  };
  readonly words: {
    /** The wire's field names that differ from the specification's, by the specification's. */
    readonly fields: Readonly<Record<string, string>>;
    /** Values of `source` and `revision_source` that differ, by the specification's. */
    readonly sources: Readonly<Record<string, string>>;
  };
  /** What a change of a field causes, where it differs from the table of fields; by path of the argument. */
  readonly changes: Readonly<Record<string, Change>>;
  /** The sources that take a field, where not all do; by path of the argument. */
  readonly sourcesOf: Readonly<Record<string, readonly string[]>>;
  /** What the service fills in where a request leaves a field open; by path of the argument. */
  readonly defaults: Readonly<Record<string, unknown>>;
  /** A regular expression for the address that the service chooses; `{name}` is the deployment's name in it. */
  readonly ownAddress: string | undefined;
  /** Whether the service refuses a second deployment of the same name. Where not, create looks first. */
  readonly uniqueNames: boolean;
}
