/** What a provider is configured with: read once, and connected when something is first asked of the service. */
import { createHmac } from "node:crypto";
import { connect, type Connection } from "../connection";
import type { Connected } from "../deployment/service";
import { dialects, type Dialect } from "../dialects";
import { readSettings, type Settings, type SettingsProblem, type SettingsResult } from "../settings";

export class Configured {
  #read: SettingsResult | undefined;
  #connection: Connection | undefined;
  #connected: Connected | undefined;

  /** @param configured gives the value of a key: `deployment-service:baseUrl` */
  constructor(private readonly configured: (key: string) => unknown = () => undefined) {}

  get problems(): readonly SettingsProblem[] {
    return this.#result.problems ?? [];
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
    return (this.#connection ??= connect(this.#sound));
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
    const messages = this.problems.map(({ message }) => message);
    throw new Error(messages.join("; ") || "the settings of the provider are not known yet");
  }
}

function connectedBy({ baseUrl, tenantId, dialect, apiKey }: Settings): Connected {
  return { address: baseUrl, tenantId, dialect, keyDigest: digestOf(apiKey, baseUrl) };
}

/** Too short to find the key by. */
function digestOf(apiKey: string, salt: string): string {
  return createHmac("sha256", apiKey).update(salt).digest("hex").slice(0, 12);
}
