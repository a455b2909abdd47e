import * as pulumi from "@pulumi/pulumi";
import {
  argumentNames,
  type DeploymentArgsOf,
  type SecretReference,
  type Source,
  type SourceConfig,
  type SourceRevisionConfig,
} from "./arguments";
import { outputNames } from "../../schema/outputs";
import { formatPath } from "../../schema/tree";
import {
  contentKey,
  optionsKey,
  providerKey,
  providerText,
  typeToken,
  type StoredOptions,
} from "../internal-inputs";
import { isCovered, parsePropertyPath, parsePropertyPaths } from "../property-path";
import { refuseCredentialsInConfiguration, warnOfUnknownConfiguration } from "./provider";
import { InputError } from "./input-error";
import { requireInstalled } from "./installed";
import { secretPaths } from "./secret-paths";
import { timeoutFailures } from "../engine/timeouts";
import { askAboutRename } from "./rename-question";
import { isKnown, withoutDependencies } from "./without-dependencies";
import { withoutStacks } from "./without-stacks";

/** Status of a deployment as the service reports it. Newer services may report other values. */
export type DeploymentStatus =
  | "AWAITING_DATABASE"
  | "READY"
  | "UNUSED"
  | "AWAITING_DELETE"
  | "AWAITING_FINAL_DELETE"
  | "UNKNOWN"
  | (string & Record<never, never>);

/**
 * A deployment of the deployment management service.
 *
 * @example The smallest: a container image.
 * ```ts
 * const chat = new Deployment("chat", {
 *   source: "external_container",
 *   sourceRevisionConfig: { imageUri: "registry.example.com/chat:1.4.2" },
 * });
 * export const url = chat.url;
 * ```
 *
 * @example A repository, with a secret from the stack's configuration.
 * ```ts
 * const search = new Deployment("search", {
 *   source: "codehost",
 *   sourceConfig: { integrationId, repoUrl: "https://code.example.com/acme/search" },
 *   sourceRevisionConfig: { repoRef: "main", graphConfigPath: "graph.json" },
 *   secrets: { MODEL_API_KEY: config.requireSecret("modelApiKey") },
 * });
 * ```
 *
 * Changing `name` or `source` replaces the deployment. Changing `sourceRevisionConfig` or `triggers` makes a new revision and
 * waits until it is active. Everything else is updated in place.
 *
 * @typeParam S the source, or a union of sources; it only determines which fields the arguments have
 */
export class Deployment<S extends Source = Source> extends pulumi.CustomResource {
  /** The type token, by which policies recognize the class. */
  static readonly __pulumiType = typeToken;

