/** Where deployments can be: two services, one of them with a second tenant, and the addresses and keys that lead there. */
import {
  startEmulator,
  langsmith,
  type DeploymentRecord,
  type Emulator,
  type ShownSecrets,
  type Tenant,
} from "../../../emulator";
import type { Config } from "./engine/state";
import { clock } from "./idle-clock";

/** A service and a tenant in it. */
export type PlaceName = "us" | "us of another tenant" | "eu";

export interface Place extends Tenant {
  readonly name: PlaceName;
  readonly emulator: Emulator;
  /** One that leads there. */
  readonly apiKey: string;
}

export const addresses = ["us", "us by another name", "us with a wrong path", "eu"] as const;
export type Address = (typeof addresses)[number];

/** Of which the services are, as the setting `dialect` names them. */
export type Dialect = "standard" | "langsmith";

/** Names are free again after a deletion, because the model does not delete tracing projects. */
const publicRules = { ...langsmith, tracingProjects: false };

const otherKey = "key-of-another-tenant";
const otherTenant = "00000000-0000-4000-8000-00000000000b";

export class Places {
  private constructor(
    readonly us: Place,
    readonly other: Place,
    readonly eu: Place,
    readonly dialect: Dialect,
  ) {}

  static async open(dialect: Dialect): Promise<Places> {
    const options = { clock, ...(dialect === "langsmith" && { rules: publicRules }) };
    const us = await startEmulator({ ...options, otherTenants: { [otherKey]: otherTenant } });
    const eu = await startEmulator(options);
    return new Places(
      { ...us, name: "us", emulator: us },
      { ...us.tenant(otherKey), name: "us of another tenant", emulator: us, apiKey: otherKey },
      { ...eu, name: "eu", emulator: eu },
      dialect,
    );
  }

  get all(): readonly Place[] {
    return [this.us, this.other, this.eu];
  }

  get emulators(): readonly Emulator[] {
    return [this.us.emulator, this.eu.emulator];
  }

  reset(secrets: ShownSecrets): void {
    for (const emulator of this.emulators) {
      emulator.reset();
      emulator.configure({ secrets });
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.emulators.map((emulator) => emulator.close()));
  }

  url(address: Address): string {
    switch (address) {
      case "us":
        return this.us.emulator.url;
      case "us by another name":
        return this.us.emulator.url.replace("127.0.0.1", "localhost");
      case "us with a wrong path":
        return `${this.us.emulator.url}/wrong`;
      case "eu":
        return this.eu.emulator.url;
    }
  }

  /** Where a connection leads; undefined where nothing is. */
  at(url: string, apiKey: string): Place | undefined {
    if (url === this.url("eu")) return this.eu;
    if (url === this.url("us with a wrong path")) return undefined;
    return apiKey === otherKey ? this.other : this.us;
  }

  /** Where a deployment is. */
  of(id: string): Place | undefined {
    return this.all.find((place) => place.deployment(id.toLowerCase())?.id === id.toLowerCase());
  }

  record(id: string): DeploymentRecord | undefined {
    return this.of(id)?.deployment(id.toLowerCase());
  }
}

const setting = (name: string) => `deployment-service:${name}`;

/** The configuration of a provider that has a connection of its own. */
export function ownConnection(name: string, url: string, apiKey: string): Config {
  return { [setting("baseUrl")]: url, [setting("apiKey")]: apiKey, [setting("provider")]: name };
}
