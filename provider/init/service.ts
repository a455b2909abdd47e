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

type Agent = Pick<AgentVariables, "values" | "shown">;

/** @param agent its variables count where the environment has none */
export function serviceFor(dialect: Dialect, env: EnvironmentVariables, agent?: Agent): ProjectService {
  const { vendor } = dialect;
  const written = addressVariable(dialect, env, agent);
  const known = addressIn(written?.variables ?? env, dialect);
  if (written !== undefined && known === undefined)
    throw new UsageError(`${written.from} must be an address such as https://deployments.example.com`);
  const address = known ?? Object.values(dialect.regions)[0] ?? "https://deployments.example.com";
  const isPublic = vendor !== undefined && new RegExp(vendor.publicAddress).test(address);
  const tenantId = tenantIn(dialect, env) ?? (agent && tenantIn(dialect, agent.values));
  const settings = settingsAt(address, {
    ...env,
    ...ofDialect(dialect),
    // A key of the environment is for the vendor's cloud, not for any address that a file of the agent mentions.
    ...(written?.isOfAgent && isPublic && { [settingsTable.baseUrl.env]: address }),
    ...(tenantId !== undefined && { [settingsTable.tenantId.env]: tenantId }),
  });
  return {
    address,
    from: written?.from ?? (known && settings && addressOrigin(settings)),
    tenantId: tenantId ?? settings?.tenantId,
    dialect: dialectAt(dialect, address),
    keyVariable: (isPublic ? vendor.apiKey[0] : undefined) ?? settingsTable.apiKey.env,
    settings,
  };
}

/** The variable with the address, and the variables that belong to it: the environment's, else the agent's. */
function addressVariable({ vendor }: Dialect, env: EnvironmentVariables, agent: Agent | undefined) {
  const names = [...(vendor?.controlPlane ?? []), ...(vendor?.api ?? [])];
  const own = firstSet([settingsTable.baseUrl.env, ...names], env);
  if (own !== undefined) return { from: own.from, variables: env, isOfAgent: false };
  const found = agent && firstSet(names, agent.values);
  if (found === undefined) return undefined;
  const variables = Object.fromEntries(names.map((name) => [name, agent!.values[name]]));
  return { from: `${found.from} in ${agent!.shown}`, variables, isOfAgent: true };
}

/** Undefined if they have no valid address. */
function addressIn(variables: EnvironmentVariables, dialect: Dialect): string | undefined {
  const rules = readServiceRules(undefined, { ...variables, ...ofDialect(dialect) });
  return "baseUrl" in rules ? rules.baseUrl : undefined;
}

function tenantIn({ vendor }: Dialect, variables: EnvironmentVariables): string | undefined {
  return firstSet([settingsTable.tenantId.env, ...(vendor?.tenantId ?? [])], variables)?.text;
}

/** Undefined if the variables have no connection, or one to another address. */
function settingsAt(address: string, variables: EnvironmentVariables): Settings | undefined {
  const { settings } = readSettings(undefined, variables);
  return settings?.baseUrl === address ? settings : undefined;
}

function ofDialect({ name }: Dialect): EnvironmentVariables {
  return { [settingsTable.dialect.env]: name };
}

export function emulatorCommandLine(dialect: Dialect): string {
  const flag = isUsual(dialect) ? "" : ` --dialect ${dialect.name}`;
  return `npx pulumi-deployment-service emulator${flag}`;
}

export function isUsual({ name }: Dialect): boolean {
  return name === settingsTable.dialect.default;
}
