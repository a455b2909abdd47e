/** What the tools of the service's vendor read, as the last source of settings: variables, then the profile of a login. */
import { controlPlaneAt, type Dialect, type VendorTools } from "../dialects";
import type { Problem } from "./own";
import { hasProfileFile, readProfile, type Profile, type ProfileResult } from "./profile";
import {
  firstSet,
  parseAddress,
  settingNamed,
  settingsTable,
  settingText,
  type EnvironmentVariables,
} from "./table";
import { sharedToken, type Token } from "./token";

export interface VendorValue {
  readonly text: string;
  /** The variable or the profile that it comes from. */
  readonly from: string;
}

export interface VendorCredential extends VendorValue {
  readonly token?: Token;
  /** What to check if the service refuses it. */
  readonly advice: string;
}

/** The variables that are set, or else the file of a login, if there is one. */
export function tracesOf(tools: VendorTools | undefined, environment: EnvironmentVariables): string[] {
  if (tools === undefined) return [];
  const all = [...tools.apiKey, ...tools.controlPlane, ...tools.api];
  const set = all.filter((name) => settingText(environment[name]) !== undefined);
  return set.length > 0 || !hasProfileFile(tools.profile, environment) ? set : [`\`${tools.profile.login}\``];
}

/** The settings that one vendor's tools have. A key or token belongs to one place, and is sent nowhere else. */
export class VendorSettings {
  #profile: ProfileResult | undefined;

  constructor(
    private readonly dialect: Dialect,
    private readonly tools: VendorTools,
    private readonly environment: EnvironmentVariables,
  ) {}

  get address(): VendorValue | Problem | undefined {
    return this.#chosenAddress ?? this.#profileAddress ?? this.#firstRegion(this.#set(this.tools.apiKey));
  }

  /** The key or token that belongs to an address. */
  credentialFor(baseUrl: string): VendorCredential | Problem | undefined {
    const key = this.#set(this.tools.apiKey);
    if (key !== undefined && this.#isOfVariables(baseUrl)) {
      const advice = `Check ${key.from}, which is used because ${settingNamed("apiKey")} is not set.`;
      return { ...key, advice };
    }
    const { from, key: ownKey, token } = this.#profileAt(baseUrl) ?? {};
    const text = token?.stored.text ?? ownKey;
    if (from === undefined || text === undefined) return undefined;
    const login = `\`${this.tools.profile.login}\``;
    const what = token === undefined ? "key" : "token";
    const parsed = settingsTable.apiKey.parse(text);
    if (text !== "" && "problem" in parsed)
      return { problem: `the ${what} in ${from} ${parsed.problem}: run ${login} again` };
    const advice = `Run ${login}: the ${what} is that of ${from}.`;
    return { text, from, advice, ...(token && { token: sharedToken(token.id, token.stored, token.source) }) };
  }

  /** @param hasOwnKey whether the key is not one of the vendor's: then the profile's workspace may be another one */
  workspaceFor(baseUrl: string, hasOwnKey: boolean): VendorValue | undefined {
    const profile = this.#profileAt(baseUrl);
    const variable = this.#set(this.tools.tenantId);
    if (variable !== undefined && (this.#isOfVariables(baseUrl) || profile !== undefined)) return variable;
    if (hasOwnKey || profile?.workspace === undefined) return undefined;
    return { text: profile.workspace, from: profile.from };
  }

  /** What to set for this address, and what is there, but not for it, or cannot be read. */
  hintsFor(baseUrl: string | undefined): string[] {
    const { apiKey, usualApiKey, controlPlane, api, profile } = this.tools;
    const isPossible = baseUrl === undefined || this.#isOfVariables(baseUrl);
    const hints = isPossible ? [`${usualApiKey} or \`${profile.login}\` also works`] : [];
    const login = this.#login;
    if (login.problem !== undefined) return [...hints, login.problem];
    if (baseUrl === undefined) return hints;
    const key = this.#set(apiKey);
    const others = [...controlPlane, ...api].join(" or ");
    if (key !== undefined)
      hints.push(`${key.from} is not sent to ${baseUrl}, unless ${others} is set to that address`);
    if (login.profile !== undefined && hasCredential(login.profile))
      hints.push(`${login.profile.from} is for another address: \`${profile.login}\` changes that`);
    return hints;
  }

  /** With an address of one's own in the variables, they do not concern the public service. */
  #isOfVariables(baseUrl: string): boolean {
    const chosen = this.#chosenAddress;
    const isPublic = (address: string) => new RegExp(this.tools.publicAddress).test(address);
    if (chosen === undefined || !("text" in chosen)) return isPublic(baseUrl);
    return chosen.text === baseUrl || (isPublic(chosen.text) && isPublic(baseUrl));
  }

  get #chosenAddress(): VendorValue | Problem | undefined {
    const { controlPlane, api } = this.tools;
    const own = this.#set(controlPlane);
    if (own !== undefined) return addressIn(own, (text) => controlPlaneAt(this.dialect, text));
    const ofApi = this.#set(api);
    return ofApi && addressIn(ofApi, (text) => this.#fromApi(text));
  }

  /** A profile without an address is one of the vendor's cloud. */
  get #profileAddress(): VendorValue | Problem | undefined {
    const { profile, problem } = this.#login;
    if (problem !== undefined) return { problem };
    if (profile?.api === undefined)
      return this.#firstRegion(profile && hasCredential(profile) ? profile : undefined);
    const found = addressIn({ text: profile.api, from: profile.from }, (text) => this.#fromApi(text));
    return "text" in found
      ? found
      : { problem: `api_url of ${found.problem}: run \`${this.tools.profile.login}\` again` };
  }

  #profileAt(baseUrl: string): Profile | undefined {
    const address = this.#profileAddress;
    const isThere = address !== undefined && "text" in address && address.text === baseUrl;
    return isThere ? this.#login.profile : undefined;
  }

  #firstRegion(source: { readonly from: string } | undefined): VendorValue | undefined {
    const [text] = Object.values(this.dialect.regions);
    return source && text ? { text, from: source.from } : undefined;
  }

  #fromApi(address: string): string {
    const { publicAddress, controlPlanePath: path } = this.tools;
    const found = controlPlaneAt(this.dialect, address);
    const isComplete = found !== address || found.endsWith(path) || new RegExp(publicAddress).test(found);
    return isComplete ? found : found + path;
  }

  get #login(): ProfileResult {
    return (this.#profile ??= readProfile(this.tools, this.environment));
  }

  #set(names: readonly string[]): VendorValue | undefined {
    return firstSet(names, this.environment);
  }
}

function hasCredential({ key, token }: Profile): boolean {
  return key !== undefined || token !== undefined;
}

function addressIn({ text, from }: VendorValue, controlPlane: (text: string) => string) {
  const parsed = parseAddress(text);
  return "problem" in parsed
    ? { problem: `${from} ${parsed.problem}` }
    : { text: controlPlane(parsed.value), from };
}
