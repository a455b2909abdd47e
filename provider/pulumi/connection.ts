import * as pulumi from "@pulumi/pulumi";
import { namespace, ownKeyMarker, settingsTable, type SettingName } from "../settings";

/** The settings of a connection of its own; what is left out comes from the environment. */
export interface ProviderArgs {
  /** Address of the service: `https`, or `http` on a loopback address. */
  baseUrl: pulumi.Input<string>;
  /** Always a secret. Wins over DEPLOYMENT_SERVICE_API_KEY, which is then not for this connection. */
  apiKey?: pulumi.Input<string>;
  tenantId?: pulumi.Input<string>;
  /** `standard` (default) or another dialect of the service. */
  dialect?: pulumi.Input<string>;
  /** Allows `http` to an address that is not a loopback one. Default: false. */
  allowHttp?: pulumi.Input<boolean>;
  /** Requests in flight. Default: 8. */
  maxConcurrency?: pulumi.Input<number>;
  /** A duration such as `30s`, the default. */
  requestTimeout?: pulumi.Input<string>;
  /** A duration such as `2s`, the default. */
  pollInterval?: pulumi.Input<string>;
  /** Path of the service's own repository listing, with `{integration_id}`. */
  serviceReposPath?: pulumi.Input<string>;
}

/**
 * A second connection in one program.
 *
 * @example
 * ```ts
 * const eu = new Provider("eu", { baseUrl: "https://eu.deployments.example.com", apiKey: config.requireSecret("euKey") });
 * new Deployment("chat-eu", { … }, { provider: eu });
 * ```
 */
export class Provider extends pulumi.ProviderResource {
  constructor(name: string, args: ProviderArgs, opts?: pulumi.ResourceOptions) {
    const properties = propertiesOf(args);
    super("pulumi-nodejs", name, properties, opts);
    settings.set(this, pulumi.output(properties));
  }
}

/** Through which connection to look up: the stack's, unless a provider is named here or by the parent. */
export interface LookUpOptions {
  provider?: pulumi.ProviderResource;
  parent?: pulumi.Resource;
}

/** Beside the instance, so that nothing of it ends in an output of the stack. */
const settings = new WeakMap<pulumi.ProviderResource, pulumi.Output<Record<string, string>>>();

/** The texts that a provider of this package was given, by configuration key; undefined for any other provider. */
export function settingsOf(
  provider: pulumi.ProviderResource,
): pulumi.Output<Record<string, string>> | undefined {
  return settings.get(provider);
}

/** Under keys with a namespace: the process reads the others as the project's. All values are texts. */
function propertiesOf(args: ProviderArgs): pulumi.Inputs {
  const names = Object.keys(settingsTable) as SettingName[];
  const given = names.filter((name) => args[name] !== undefined);
  const entries = given.map((name) => {
    const text = pulumi.output(args[name]).apply((value) => withoutCredentials(name, String(value)));
    return [`${namespace}:${name}`, name === "apiKey" ? pulumi.secret(text) : text] as const;
  });
  return {
    ...Object.fromEntries(entries),
    ...(args.apiKey !== undefined && { [ownKeyMarker]: "true" }),
  };
}

/** What stands in an address stands in the state: there it must hold no password, and not even for a moment. */
function withoutCredentials(name: SettingName, text: string): string {
  if (name === "baseUrl" && URL.canParse(text) && new URL(text).password !== "") {
    throw new pulumi.RunError(
      `${namespace}:${name} must not carry a password: the key belongs into \`apiKey\``,
    );
  }
  return text;
}
