/** The service that a new project talks to. */
import { dialectAt, type Dialect } from "../../provider/dialects";
import { readSettings } from "../../provider/settings/reading";
import { firstSet, settingsTable, type EnvironmentVariables } from "../../provider/settings/table";
import { UsageError } from "../usage-error";
import type { AgentVariables } from "./agent";

export type ProjectService = ReturnType<typeof serviceFor>;

type Agent = Pick<AgentVariables, "values" | "shown">;

/** @param agent its variables count where the environment has none */
export function serviceFor(dialect: Dialect, env: EnvironmentVariables, agent?: Agent) {
  const { vendor } = dialect;
  const addressNames = [...(vendor?.controlPlane ?? []), ...(vendor?.api ?? [])];
  const tenantNames = [settingsTable.tenantId.env, ...(vendor?.tenantId ?? [])];
  const own = firstSet([settingsTable.baseUrl.env, ...addressNames], env);
  const ofAgent = own === undefined && agent ? firstSet(addressNames, agent.values) : undefined;
  const from = own?.from ?? (ofAgent && `${ofAgent.from} in ${agent!.shown}`);
  const addresses = ofAgent && Object.fromEntries(addressNames.map((name) => [name, agent!.values[name]]));
  const tenantId = (firstSet(tenantNames, env) ?? (agent && firstSet(tenantNames, agent.values)))?.text;
  const environment = {
    ...env,
    [settingsTable.dialect.env]: dialect.name,
    ...(tenantId !== undefined && { [settingsTable.tenantId.env]: tenantId }),
  };
  const known = readSettings(undefined, { ...environment, ...addresses }).rules?.baseUrl;
  if (from !== undefined && known === undefined)
    throw new UsageError(`${from} must be an address such as https://deployments.example.com`);
  const address = known ?? Object.values(dialect.regions)[0] ?? "https://deployments.example.com";
  const isPublic = vendor !== undefined && new RegExp(vendor.publicAddress).test(address);
  // A key of the environment is for the vendor's cloud, not for any address that a file of the agent mentions.
  const found = readSettings(undefined, { ...environment, ...(isPublic && addresses) }).settings;
  const settings = found?.baseUrl === address ? found : undefined;
  return {
    address,
    /** The variable or profile that the address comes from; undefined if it is only the first region's. */
    from: from ?? (known && settings?.origins.baseUrl?.text),
    tenantId: tenantId ?? settings?.tenantId,
    /** With the rules of the address. */
    dialect: dialectAt(dialect, address),
    /** The variable with its key: the one that the vendor's own tools read too, where that is used. */
    keyVariable: (isPublic ? vendor.usualApiKey : undefined) ?? settingsTable.apiKey.env,
    /** For a connection; undefined if the environment has no key for that address. */
    settings,
  };
}

export function isUsual({ name }: Dialect): boolean {
  return name === settingsTable.dialect.default;
}
