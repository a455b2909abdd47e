/** The settings of a connection. */
import type { Dialect } from "../dialects";
import type { Proxies } from "./proxies";
import type { SettingName } from "./table";
import type { Token } from "./token";

export interface Settings {
  /** Scheme, host and an optional path prefix. */
  readonly baseUrl: string;
  /** Whether unencrypted connections are allowed. */
  readonly allowHttp: boolean;
  /** The key, or the token that a login has stored. */
  readonly apiKey: string;
  /** If the key is a token: says which one to send. */
  readonly token: Token | undefined;
  /** What to check if the service refuses the key. Depends on where the key came from. */
  readonly apiKeyAdvice: string;
  readonly tenantId: string | undefined;
  readonly origins: Origins;
  readonly dialect: Dialect;
  readonly maxConcurrency: number;
  /** Time limit for one request, from sending it to the end of the response; milliseconds. */
  readonly requestTimeout: number;
  /** Delay before the first poll; milliseconds. */
  readonly pollInterval: number;
  /** Address of the service's pages, if that of the service does not tell it. */
  readonly dashboard: string | undefined;
  /** Path of the second repository listing, if the dialect does not define it. */
  readonly serviceReposPath: string | undefined;
  /** From the environment. */
  readonly proxies: Proxies;
}

/** Where each setting that is not a default comes from. */
export type Origins = { readonly [Name in SettingName]?: Origin };

export interface Origin {
  /** The setting, the variable or the profile, as messages show it. */
  readonly text: string;
  /** Whether it belongs to the vendor's own tools. */
  readonly isVendors: boolean;
}

export interface SettingsProblem {
  readonly message: string;
  /** Undefined for HTTP_PROXY and HTTPS_PROXY. */
  readonly setting: SettingName | undefined;
}
