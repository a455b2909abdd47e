/** What a provider is configured with: read when it is first needed, and connected when something is first asked of the service. */
import { createHmac } from "node:crypto";
import type { Connection } from "../control-plane/connect";
import type { Connected } from "../deployment/service";
import { dialects, type Dialect } from "../dialects";
import { readSettings, type Settings, type SettingsResult } from "../settings/reading";
import { serviceCalls } from "./on-demand";

export class Configured {
  #read: SettingsResult | undefined;
  #connection: Connection | undefined;
  #connected: Connected | undefined;

  /** @param configured gives the value of a key: `deployment-service:baseUrl` */
  constructor(private readonly configured: (key: string) => unknown = () => undefined) {}

  get problems(): readonly string[] {
    return (this.#result.problems ?? []).map(({ message }) => message);
  }

  /** Undefined where they are not sound. */
  get settings(): Settings | undefined {
    return this.#result.settings;
  }

  get dialect(): Dialect {
    return this.settings?.dialect ?? dialects["standard"]!;
  }

  /** Throws where the settings are not sound. */
  get connection(): Connection {
    return (this.#connection ??= serviceCalls().connect(this.#sound));
  }

  /** Whom a deployment is made with. Throws where the settings are not sound. */
  get connected(): Connected {
    return (this.#connected ??= connectedBy(this.#sound));
  }

  get #result(): SettingsResult {
    return (this.#read ??= readSettings(this.configured, process.env));
  }

  get #sound(): Settings {
    if (this.settings !== undefined) return this.settings;
    throw new Error(this.problems.join("; ") || "the settings of the provider are not known yet");
  }
}

function connectedBy({ baseUrl, tenantId, dialect, apiKey }: Settings): Connected {
  // One key may reach several tenants: without the setting that chose one, it is not the key that made a deployment there.
  const salt = [baseUrl, ...(tenantId === undefined ? [] : [tenantId])].join(" ");
  // Too short to find the key by.
  const keyDigest = createHmac("sha256", apiKey).update(salt).digest("hex").slice(0, 12);
  return { address: baseUrl, tenantId, dialect, keyDigest };
}
