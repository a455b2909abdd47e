import type { ChangeEffect } from "../../schema/fields";

/**
 * How one service of this family spells and rules the same protocol. A dialect is data: whatever reads it
 * never asks for its name.
 *
 * Rules are by the path of the argument (`sourceConfig.resourceSpec`); a rule holds for all that is below its path,
 * unless a longer path says otherwise (`ruleFor`). Patterns are regular expressions.
 */
export interface Dialect {
  readonly name: string;
  readonly headers: {
    readonly apiKey: string;
    readonly tenantId: string;
  };
  readonly paths: Paths;
  readonly vocabulary: {
    /** The wire's field names that differ from the specification's, by the specification's. */
    readonly fields: Readonly<Record<string, string>>;
    /** Values of `source` and `revision_source` that differ, by the specification's. */
    readonly sources: Readonly<Record<string, string>>;
    /** Where a response holds what was declared, when the field itself holds what became of it; a path on the wire. */
    readonly declaredAt: Readonly<Record<string, string>>;
  };

  /** What a change of a field causes, where it differs from the table of fields. */
  readonly changes: Readonly<Record<string, ChangeEffect>>;
  /** Fields that make a revision by being in a PATCH, unless empty. Where none is, a revision takes the first along. */
  readonly makesRevision: readonly string[];
  /** How a PATCH takes a value away; `*` for what has no rule of its own. */
  readonly removal: Readonly<Record<string, Removal>>;

  /** Whether the service refuses a field of another source and one that is missing; else they are warned of. */
  readonly refusesWrongFields: boolean;
  /** The sources that take a field, where not all do. */
  readonly sourcesOf: Readonly<Record<string, readonly string[]>>;
  /** Fields without which a deployment of a source cannot be created. */
  readonly required: Readonly<Record<string, readonly string[]>>;
  /** What finds a value that is missing, by its path, for a person: a command. */
  readonly foundBy: Readonly<Record<string, string>>;
  /** Fields that a deployment of a source can be given only once it exists. */
  readonly notOnCreate: Readonly<Record<string, readonly string[]>>;
  /** What is sent when a deployment of a source is created and the program leaves it open. */
  readonly sentOnCreate: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Values that do not go together: where every pattern fits, the property is refused, or warned of. */
  readonly conflicts: readonly Conflict[];
  readonly names: NameRule | undefined;
  /** By source: a further rule for names. */
  readonly namesOf: Readonly<Record<string, NameRule>>;
  /** The same on an installation of one's own. */
  readonly namesOnOwnHosts: Readonly<Record<string, NameRule>>;
  /** Hosts of the public service; all others are installations of somebody's own. */
  readonly publicHosts: readonly string[];
  /** Short names of the public service's addresses, for the setting `baseUrl`. */
  readonly regions: Readonly<Record<string, string>>;
  readonly reservedSecrets: ReservedSecrets | undefined;

  readonly revisionStatuses: RevisionStatuses | undefined;
  /** By source: what a deployment runs, where it can be created before there is any. Until then there is no revision. */
  readonly uploads: Readonly<Record<string, string>>;
  /** How source code is archived and uploaded; undefined where the service takes no uploads. */
  readonly archives: ArchiveRules | undefined;
  /** Arguments that go along with a DELETE, as parameters of its query. */
  readonly deletion: Readonly<Record<string, string>>;
  /** What keeps a name taken after its deployment was deleted, and the argument of the deletion that frees it. */
  readonly nameKeeper: { readonly what: string; readonly freedBy: string } | undefined;
  /** What a person can do about a refusal that says this, in capitals or not. */
  readonly advice: readonly { readonly pattern: string; readonly text: string }[];

  /** The usual name of the file that `graphConfigPath` leads to. */
  readonly graphConfigFile: string;
  /** What the service fills in where a request leaves a field open. */
  readonly defaults: Readonly<Record<string, unknown>>;
  /** The address that the service chooses; `{name}` is the deployment's name in it. */
  readonly ownAddress: string | undefined;
  /** Whether the service refuses a second deployment of the same name. Where not, create looks first. */
  readonly uniqueNames: boolean;
}

/** Below the base address. What only some dialects have is undefined in the others. `{id}`, `{revision_id}` and `{integration_id}` are filled in, escaped. */
export interface Paths {
  readonly deployments: string;
  /** PATCH and DELETE. */
  readonly deployment: string;
  /** GET of one deployment; without it only the list says that one was deleted. */
  readonly readDeployment: string | undefined;
  /** GET of one revision; without it a rollout is judged by the deployment alone. */
  readonly revision: string | undefined;
  /** GET of a deployment's revisions, the newest first. */
  readonly revisions: string | undefined;
  /** POST that ends a revision which has not ended by itself. */
  readonly interruption: string | undefined;
  /** POST: an address to upload source code to. */
  readonly uploadAddress: string | undefined;
  /** Where a person reads why a revision failed; `{type}` is the kind of log. */
  readonly revisionLog: string | undefined;
  /** GET of the integrations whose repositories the service can build. */
  readonly codehostIntegrations: string | undefined;
  readonly codehostRepositories: string;
  /** The second repository listing (specification, section 4.2), where its path is known. */
  readonly serviceRepositories: string | undefined;
}

export interface ArchiveRules {
  /** The graph configuration, where the program does not name it. */
  readonly configFile: string;
  /** Patterns that are left out unless an ignore file brings them back. */
  readonly leftOut: readonly string[];
  /** Files with patterns of what to leave out, in git's format. Later files win. */
  readonly ignoreFiles: readonly string[];
  /** The service refuses larger archives; bytes. */
  readonly largest: number;
  /** Larger archives are worth a warning; bytes. */
  readonly large: number;
  /** Headers of an upload. */
  readonly headers: Readonly<Record<string, string>>;
  /** Headers of an upload, unless the service names others together with the address. */
  readonly usualHeaders: Readonly<Record<string, string>>;
  /** Body of a request for an address by a client that sends the headers that the service names. */
  readonly offer: Readonly<Record<string, unknown>>;
}

/**
 * - `null`: the value `null`;
 * - `empty`: the empty list;
 * - `read-modify-write`: the object around it is sent anew with all that is left, what others set in it included;
 * - `never`: it stays, whatever is sent.
 */
export type Removal = "null" | "empty" | "read-modify-write" | "never";

export interface Conflict {
  readonly property: string;
  readonly reason: string;
  /** The service may take it all the same. */
  readonly isWarning?: true;
  /** By path. What is not given is matched as the empty text; what is not known yet by no pattern. */
  readonly when: Readonly<Record<string, string>>;
}

/** What the name of a new deployment must look like. */
export interface NameRule {
  readonly pattern: string;
  readonly reason: string;
}

/** Names that the platform sets by itself. */
export interface ReservedSecrets {
  readonly names: readonly string[];
  /** Names that are free on an installation of one's own. */
  readonly onPublicHosts: readonly string[];
}

export interface RevisionStatuses {
  /** It waits until an earlier one has ended. */
  readonly queued: string;
  /** While it is built, with the kind of log that its build writes. */
  readonly building: Readonly<Record<string, string>>;
  readonly deployed: string;
  /** With the kind of log that tells why. */
  readonly failed: Readonly<Record<string, string>>;
  /** It has ended before it was deployed: a newer one takes its place, or is about to. */
  readonly skipped: string;
  /** Somebody has ended it before it was deployed; a newer one may take its place. */
  readonly stopped: string;
}
