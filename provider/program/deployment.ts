/** The resource `Deployment`. */
import * as pulumi from "@pulumi/pulumi";
import { argumentNames, type DeploymentArgsOf, type Source } from "./arguments";
import type { DeploymentOutputs } from "./outputs";
import { outputNames } from "../../schema/outputs";
import { formatPath, isObject, mapValues } from "../../schema/tree";
import type { ResourceOptions } from "../deployment/context";
import { contentKey } from "../deployment/service";
import { optionsKey, providerKey, providerText, typeToken } from "../stored/internal-inputs";
import { isCovered, parsePropertyPath, parsePropertyPaths } from "../../schema/property-path";
import { refuseCredentialsInConfiguration, warnOfUnknownConfiguration } from "./provider";
import { InputError } from "./input-error";
import { followedOutputs } from "./followed-outputs";
import { secretPaths } from "./secret-paths";
import { parseDuration } from "../time/duration";
import { credentialPathsOf, withMarkedCredentials } from "../text/credential";
import { sealed } from "../text/signatures";
import { onlyJson } from "./triggers";
import { isKnown, withoutDependencies } from "./without-dependencies";
import { withoutStacks } from "./without-stacks";

/** No value has this type. */
type NameWithoutArguments = string & { readonly missing: never };

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
 * Changing `name` or `source` replaces the deployment. Changing `sourceRevisionConfig` or `triggers` creates a new revision and
 * waits until it is active. Everything else is updated in place.
 *
 * @typeParam S the source, or a union of sources; it only determines which fields the arguments have
 */
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- The SDK sets all outputs.
export class Deployment<S extends Source = Source> extends pulumi.CustomResource {
  /** The type token, by which policies recognize the class. */
  static readonly __pulumiType = typeToken;

