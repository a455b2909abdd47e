import * as pulumi from "@pulumi/pulumi";
import { unknownKey } from "../../schema/problems";
import { providerNameKey } from "../settings/places";
import {
  namespace,
  settingProblem,
  settingsTable,
  unknownSetting,
  type SettingName,
} from "../settings/table";
import { InputError } from "./input-error";
import { requireInstalled } from "./installed";

/** The settings of a `Provider`. Settings that you leave out come from the environment. */
export interface ProviderArgs {
  /** Address of the service: `https`, or `http` on a loopback address. */
  baseUrl: pulumi.Input<string>;
  /** API key, always secret. Must not be empty. Overrides DEPLOYMENT_SERVICE_API_KEY for this connection. */
  apiKey?: pulumi.Input<string>;
  /** Tenant id. If set, it is sent with every request. */
  tenantId?: pulumi.Input<string>;
  /** Dialect of the service, which decides its names and rules. Default: `standard`. */
  dialect?: pulumi.Input<string>;
  /** `true` allows `http` to an address other than loopback. Default: false. */
  allowHttp?: pulumi.Input<boolean>;
  /** Maximum number of requests in flight. Default: 8. */
  maxConcurrency?: pulumi.Input<number>;
  /** Time limit for one request, as a duration. Default: `30s`. */
  requestTimeout?: pulumi.Input<string>;
  /** Delay before the first poll of a rollout, as a duration of at most `1h`. Default: `2s`. */
  pollInterval?: pulumi.Input<string>;
  /** Path of the service's own repository listing. It contains `{integration_id}`. */
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
    requireInstalled();
    if (typeof args !== "object" || (args as unknown) === null) {
      throw new InputError(
        `new Provider("${name}", …) expects its arguments as an object; \`{}\` takes all of them from elsewhere`,
      );
    }
    refuseUnknown(name, args);
    const properties = propertiesOf(name, args);
    super("pulumi-nodejs", name, properties, opts);
    settings.set(this, pulumi.output(properties));
  }
}

/** The connection to use. Default: the provider of `parent`, or else the stack's connection. */
export interface LookUpOptions {
  provider?: pulumi.ProviderResource;
  parent?: pulumi.Resource;
}

/** Beside the instance, so that nothing of it ends in an output of the stack. */
const settings = new WeakMap<pulumi.ProviderResource, pulumi.Output<SettingTexts>>();

/** By configuration key; what is undefined was not given. */
export type SettingTexts = Readonly<Record<string, string | undefined>>;

/** The texts that a provider of this package was given, by configuration key; undefined for any other provider. */
export function settingsOf(provider: pulumi.ProviderResource): pulumi.Output<SettingTexts> | undefined {
  return settings.get(provider);
}

/** A misspelt setting would quietly come from the environment. */
function refuseUnknown(provider: string, args: object): void {
  const known = Object.keys(settingsTable);
  const problems = Object.entries(args)
    .filter(([name, value]) => value !== undefined && !known.includes(name))
    .map(([name]) => unknownKey(name, known));
  if (problems.length > 0)
    throw new InputError(`the arguments of the provider "${provider}" have an ${problems.join(", an ")}`);
}

/** Under keys with a namespace: the process reads the others as the project's. All values are texts. */
function propertiesOf(
  provider: string,
  args: ProviderArgs,
): Record<string, pulumi.Input<string | undefined>> {
  const names = Object.keys(settingsTable) as SettingName[];
  const given = names.filter((name) => args[name] !== undefined);
  const entries = given.map((name) => {
    const check = (value: unknown) => checkedText(provider, name, value);
    const value: unknown = args[name];
    const isPlain = value === null || typeof value !== "object";
    const text = pulumi.output(isPlain ? check(value) : pulumi.output(value).apply(check));
    return [`${namespace}:${name}`, name === "apiKey" ? pulumi.secret(text) : text] as const;
  });
  return { ...Object.fromEntries(entries), [providerNameKey]: provider };
}

/** What is passed to a provider is in the state from then on, so that a wrong address, with a password in it say, is not passed. */
function checkedText(provider: string, name: SettingName, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  const problem = settingProblem(name, String(value));
  if (problem !== undefined) throw new InputError(`\`${name}\` of the provider "${provider}" ${problem}`);
  return String(value);
}

const warned = new WeakSet<pulumi.Resource>();

/** Once per run, for a misspelt key or one of another version. Nothing stops: an older version must still run. */
export function warnOfUnknownConfiguration(): void {
  const stack = pulumi.runtime.getStackResource();
  // A project of that name has its own keys there.
  if (stack === undefined || warned.has(stack) || pulumi.getProject() === namespace) return;
  warned.add(stack);
  const known = Object.keys(settingsTable);
  const names = Object.keys(pulumi.runtime.allConfig())
    .filter((key) => key.startsWith(`${namespace}:`))
    .map((key) => key.slice(namespace.length + 1));
  for (const name of names.filter((each) => !known.includes(each)))
    void pulumi.log.warn(unknownSetting(name));
}

/**
 * The whole configuration of a stack is in its state once a resource of this package was registered. Where the address
 * may hold a credential, nothing is.
 */
export function refuseCredentialsInConfiguration(): void {
  const key = `${namespace}:baseUrl`;
  const text = pulumi.runtime.getConfig(key) ?? "";
  const problem = /[@?#]/.test(text) ? settingProblem("baseUrl", text) : undefined;
  if (problem === undefined) return;
  throw new InputError(
    `${key} ${problem}. It was not copied to the state by this run: set the address alone with \`pulumi config set ${key} …\`. ` +
      "A password or token in it stands in clear in the file of the stack's configuration: have it replaced. If an earlier run " +
      "copied it to the state, the next `pulumi up` takes it out",
  );
}
