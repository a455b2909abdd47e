/** A provider's settings, which are read when first needed, and its connection, which is opened for the first request. */
import { createHmac } from "node:crypto";
import type { Connection } from "../control-plane/connect";
import type { Connected } from "../deployment/context";
import { dialects, type Dialect } from "../dialects";
import { providerNameKey } from "../settings/sources";
import { readSettings, type SettingsResult } from "../settings/reading";
import type { Settings } from "../settings/settings";
import { tokenProblem } from "../settings/token";
import { serviceCalls } from "./on-demand";

export class Configured {
  #read: SettingsResult | undefined;
  #connection: Connection | undefined;
  #connected: Connected | undefined;

  /** @param configured looks up a key such as `deployment-service:baseUrl` */
  constructor(private readonly configured: (key: string) => unknown = () => undefined) {}

  /** The logical name of the program's `Provider`; undefined for the stack's own connection. */
  get providerName(): string | undefined {
    const name = this.configured(providerNameKey);
    return typeof name === "string" ? name : undefined;
  }

  get problems(): readonly string[] {
    return this.#result.problems.map(({ message }) => message);
  }

  /** Undefined if they are invalid or not known yet. */
  get settings(): Settings | undefined {
    return this.#result.settings;
  }

  /** Why a login has no valid token. A preview sends nothing, but tells it. */
  async loginProblems(): Promise<readonly string[]> {
    const problem = this.settings && (await tokenProblem(this.settings));
    return problem === undefined ? [] : [problem];
  }

  get dialect(): Dialect {
    return this.#result.dialect ?? dialects["standard"]!;
  }

  /** Otherwise nothing that a dialect refuses is a problem yet. */
  get isDialectKnown(): boolean {
    return this.#result.dialect !== undefined;
  }

  /** Throws if the settings are invalid or not known yet. */
  get connection(): Connection {
    return (this.#connection ??= serviceCalls().connect(this.#valid));
  }

  /** The connection that deployments are made with. Throws if the settings are invalid or not known yet. */
  get connected(): Connected {
    return (this.#connected ??= connectedBy(this.#valid));
  }

  get #result(): SettingsResult {
    return (this.#read ??= readSettings(this.configured, process.env));
  }

  /** With the program, a check has reported the problems before anything else asks for the settings. */
  get #valid(): Settings {
    if (this.settings !== undefined) return this.settings;
    const problems = this.problems.join("; ");
    throw new Error(
      problems === "" ? "the settings of the provider are not known yet" : `${problems}. ${asOfLastUp}`,
    );
  }
}

const asOfLastUp =
  "`refresh` and `destroy` use the settings of the last `pulumi up`: if you have set them since, add `--run-program`";

function connectedBy({ baseUrl, tenantId, dialect, apiKey, token }: Settings): Connected {
  // A token is soon replaced by another one of the same user.
  if (token !== undefined) return { address: baseUrl, tenantId, dialect };
  // One key may reach several tenants, so the digest covers the tenant that the settings choose.
  const salt = [baseUrl, ...(tenantId === undefined ? [] : [tenantId])].join(" ");
  // Too short to recover the key from.
  const keyDigest = createHmac("sha256", apiKey).update(salt).digest("hex").slice(0, 12);
  return { address: baseUrl, tenantId, dialect, keyDigest };
}
