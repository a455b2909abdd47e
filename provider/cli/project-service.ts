/** The services that a new project talks to: the real one, and the emulator. */
import type { Dialect } from "../dialects";
import { settingsTable } from "../settings/table";

/** What of a project says which services it talks to. */
export interface ProjectTarget {
  readonly dialect: Dialect;
  /** The address of the service, where one is known. */
  readonly address?: string | undefined;
  readonly agent?: { readonly environmentFile: string | undefined } | undefined;
}

export const secretsScript = "set-secrets.sh";

/** The emulator's own defaults. */
export const emulatorAddress = "http://127.0.0.1:8787";
export const emulatorKey = "emulator-key";

export function emulatorCommandLine({ dialect }: Pick<ProjectTarget, "dialect">): string {
  const flag = isUsual(dialect) ? "" : ` --dialect ${dialect.name}`;
  return `npx pulumi-deployment-service emulator${flag}`;
}

/** The service that a project for an agent talks to. */
export interface ServiceOfProject {
  readonly address: string;
  /** The variable with its key: the one that the vendor's own tools read too, where that is used. */
  readonly keyVariable: string;
}

export function serviceOf({
  dialect,
  ...project
}: Pick<ProjectTarget, "dialect" | "address">): ServiceOfProject {
  const address = project.address ?? Object.values(dialect.regions)[0] ?? "https://deployments.example.com";
  return { address, keyVariable: vendorKeyAt(address, dialect) ?? settingsTable.apiKey.env };
}

/** The variable with the vendor's own key, which is sent to addresses of the vendor's cloud. */
function vendorKeyAt(address: string, { vendor }: Dialect): string | undefined {
  return vendor && new RegExp(vendor.publicAddress).test(address) ? vendor.apiKey[0] : undefined;
}

/** The commands that deploy an agent to the emulator, in a stack of their own; none if the service is chosen already. */
export function trialCommands(project: ProjectTarget): string[] {
  if (project.address !== undefined) return [];
  return [
    `${emulatorCommandLine(project)}     # in another terminal`,
    "pulumi stack init try",
    `pulumi config set deployment-service:baseUrl ${emulatorAddress}`,
    `pulumi config set deployment-service:apiKey ${emulatorKey}`,
    ...(project.agent?.environmentFile === undefined ? [] : [`sh ${secretsScript}`]),
    "pulumi up",
  ];
}

/** The commands that connect a stack to the real service. */
export function connectCommands({ dialect }: Pick<ProjectTarget, "dialect">): string[] {
  return [
    "pulumi stack init prod",
    `pulumi config set deployment-service:baseUrl ${serviceOf({ dialect }).address}`,
    "pulumi config set --secret deployment-service:apiKey",
    "pulumi config set --secret modelApiKey",
  ];
}

export function isUsual({ name }: Dialect): boolean {
  return name === settingsTable.dialect.default;
}
