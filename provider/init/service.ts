/** The services that a new project talks to: the real one, and the emulator. */
import { dialectAt, type Dialect } from "../dialects";
import { readServiceRules, readSettings } from "../settings/reading";
import { addressOrigin, type Settings } from "../settings/settings";
import { firstSet, settingsTable, type EnvironmentVariables } from "../settings/table";
import { UsageError } from "../usage-error";
import type { AgentVariables } from "./variables";

/** The emulator's own defaults. */
export const emulatorAddress = "http://127.0.0.1:8787";
export const emulatorKey = "emulator-key";

export interface ProjectService {
  readonly address: string;
  /** The variable or profile that the address comes from; undefined if it is only the first region's. */
  readonly from: string | undefined;
  readonly tenantId: string | undefined;
  /** With the rules of the address. */
  readonly dialect: Dialect;
  /** The variable with its key: the one that the vendor's own tools read too, where that is used. */
  readonly keyVariable: string;
  /** Settings for a connection; undefined if the environment has no key for that address. */
  readonly settings: Settings | undefined;
}

/** @param agent the variables of the agent, and how messages call their place: they count where the environment does not say */
export function serviceFor(
  dialect: Dialect,
  env: EnvironmentVariables,
  agent?: Pick<AgentVariables, "values" | "shown">,
): ProjectService {
  const { vendor } = dialect;
  const addressVariables = [...(vendor?.controlPlane ?? []), ...(vendor?.api ?? [])];
  const tenantVariables = [settingsTable.tenantId.env, ...(vendor?.tenantId ?? [])];
  const given = firstSet([settingsTable.baseUrl.env, ...addressVariables], env);
  const ofAgent = given === undefined && agent ? firstSet(addressVariables, agent.values) : undefined;
  const known = { ...(ofAgent && agent ? pick(addressVariables, agent.values) : env), ...ofDialect(dialect) };
  const rules = readServiceRules(undefined, known);
  const found = "baseUrl" in rules ? rules.baseUrl : undefined;
  const written = given ?? ofAgent;
  if (written !== undefined && found === undefined)
    throw new UsageError(`${written.from} must be an address such as https://deployments.example.com`);
  const address = found ?? Object.values(dialect.regions)[0] ?? "https://deployments.example.com";
  const isPublic = vendor !== undefined && new RegExp(vendor.publicAddress).test(address);
  const tenant = firstSet(tenantVariables, env) ?? (agent && firstSet(tenantVariables, agent.values));
  const { settings } = readSettings(undefined, {
    ...env,
    ...ofDialect(dialect),
    // A key of the environment is for the vendor's cloud, not for any address that a file of the agent mentions.
    ...(ofAgent !== undefined && isPublic && { [settingsTable.baseUrl.env]: address }),
    ...(tenant !== undefined && { [settingsTable.tenantId.env]: tenant.text }),
  });
  const isThere = settings?.baseUrl === address;
  return {
    address,
    from:
      found &&
      (given?.from ??
        (ofAgent && `${ofAgent.from} in ${agent?.shown}`) ??
        (settings && addressOrigin(settings))),
    tenantId: tenant?.text ?? (isThere ? settings.tenantId : undefined),
    dialect: dialectAt(dialect, address),
    keyVariable: (isPublic ? vendor.apiKey[0] : undefined) ?? settingsTable.apiKey.env,
    settings: isThere ? settings : undefined,
  };
}

function ofDialect({ name }: Dialect): EnvironmentVariables {
  return { [settingsTable.dialect.env]: name };
}

function pick(names: readonly string[], variables: EnvironmentVariables): EnvironmentVariables {
  return Object.fromEntries(names.map((name) => [name, variables[name]]));
}

export function emulatorCommandLine(dialect: Dialect): string {
  const flag = isUsual(dialect) ? "" : ` --dialect ${dialect.name}`;
  return `npx pulumi-deployment-service emulator${flag}`;
}

/** The commands that connect a stack to the real service. */
export function connectCommands(dialect: Dialect): string[] {
  return [
    "pulumi stack init prod",
    `pulumi config set deployment-service:baseUrl ${serviceFor(dialect, {}).address}`,
    "pulumi config set --secret deployment-service:apiKey",
    "pulumi config set --secret modelApiKey",
  ];
}

export function isUsual({ name }: Dialect): boolean {
  return name === settingsTable.dialect.default;
}