  // Only with a second signature does TypeScript infer the arguments of a typed policy. It has a single parameter, so that editors
  // do not choose it for a call that is still being written.
  /** A name alone is not enough: pass what to deploy too, as in `new Deployment(name, { source: "codehost", … })`. */
  constructor(name: NameWithoutArguments);
  /**
   * Declares a deployment. A change of `name` or `source`, and of what `preview` shows as a replacement, creates another one. A
   * change of `sourceRevisionConfig` or `triggers` creates a new revision and waits until it is active. The preview says for each
   * change which of them it is, or that it is made in place.
   *
   * @param name the logical name; also the name on the service unless `args.name` says otherwise
   * @param args what to deploy
   * @param opts the options of any resource; `customTimeouts` is honoured (30 minutes for create and update, 10 for
   * delete)
   */
  constructor(name: string, args: DeploymentArgsOf<S>, opts?: pulumi.CustomResourceOptions);
  constructor(name: string, args?: DeploymentArgsOf, opts: pulumi.CustomResourceOptions = {}) {
    refuseImport(name, opts);
    checkTimeouts(name, opts);
    if ((opts.provider ?? parentOf(opts)?.getProvider(typeToken)) === undefined) {
      warnOfUnknownConfiguration();
      refuseCredentialsInConfiguration();
    }
    // A parent or a transform may set the provider, so it is known only once the resource exists.
    let isMade = (_resource: Deployment) => {};
    const made = new Promise<Deployment>((resolve) => (isMade = resolve));
    const options = { ...opts, ...pathOptionsOf(opts) };
    const { additionalSecretOutputs } = options;
    const properties = propertiesOf(name, args, { ...opts, additionalSecretOutputs }, made);
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

// eslint-disable-next-line @typescript-eslint/no-empty-object-type, @typescript-eslint/no-unused-vars
export interface Deployment<S extends Source = Source> extends DeploymentOutputs {}

/**
 * The options that name arguments. The engine compares internal inputs too, so `*` becomes the names of all arguments. Ignoring
 * changes of a folder includes its content. The engine takes only names in `additionalSecretOutputs`, not paths. The provider gets
 * the other two as they are written.
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
  for (const [operation, time] of Object.entries(customTimeouts ?? {}) as [string, unknown][])
    if (time !== undefined && time !== null && parseDuration(String(time)) === undefined)
      throw new InputError(
        `${name}: options.customTimeouts.${operation}: expected a duration such as 90s, 30m or 1h30m`,
      );
}

function timesOf({ create, update, delete: remove }: pulumi.CustomTimeouts): ResourceOptions["timeouts"] {
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
): pulumi.Inputs & { readonly [optionsKey]: Promise<ResourceOptions> } {
  const isRead = opts.id !== undefined;
  return {
    ...absent,
    ...(args && sealedCredentials(args)),
    name: args?.name ?? (isRead ? undefined : name),
    secrets: sealedSecrets(args?.secrets),
    ...(args?.triggers !== undefined && { triggers: onlyJson(name, args.triggers) }),
    [optionsKey]: internalOptions(name, args, opts, made),
    [providerKey]: providerText,
  };
}

/**
 * One by one, so that a preview knows the names although a value, such as the address of another deployment, is not known yet, and
 * as a whole, so that what a policy makes of them stays secret. The check warns of a name without a value, which the SDK would leave out.
 */
function sealedSecrets(secrets: DeploymentArgsOf["secrets"]): pulumi.Input<unknown> {
  if (!isObject(secrets) || isLater(secrets))
    return secrets === undefined ? undefined : pulumi.secret(secrets).apply(withNulls);
  return sealed(mapValues(secrets, (each) => pulumi.secret(each ?? null)));
}

function withNulls(secrets: unknown): unknown {
  return isObject(secrets) ? mapValues(secrets, (each) => each ?? null) : secrets;
}

/** The check seals credentials of containers too, but `refresh --run-program --json` prints what comes before it. */
function sealedCredentials(args: DeploymentArgsOf): object {
  const paths = credentialPathsOf({ sourceConfig: knownPart(args.sourceConfig) });
  return withMarkedCredentials(args, (value) => pulumi.secret(value), paths);
}

function knownPart(value: unknown): unknown {
  if (isLater(value)) return undefined;
  return Array.isArray(value) ? value.map(knownPart) : isObject(value) ? mapValues(value, knownPart) : value;
}

function isLater(value: unknown): boolean {
  return pulumi.Output.isInstance(value) || value instanceof Promise;
}

/** A single promise, because the SDK awaits the promises among the properties one after the other. */
async function internalOptions(
  name: string,
  args: DeploymentArgsOf | undefined,
  opts: pulumi.CustomResourceOptions,
  made: Promise<Deployment>,
): Promise<ResourceOptions> {
  const [urn, paths, resource, follows] = await Promise.all([
    withoutDependencies(pulumi.createUrn(name, typeToken, parentOf(opts))),
    secretPaths(args ?? {}, opts.additionalSecretOutputs),
    made,
    pulumi.runtime.isDryRun() ? followedOutputs(args ?? {}) : {},
  ]);
  const provider = resource.getProvider(typeToken);
  const providerId = provider && (await idOf(provider));
  return {
    urn,
    ...(provider !== undefined && { provider: await withoutDependencies(provider.urn) }),
    ...(providerId !== undefined && { providerId }),
    ...(opts.customTimeouts && { timeouts: timesOf(opts.customTimeouts) }),
    ...(opts.retainOnDelete && { retainOnDelete: true }),
    ...(opts.replaceOnChanges && { replaceOnChanges: parsePropertyPaths(opts.replaceOnChanges) }),
    ...(opts.ignoreChanges && { ignoreChanges: parsePropertyPaths(opts.ignoreChanges) }),
    ...(paths.length > 0 && { secretPaths: paths }),
    ...(Object.keys(follows).length > 0 && { follows }),
  };
}

async function idOf(provider: pulumi.ProviderResource): Promise<string> {
  // An unknown id means that the engine creates the provider.
  return (await isKnown(provider.id)) ? withoutDependencies(provider.id) : "new";
}
