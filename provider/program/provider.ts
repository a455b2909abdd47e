/** The resource `Provider`, which is a second connection in one program. */
import * as pulumi from "@pulumi/pulumi";
import { unknownKeyMessage } from "../../schema/wording";
import { providerNameKey } from "../settings/sources";
import {
  namespace,
  plainKeyMessage,
  emptySettingMessage,
  parseSetting,
  settingText,
  settingsTable,
  unknownSettingMessage,
  type SettingName,
} from "../settings/table";
import { InputError } from "./input-error";

/** The settings of a `Provider`. Settings that you leave out come from the environment. */
export interface ProviderArgs {
  /** Address of the service: `https`, or `http` on a loopback address. */
  baseUrl?: pulumi.Input<string | undefined>;
  /** API key, always secret. Must not be empty. Overrides DEPLOYMENT_SERVICE_API_KEY for this connection. */
  apiKey?: pulumi.Input<string | undefined>;
  /** Tenant id. If set, it is sent with every request. */
  tenantId?: pulumi.Input<string | undefined>;
  /** Dialect of the service, which decides its names and rules. Default: `standard`. */
  dialect?: pulumi.Input<"standard" | "langsmith" | (string & Record<never, never>) | undefined>;
  /** `true` allows `http` to an address other than loopback. Default: false. */
  allowHttp?: pulumi.Input<boolean | undefined>;
  /** Maximum number of requests in flight. Default: 8. */
  maxConcurrency?: pulumi.Input<number | undefined>;
  /** Time limit for one request, as a duration. Default: `30s`. */
  requestTimeout?: pulumi.Input<string | undefined>;
  /** Delay before the first poll of a rollout, as a duration. Default: `2s`. */
  pollInterval?: pulumi.Input<string | undefined>;
  /** Address of the service's dashboard, if it cannot be derived from `baseUrl`: in your own cloud. */
  dashboard?: pulumi.Input<string | undefined>;
  /** Path of the service's own repository listing. It contains `{integration_id}`. */
  serviceReposPath?: pulumi.Input<string | undefined>;
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

/** Not stored on the instance, so that the settings do not end up in outputs of the stack. */
const settings = new WeakMap<pulumi.ProviderResource, pulumi.Output<SettingTexts>>();

/** Settings by configuration key; undefined if not set. */
export type SettingTexts = Readonly<Record<string, string | undefined>>;

/** The settings of a `Provider` of this package; undefined for any other provider. */
export function settingsOf(provider: pulumi.ProviderResource): pulumi.Output<SettingTexts> | undefined {
  return settings.get(provider);
}

/** A misspelled setting would silently come from the environment. */
function refuseUnknown(provider: string, args: object): void {
  const known = Object.keys(settingsTable);
  const problems = Object.entries(args)
    .filter(([name, value]) => value !== undefined && !known.includes(name))
    .map(([name]) => unknownKeyMessage(name, known));
  if (problems.length > 0)
    throw new InputError(`the arguments of the provider "${provider}" have an ${problems.join(", an ")}`);
}

/** Keys have a namespace, because bare keys would be read as the project's own. All values are strings. */
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

/** Throws if the value is invalid: arguments of a provider are stored in the state, and a bad address may contain a password. */
function checkedText(provider: string, name: SettingName, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  const problem = settingProblem(name, String(value));
  if (problem !== undefined) throw new InputError(`\`${name}\` of the provider "${provider}" ${problem}`);
  return String(value);
}

/** The problem with a setting's value, as the rest of a sentence that begins with the setting's name. */
function settingProblem(name: SettingName, text: string): string | undefined {
  const given = settingText(text);
  if (given === undefined) return emptySettingMessage(settingsTable[name]);
  const parsed = parseSetting(name, given);
  return "problem" in parsed ? parsed.problem : undefined;
}

const warned = new WeakSet<pulumi.Resource>();

/** Warns once per run of keys that are misspelled or belong to another version. Not an error, so that older versions still run. */
export function warnOfUnknownConfiguration(): void {
  const stack = pulumi.runtime.getStackResource();
  // A project of that name has its own keys in the namespace.
  if (stack === undefined || warned.has(stack) || pulumi.getProject() === namespace) return;
  warned.add(stack);
  const known = Object.keys(settingsTable);
  const names = Object.keys(pulumi.runtime.allConfig())
    .filter((key) => key.startsWith(`${namespace}:`))
    .map((key) => key.slice(namespace.length + 1));
  for (const name of names.filter((each) => !known.includes(each)))
    void pulumi.log.warn(unknownSettingMessage(name));
  const key = `${namespace}:apiKey`;
  const plain = isConfigSecret(key) ? undefined : pulumi.runtime.getConfig(key);
  const message = plainKeyMessage(pulumi.getStack(), plain);
  if (message !== undefined) void pulumi.log.warn(message);
}

/** The function is missing from the SDK's types. Without it, every value counts as a secret, which is safe. */
export function isConfigSecret(key: string): boolean {
  const { isConfigSecret } = pulumi.runtime as unknown as { isConfigSecret?: (key: string) => boolean };
  return isConfigSecret?.(key) ?? true;
}

/**
 * Registering a resource of this package copies the whole configuration of the stack to its state. Throws if the address may contain
 * a credential.
 */
export function refuseCredentialsInConfiguration(): void {
  const key = `${namespace}:baseUrl`;
  const text = pulumi.runtime.getConfig(key) ?? "";
  const problem = /[@?#]/.test(text) ? settingProblem("baseUrl", text) : undefined;
  if (problem === undefined) return;
  throw new InputError(
    `${key} ${problem}. This run did not copy it to the state: set the address alone with \`pulumi config set ${key}\`. ` +
      "A password or token in it is stored in plain text in the stack's configuration file: rotate it. If an earlier run " +
      "copied it to the state, the next `pulumi up` removes it",
  );
}
