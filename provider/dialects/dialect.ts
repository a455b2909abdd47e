import type { ChangeEffect } from "../../schema/fields";

/**
 * The names and rules of one service of this family. A dialect is data: code that reads it never checks its name.
 *
 * Rules are keyed by the path of an argument (`sourceConfig.resourceSpec`) and apply to everything below it, unless a longer
 * path has its own rule (`ruleFor`). Patterns are regular expressions. What is optional here, a service may not have.
 */
export interface Dialect {
  readonly name: string;
  readonly headers: {
    readonly apiKey: string;
    /** For a token instead of a key, which follows the word `Bearer`. */
    readonly token: string;
    readonly tenantId: string;
  };
  readonly paths: Paths;
  readonly vocabulary: {
    /** Names of wire fields that differ from the specification, keyed by the specification's name. */
    readonly fields: Readonly<Record<string, string>>;
    /** Values of `source` and `revision_source` that differ, keyed by the specification's value. */
    readonly sources: Readonly<Record<string, string>>;
    /** Wire path of the declared value, for fields that a response resolves: a branch to a commit, for example. */
    readonly declaredAt: Readonly<Record<string, string>>;
  };

  /** By path: what users may write for a value of the service (`dialects/words.ts`). */
  readonly words: Readonly<Record<string, Readonly<Record<string, string>>>>;

  /** What a change of a field causes, if it differs from the table of fields. */
  readonly changes: Readonly<Record<string, ChangeEffect>>;
  /** Fields that cause a revision, but perhaps not by themselves. Another one is sent with them. */
  readonly perhapsRevision?: readonly string[];
  /** How a PATCH removes a value; `*` is the default. */
  readonly removal: Readonly<Record<string, Removal>>;

  /** Whether the service refuses missing fields and fields of another source. Otherwise they cause a warning. */
  readonly refusesWrongFields: boolean;
  /** The sources that accept a field, if not all do. */
  readonly sourcesOf: Readonly<Record<string, readonly string[]>>;
  /** By source: fields that are required to create a deployment. */
  readonly required: Readonly<Record<string, readonly string[]>>;
  /** By path: what to set instead for a source that does not accept the field. */
  readonly instead?: Readonly<Record<string, string>>;
  /** By path: the command that finds a missing value. */
  readonly foundBy: Readonly<Record<string, string>>;
  /**
   * By source: fields that a program may declare only once the deployment exists. A field that is sent later has
   * `sent: "afterFirstRevision"`.
   */
  readonly refusedOnFirstUp: Readonly<Record<string, readonly string[]>>;
  /** By source: values to send on creation if the program does not set them. */
  readonly sentOnCreate: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Combinations of values that are refused or cause a warning. */
  readonly conflicts: readonly Conflict[];
  readonly names?: NameRule;
  /** By source: an additional rule for names. */
  readonly namesOf: Readonly<Record<string, NameRule>>;
  /** Where the service runs. The first place that an address fits adds its rules. */
  readonly places: readonly Place[];
  /** Short names for the public service's addresses, in the setting `baseUrl`. */
  readonly regions: Readonly<Record<string, string>>;
  /** What the vendor's own tools read: the last fallback of settings. */
  readonly vendor?: VendorTools;
  /** Pages of deployments. `addresses` turns the address of the service into that of its dashboard, by patterns. */
  readonly dashboard?: { readonly path: string; readonly addresses: Readonly<Record<string, string>> };
  /** Names of secrets that the platform sets itself. */
  readonly reservedSecrets: readonly string[];
  /** Names of secrets with the address of one's own database, which a deployment keeps for life and shares with no other. */
  readonly databases: readonly string[];

  /** What a new deployment that declares no type becomes, if that always costs. */
  readonly withoutType?: string;
  readonly revisionStatuses?: RevisionStatuses;
  /** What the vendor says about interrupting a revision. */
  readonly interruptionWarning?: string;
  /** By source: path of what the deployment runs, if it can be created without. Until that is set, there is no revision. */
  readonly uploads: Readonly<Record<string, string>>;
  /** How source code is archived and uploaded, if the service accepts uploads. */
  readonly archives?: ArchiveRules;
  /** Arguments that a DELETE sends, mapped to query parameters. */
  readonly deletion: Readonly<Record<string, string>>;
  /** By field of a response: who owns the deployments for which it is true. They are never adopted, imported or deleted. */
  readonly owners: Readonly<Record<string, Owner>>;
  /** Whether each deployment has a tracing project, with an id. */
  readonly hasTracingProjects: boolean;
  /** What reserves the name of a deleted deployment, and the argument that deletes it too. */
  readonly nameKeeper?: { readonly what: string; readonly freedBy: string };
  /** Advice for refusals whose text matches the pattern, ignoring case. */
  readonly advice: readonly Advice[];

  /** Default file name for `graphConfigPath`. */
  readonly graphConfigFile: string;
  /** Values that the service fills in if a request does not set a field. */
  readonly defaults: Readonly<Record<string, unknown>>;
  /** Pattern of the addresses that the service chooses; `{name}` stands for the deployment's name. */
  readonly ownAddress?: string;
  /** Whether the service refuses a second deployment of the same name. If not, create looks for one first. */
  readonly uniqueNames: boolean;
}

