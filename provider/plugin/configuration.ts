/** CheckConfig, DiffConfig and Configure: the provider's own settings. */
import type {
  CheckRequest,
  CheckResponse,
  ConfigureRequest,
  ConfigureResponse,
  DiffRequest,
  DiffResponse,
} from "@pulumi/pulumi/proto/provider_pb";
import { flushLogs, logFor } from "../engine/log";
import type { Operations } from "../engine/operations";
import { readSettings } from "../settings/reading";
import { providerNameKey } from "../settings/sources";
import { namespace, settingsTable, unknownSettingMessage, type SettingName } from "../settings/table";
import { logicalName } from "../text/urn";
import { isEqual, type Values } from "../../schema/tree";
import { marshal, unmarshal } from "./marshal";
import { failureMessage } from "./resources";
import { providerMessages } from "../engine/sdk";

const names = Object.keys(settingsTable) as SettingName[];
/** Stored with the settings, to distinguish a move to another provider from a change of the same one. */
const nameKey = "__name";

export class ProviderConfiguration {
  #urn: string | undefined;

  constructor(private readonly operations: Operations) {}

  /** URN of the provider, once it is configured. */
  get urn(): string | undefined {
    return this.#urn;
  }

  async check(request: CheckRequest): Promise<CheckResponse> {
    const { values, secretPaths } = unmarshal(request.getNews());
    const name = ownName(request.getUrn());
    const inputs = { ...values, ...(name !== undefined && { [nameKey]: name }) };
    const { warning } = logFor(undefined, (text) => text);
    for (const unknown of unknownNamesIn(inputs)) warning(unknownSettingMessage(unknown));
    await flushLogs();
    const { problems } = readSettings(lookUpIn(inputs), process.env);
    return new providerMessages.CheckResponse()
      .setInputs(
        marshal(inputs, (path) => [["apiKey"], ...secretPaths].some((secret) => isEqual(secret, path))),
      )
      .setFailuresList(problems.map(({ message }) => failureMessage(message)));
  }

  /**
   * A changed address does not replace the provider: before deployments are changed, their operations find out whether they exist
   * at the new address. If the provider is already configured, the engine asks about deployments that move to it from another
   * provider. Those are replaced if the service or tenant differs.
   */
  diff(request: DiffRequest): DiffResponse {
    const before = unmarshal(request.getOldInputs() ?? request.getOlds()).values;
    const now = unmarshal(request.getNews()).values;
    const changed = [...names, nameKey].filter((name) => !isEqual(settingIn(before, name), now[name]));
    const moved = this.#urn === undefined ? [] : movesBetween(before, now);
    const { DIFF_SOME, DIFF_NONE } = providerMessages.DiffResponse.DiffChanges;
    return new providerMessages.DiffResponse()
      .setChanges(changed.length > 0 || moved.length > 0 ? DIFF_SOME : DIFF_NONE)
      .setDiffsList(changed)
      .setReplacesList(moved);
  }

  /** Never fails: the engine would repeat the error for every resource, and checks report it anyway. */
  configure(request: ConfigureRequest): ConfigureResponse {
    const { values } = unmarshal(request.getArgs());
    this.#urn = request.getUrn() ?? "default";
    this.operations.configure(lookUpIn(values));
    return new providerMessages.ConfigureResponse().setAcceptsecrets(true).setSupportspreview(true);
  }
}

/** Without what the engine itself stores with a provider. */
function unknownNamesIn(inputs: Values): string[] {
  const known = [...names, "version", "pluginDownloadURL"] as string[];
  return Object.keys(inputs).filter((name) => !known.includes(name) && !name.startsWith("__"));
}

/** The settings among address and tenant that differ, if both are known. */
function movesBetween(before: Values, now: Values): string[] {
  // The stack's default provider is always the same one, whatever its settings.
  if (nameIn(before) === undefined && nameIn(now) === undefined) return [];
  const [old, next] = [before, now].map((values) => readSettings(lookUpIn(values), process.env).settings);
  if (old === undefined || next === undefined) return [];
  const isOtherTenant =
    old.tenantId !== undefined &&
    next.tenantId !== undefined &&
    old.tenantId.toLowerCase() !== next.tenantId.toLowerCase();
  return [...(old.baseUrl === next.baseUrl ? [] : ["baseUrl"]), ...(isOtherTenant ? ["tenantId"] : [])];
}

function lookUpIn(values: Values): (key: string) => unknown {
  return (key) =>
    key === providerNameKey ? nameIn(values) : settingIn(values, key.slice(namespace.length + 1));
}

/** A dynamic provider stores its settings under keys with a namespace. */
function settingIn(values: Values, name: string): unknown {
  return values[name] ?? values[`${namespace}:${name}`];
}

function nameIn(values: Values): unknown {
  return values[nameKey] ?? values[providerNameKey];
}

/** Names of the engine's default provider for the stack's configuration. They contain the package's version or address. */
const defaultName = /^default($|_\d+_\d+_\d+|_(https?|github|gitlab|file)_)/;

/** Undefined for the default provider. */
function ownName(urn: string): string | undefined {
  const name = logicalName(urn);
  return defaultName.test(name) ? undefined : name;
}