  /** Name of the deployment. Default: the resource's logical name. */
  declare readonly name: pulumi.Output<string>;
  /** Where the deployment comes from. */
  declare readonly source: pulumi.Output<Source>;
  /** Settings of the source. Changes make no new revision, unless the dialect says otherwise. */
  declare readonly sourceConfig: pulumi.Output<pulumi.Unwrap<SourceConfig> | undefined>;
  /** Settings of the source whose changes make a new revision. */
  declare readonly sourceRevisionConfig: pulumi.Output<pulumi.Unwrap<SourceRevisionConfig> | undefined>;
  /**
   * Folder of source code to upload and roll out, relative to the program's folder. A change of its content makes a new
   * revision. Only with `internal_source`, in a dialect with uploads: `langsmith`.
   */
  declare readonly sourceDirectory: pulumi.Output<string | undefined>;
  /** Overrides the source for later revisions. Only sent with a new revision. */
  declare readonly revisionSource: pulumi.Output<string | undefined>;
  /** Environment variables of the application, by name. Always secret. Any change sends all of them. */
  declare readonly secrets: pulumi.Output<Record<string, string> | undefined>;
  /** Environment variables from secrets of the cluster: `{ secretName, secretKey }` by name. Only with `external_container`. */
  declare readonly secretReferences: pulumi.Output<
    Record<string, pulumi.Unwrap<SecretReference>> | undefined
  >;
  /** Name that the service's pages show. The service cannot clear it. Only in dialect `langsmith`. */
  declare readonly displayName: pulumi.Output<string | undefined>;
  /**
   * Whether the deployment can be shared with users outside of the organization. Immutable. Only in dialect `langsmith`.
   */
  declare readonly shareable: pulumi.Output<boolean | undefined>;
  /** Any value. A change makes a new revision even if nothing else changed. */
  declare readonly triggers: pulumi.Output<unknown>;
  /**
   * Delete the tracing project of the same name together with the deployment. Only in a dialect with such projects:
   * `langsmith`. Default: false.
   */
  declare readonly deleteTracingProject: pulumi.Output<boolean | undefined>;
  /** Starts at 1 and increases by one with every revision that the program creates. Known in a preview. */
  declare readonly generation: pulumi.Output<number>;
  /** Id (UUID) of the owning tenant. */
  declare readonly tenantId: pulumi.Output<string | null>;
  /** Status of the deployment as the service reports it, for example `READY`. */
  declare readonly status: pulumi.Output<DeploymentStatus>;
  /** Time of creation, in ISO 8601. */
  declare readonly createdAt: pulumi.Output<string | null>;
  /** Time of the last change, in ISO 8601. */
  declare readonly updatedAt: pulumi.Output<string | null>;
  /** Id (UUID) of the newest revision, active or not. */
  declare readonly latestRevisionId: pulumi.Output<string | null>;
  /**
   * Status of the newest revision, for example `DEPLOYED` or `BUILD_FAILED`. Only if the service reports it: dialect
   * `langsmith`.
   */
  declare readonly latestRevisionStatus: pulumi.Output<string | null | undefined>;
  /** Id (UUID) of the active revision. */
  declare readonly activeRevisionId: pulumi.Output<string | null>;
  /** Version of the image. */
  declare readonly imageVersion: pulumi.Output<string | null>;
  /** Commit that the newest revision was built from. */
  declare readonly repoCommitSha: pulumi.Output<string | null>;
  /** Address of the deployment, as the service reports it. */
  declare readonly url: pulumi.Output<string | null>;
  /** Address of the deployment's page in the service's dashboard: dialect `langsmith`. */
  declare readonly dashboardUrl: pulumi.Output<string | null>;
  /**
   * Size of the deployment, as the service reports it, for example `SERVERLESS_S`. Where the database has another, that of the
   * application.
   */
  declare readonly deploymentTier: pulumi.Output<string | null>;
  /** Size of the database, as the service reports it. */
  declare readonly databaseTier: pulumi.Output<string | null>;

  /**
   * Never called. Only with a second signature does TypeScript infer the arguments of a typed policy. It has a single parameter, so
   * that editors do not choose it for a call that is still being written.
   */
  constructor(unused: never);
  /**
   * @param name the logical name; also the name on the service unless `args.name` says otherwise
   * @param args what to deploy
   * @param opts the options of any resource; `customTimeouts` is honoured (30 minutes for create and update, 10 for
   * delete)
   */
  constructor(name: string, args: DeploymentArgsOf<S>, opts?: pulumi.CustomResourceOptions);
  constructor(name: string, args?: DeploymentArgsOf, opts: pulumi.CustomResourceOptions = {}) {
    requireInstalled();
    refuseImport(name, opts);
    checkTimeouts(name, opts);
    if ((opts.provider ?? parentOf(opts)?.getProvider(typeToken)) === undefined) {
      warnOfUnknownConfiguration();
      refuseCredentialsInConfiguration();
    }
    // A parent or a transform may set the provider, so it is known only once the resource exists.
    let isMade = (_resource: Deployment) => {};
    const made = new Promise<Deployment>((resolve) => (isMade = resolve));
    const pathOptions = pathOptionsOf(opts);
    const properties = propertiesOf(name, args, { ...opts, ...pathOptions }, made);
    const options = { ...opts, ...pathOptions };
    const restoreStacks = withoutStacks(options, Deployment);
    try {
      super(typeToken, name, properties, options);
    } catch (error) {
      // It may fail with the same error, which would be an unhandled rejection.
      void properties[optionsKey].catch(() => undefined);
      restoreStacks(error);
      throw error;
    }
    restoreStacks();
    isMade(this);
    if (opts.id === undefined) askAboutRename(this, pulumi.createUrn(name, typeToken, parentOf(opts)));
  }

  /** Reads an existing deployment that this program does not manage. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts: pulumi.CustomResourceOptions = {}): Deployment {
    return new Deployment(name, {} as DeploymentArgsOf, { ...opts, id });
  }

  /** Compares the type token, so that an instance of another copy of this package counts too. */
  static override isInstance(value: unknown): value is Deployment {
    const { __pulumiType } = (value ?? {}) as { __pulumiType?: unknown };
    return __pulumiType === Deployment.__pulumiType;
  }
}

/**
 * The options that name arguments. The engine compares internal inputs too, so `*` becomes the names of all arguments. Ignoring
 * changes of a folder includes its content. The engine takes only names in `additionalSecretOutputs`, not paths.
 */
