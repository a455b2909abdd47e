/** The services that a new project talks to: the real one, and the emulator. */
import { dialectAt, vendorVariable, type Dialect } from "../../dialects";
import { readServiceRules } from "../../settings/reading";
import { settingsTable } from "../../settings/table";

/** The emulator's own defaults. */
export const emulatorAddress = "http://127.0.0.1:8787";
export const emulatorKey = "emulator-key";

type Variables = Readonly<Record<string, string | undefined>>;

export interface ProjectService {
  readonly address: string;
  /** Whether the user has chosen the address; otherwise it is the first region's. */
  readonly isChosen: boolean;
  readonly tenantId: string | undefined;
  /** With the rules of the address. */
  readonly dialect: Dialect;
  /** The variable with its key: the one that the vendor's own tools read too, where that is used. */
  readonly keyVariable: string;
  /**
   * The environment with which a command connects to the service. Undefined if only a file of the agent mentions the address: a key
   * of the environment may belong to another service.
   */
  readonly environment: Variables | undefined;
}

/** @param agent the variables of the agent, which count where the environment does not say */
export function serviceFor(dialect: Dialect, env: Variables, _agent: Variables = {}): ProjectService {
  const rules = readServiceRules(undefined, { ...env, [settingsTable.dialect.env]: dialect.name });
  const chosen = "baseUrl" in rules ? rules.baseUrl : undefined;
  const address = chosen ?? Object.values(dialect.regions)[0] ?? "https://deployments.example.com";
  const vendorKey = vendorVariable(dialect, address, "apiKey");
  const key = env[settingsTable.apiKey.env] || (vendorKey && env[vendorKey]);
  return {
    address,
    isChosen: chosen !== undefined,
    tenantId: undefined,
    dialect: dialectAt(dialect, address),
    keyVariable: vendorKey ?? settingsTable.apiKey.env,
    environment: {
      ...env,
      [settingsTable.dialect.env]: dialect.name,
      [settingsTable.baseUrl.env]: chosen,
      [settingsTable.apiKey.env]: key,
    },
  };
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