/** Relative to the base address; absent if the service lacks the endpoint. Placeholders in braces are replaced. */
export interface Paths {
  readonly deployments: string;
  /** PATCH and DELETE. */
  readonly deployment: string;
  /** GET of one deployment. Without it, only the list shows that one was deleted. */
  readonly readDeployment?: string;
  /** GET of one revision. Without it, the deployment alone shows the progress of a rollout. */
  readonly revision?: string;
  /** GET of a deployment's revisions, the newest first. */
  readonly revisions?: string;
  /** POST that interrupts a revision: the first of these that the service has. */
  readonly interruption?: readonly string[];
  /** POST that returns an address for uploading source code. */
  readonly uploadAddress?: string;
  /** GET of a revision's log; `{type}` is the kind of log. */
  readonly revisionLog?: string;
  /** Where older versions of the service have it: a POST with the parameters as its body. Asked after 404 or 405. */
  readonly olderRevisionLog?: string;
  /** GET of the integrations whose repositories the service can build. */
  readonly codehostIntegrations?: string;
  readonly codehostRepositories: string;
  /** The second repository listing (specification, section 4.2), if its path is known. */
  readonly serviceRepositories?: string;
  /** GET of the listeners that can run deployments on the customer's own hosts. */
  readonly listeners?: string;
}

export interface ArchiveRules {
  /** Default path of the graph configuration. */
  readonly configFile: string;
  /** Patterns that are excluded unless an ignore file includes them again. */
  readonly leftOut: readonly string[];
  /** Files with patterns to exclude, in git's format. Later files win. */
  readonly ignoreFiles: readonly string[];
  /** Maximum size of an archive; bytes. */
  readonly largest: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Headers of an upload, unless the service returns others with the address. */
  readonly usualHeaders: Readonly<Record<string, string>>;
  /** Body of a request for an address that offers to send headers chosen by the service. */
  readonly offer: Readonly<Record<string, unknown>>;
}

/**
 * - `null`: sends `null`;
 * - `empty`: sends an empty list or object;
 * - `read-modify-write`: sends the enclosing object without the value, including what others set in it;
 * - `never`: cannot be removed.
 */
export type Removal = "null" | "empty" | "read-modify-write" | "never";

export interface Conflict {
  readonly property: string;
  readonly reason: string;
  /** Whether the message shows the value. */
  readonly showsValue?: true;
  /** The values of an enumeration: the message suggests the one that is close to the value. */
  readonly known?: readonly string[];
  /** Only a warning: the service may accept it. */
  readonly isWarning?: true;
  /** Does not apply to existing deployments. */
  readonly isOnlyForCreation?: true;
  /** Patterns by path, all of which must match. Missing values count as empty strings. Unknown values match nothing. */
  readonly when: Readonly<Record<string, string>>;
}

/** Something else than a program. */
export interface Owner {
  /** What it makes: `preview build`. */
  readonly what: string;
  /** The rest of "which …". */
  readonly owns: string;
}

export interface Advice {
  readonly pattern: string;
  readonly text: string;
  /** The listing whose entries are the choices; they are added to the text. */
  readonly choices?: "listeners";
}

/** A rule for the names of new deployments. */
export interface NameRule {
  readonly pattern: string;
  readonly reason: string;
}

/** A place, and its rules next to those that apply everywhere. */
export interface Place {
  /** Pattern of the service's address. */
  readonly address: string;
  /** Pattern of the address of its pages, if only that distinguishes the place. */
  readonly dashboard?: string;
  readonly conflicts?: readonly Conflict[];
  /** By source: an additional rule for names. */
  readonly namesOf?: Readonly<Record<string, NameRule>>;
  readonly reservedSecrets?: readonly string[];
}

/** Environment variables and files of the vendor's own tools. Of several variables, the first that is set counts. */
export interface VendorTools {
  readonly apiKey: readonly string[];
  /** The one that people set. */
  readonly usualApiKey: string;
  readonly tenantId: readonly string[];
  /** The variable with the name of a deployment, which these tools write into the environment file of an agent. */
  readonly deploymentName: string;
  /** Variables with the address of the control plane. */
  readonly controlPlane: readonly string[];
  /** Variables with the address of the API, from which that of the control plane follows. */
  readonly api: readonly string[];
  /** Patterns of addresses of the API, and what replaces them in that of the control plane. */
  readonly apiAddresses: Readonly<Record<string, string>>;
  /** Pattern of the control planes in the vendor's cloud, which a key from a variable may be sent to. */
  readonly publicAddress: string;
  /** Path of the control plane at every other address of the API. */
  readonly controlPlanePath: string;
  readonly profile: {
    /** Below the home folder. */
    readonly file: string;
    /** Variable with the path of another file. */
    readonly fileVariable: string;
    readonly nameVariable: string;
    /** The command that writes the file. */
    readonly login: string;
    /** The program that replaces a token. With these arguments and the name of a profile, it prints a valid one. */
    readonly tool: string;
    readonly tokenArguments: readonly string[];
  };
}

export interface RevisionStatuses {
  /** Waiting for an earlier revision to finish. */
  readonly queued: string;
  /** Statuses of a running build, mapped to the kind of log that it writes. */
  readonly building: Readonly<Record<string, string>>;
  readonly deployed: string;
  /** Statuses of failure, mapped to the kind of log that shows the reason. */
  readonly failed: Readonly<Record<string, string>>;
  /** Superseded by a newer revision before it was deployed. */
  readonly skipped: string;
  /** Interrupted by a user before it was deployed. A newer revision may replace it. */
  readonly stopped: string;
}