function pathOptionsOf(opts: pulumi.CustomResourceOptions) {
  const { ignoreChanges, replaceOnChanges, additionalSecretOutputs = [] } = opts;
  const tops = parsePropertyPaths(additionalSecretOutputs).map(([top]) => String(top));
  const ignored = ignoreChanges?.flatMap((text) => {
    const path = parsePropertyPath(text);
    const isFolder = path !== undefined && isCovered(["sourceDirectory"], [path]);
    return [...withoutStar(text), ...(isFolder ? [contentKey] : [])];
  });
  return {
    additionalSecretOutputs: [...new Set([...tops, "secrets"])],
    ...(ignored && { ignoreChanges: ignored }),
    ...(replaceOnChanges && { replaceOnChanges: replaceOnChanges.flatMap(withoutStar) }),
  };
}

function withoutStar(text: string): readonly string[] {
  const path = parsePropertyPath(text);
  if (path?.[0] !== "*") return [text];
  return argumentNames.map((name) => formatPath([name, ...path.slice(1)]));
}

/** The engine's import calls are not supported by the stock dynamic provider process. */
function refuseImport(name: string, opts: pulumi.CustomResourceOptions): void {
  if (opts.import === undefined) return;
  throw new InputError(
    `${name}: the resource option \`import\` does not work with a dynamic provider. Bring the deployment in with ` +
      "`npx pulumi-deployment-service import` and `pulumi import --file`, take it over with `adopt: true`, or use the packaged provider",
  );
}

/** For an invalid timeout, the engine would stop the program with an error that does not name the resource. */
function checkTimeouts(name: string, { customTimeouts }: pulumi.CustomResourceOptions): void {
  if (customTimeouts === undefined) return;
  const [failure] = timeoutFailures(timesOf(customTimeouts));
  if (failure !== undefined) throw new InputError(`${name}: options.${failure.property}: ${failure.reason}`);
}

function timesOf({ create, update, delete: remove }: pulumi.CustomTimeouts): StoredOptions["timeouts"] {
  return { create, update, delete: remove };
}

/** Undefined for anything but a resource. The SDK itself refuses other values. */
function parentOf({ parent }: pulumi.ResourceOptions): pulumi.Resource | undefined {
  return pulumi.Resource.isInstance(parent) ? parent : undefined;
}

/** The SDK creates an output for each property that it is given, even if its value is undefined. */
const absent: pulumi.Inputs = Object.fromEntries(
  [...argumentNames, ...outputNames].map((key) => [key, undefined]),
);

function propertiesOf(
  name: string,
  args: DeploymentArgsOf | undefined,
  opts: pulumi.CustomResourceOptions,
  made: Promise<Deployment>,
): pulumi.Inputs & { readonly [optionsKey]: Promise<StoredOptions> } {
  const isRead = opts.id !== undefined;
  return {
    ...absent,
    ...args,
    name: args?.name ?? (isRead ? undefined : name),
    secrets: args?.secrets === undefined ? undefined : pulumi.secret(args.secrets),
    [optionsKey]: internalOptions(name, args, opts, made),
    [providerKey]: providerText,
  };
}

/** A single promise, because the SDK awaits the promises among the properties one after the other. */
async function internalOptions(
  name: string,
  args: DeploymentArgsOf | undefined,
  opts: pulumi.CustomResourceOptions,
  made: Promise<Deployment>,
): Promise<StoredOptions> {
  const [urn, paths, resource] = await Promise.all([
    withoutDependencies(pulumi.createUrn(name, typeToken, parentOf(opts))),
    secretPaths(args ?? {}, opts.additionalSecretOutputs),
    made,
  ]);
  const provider = resource.getProvider(typeToken);
  const providerId = provider && (await idOf(provider));
  return {
    urn,
    ...(provider !== undefined && { provider: await withoutDependencies(provider.urn) }),
    ...(providerId !== undefined && { providerId }),
    ...(opts.customTimeouts && { timeouts: timesOf(opts.customTimeouts) }),
    ...(opts.replacementTrigger !== undefined && { hasReplacementTrigger: true }),
    ...(opts.retainOnDelete && { retainOnDelete: true }),
    ...(opts.replaceOnChanges && { replaceOnChanges: opts.replaceOnChanges }),
    ...(opts.ignoreChanges && { ignoreChanges: opts.ignoreChanges }),
    ...(paths.length > 0 && { secretPaths: paths }),
  };
}

async function idOf(provider: pulumi.ProviderResource): Promise<string> {
  // An unknown id means that the engine creates the provider.
  return (await isKnown(provider.id)) ? withoutDependencies(provider.id) : "new";
}
