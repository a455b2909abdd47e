/** What the tools of the service's vendor read, as the last source of settings: variables, then the profile of a login. */
import { controlPlaneAt, type Dialect, type VendorTools } from "../dialects";
import { parsed, type Read } from "./own";
import { readProfile, type Profile, type ProfileResult } from "./profile";
import type { Origin } from "./settings";
import { firstSet, settingNamed, settingText, type EnvironmentVariables } from "./table";
import { sharedToken } from "./token";

/** The variables that are set, or else a login, if there is one. */
export function tracesOf(tools: VendorTools | undefined, environment: EnvironmentVariables): string[] {
  if (tools === undefined) return [];
  const all = [...tools.apiKey, ...tools.controlPlane, ...tools.api];
  const set = all.filter((name) => settingText(environment[name]) !== undefined);
  const isLoggedIn = set.length === 0 && readProfile(tools, environment).profile !== undefined;
  return isLoggedIn ? [`\`${tools.profile.login}\``] : set;
}

/** The settings that one vendor's tools have. A key or token belongs to one place, and is sent nowhere else. */
export class VendorSettings {
  #profile: ProfileResult | undefined;

  constructor(
    private readonly dialect: Dialect,
    private readonly tools: VendorTools,
    private readonly environment: EnvironmentVariables,
  ) {}

  get address(): Read<string> | undefined {
    return this.#chosenAddress ?? this.#profileAddress ?? this.#firstRegion(this.#set(this.tools.apiKey));
  }

  /** The key or token that belongs to an address. */
  keyFor(baseUrl: string): Read<string> | undefined {
    const key = this.#set(this.tools.apiKey);
    if (key !== undefined && this.#isOfVariables(baseUrl)) {
      const advice = `Check ${key.from}, which is used because ${settingNamed("apiKey")} is not set.`;
      return { ...parsed("apiKey", key.text, vendors(key)), advice };
    }
    const profile = this.#profileAt(baseUrl);
    const text = profile?.login?.stored.text ?? profile?.key;
    if (profile === undefined || text === undefined) return undefined;
    const origin = vendors(profile);
    const { from, login } = profile;
    const what = `the ${login === undefined ? "key" : "token"}`;
    // Empty if the vendor's tool has yet to get the first token.
    const { problem, ...read } = text === "" ? { value: text, origin } : parsed("apiKey", text, origin);
    if (problem !== undefined) return { problem: `${what} in ${problem}` };
    const advice = `Run \`${this.tools.profile.login}\`: ${what} is that of ${from}.`;
    return { ...read, advice, token: login && sharedToken(login) };
  }

  /** @param hasOwnKey whether the key is not one of the vendor's: then the profile's workspace may be another one */
  workspaceFor(baseUrl: string, hasOwnKey: boolean): Read<string | undefined> | undefined {
    const profile = this.#profileAt(baseUrl);
    const variable = this.#set(this.tools.tenantId);
    if (variable !== undefined && (this.#isOfVariables(baseUrl) || profile !== undefined))
      return parsed("tenantId", variable.text, vendors(variable));
    if (hasOwnKey || profile?.workspace === undefined) return undefined;
    return parsed("tenantId", profile.workspace, vendors(profile));
  }

  /** What is there, but not for this address, or cannot be read; otherwise what to set. */
  hintFor(baseUrl: string | undefined): string | undefined {
    const { apiKey, usualApiKey, controlPlane, api, profile } = this.tools;
    const login = this.#login;
    if (login.problem !== undefined) return login.problem;
    const key = this.#set(apiKey);
    const others = [...controlPlane, ...api].join(" or ");
    if (baseUrl !== undefined && key !== undefined)
      return `${key.from} is not sent to ${baseUrl}, unless ${others} is set to that address`;
    if (baseUrl !== undefined && login.profile !== undefined && hasCredential(login.profile))
      return `${login.profile.from} is for another address: \`${profile.login}\` changes that`;
    const isPossible = baseUrl === undefined || this.#isOfVariables(baseUrl);
    return isPossible ? `${usualApiKey} or \`${profile.login}\` also works` : undefined;
  }

  /** With an address of one's own in the variables, they do not concern the public service. */
  #isOfVariables(baseUrl: string): boolean {
    const chosen = this.#chosenAddress?.value;
    const isPublic = (address: string) => new RegExp(this.tools.publicAddress).test(address);
    return chosen === baseUrl || ((chosen === undefined || isPublic(chosen)) && isPublic(baseUrl));
  }

  get #chosenAddress(): Read<string> | undefined {
    const { controlPlane, api } = this.tools;
    const own = this.#set(controlPlane);
    if (own !== undefined) return addressIn(own, (text) => controlPlaneAt(this.dialect, text));
    const ofApi = this.#set(api);
    return ofApi && addressIn(ofApi, (text) => this.#fromApi(text));
  }

  /** A profile without an address is one of the vendor's cloud. */
  get #profileAddress(): Read<string> | undefined {
    const { profile, problem } = this.#login;
    if (problem !== undefined) return { problem };
    if (profile?.api === undefined)
      return this.#firstRegion(profile && hasCredential(profile) ? profile : undefined);
    const found = addressIn({ text: profile.api, from: profile.from }, (text) => this.#fromApi(text));
    return found.problem === undefined
      ? found
      : { problem: `api_url of ${found.problem}: run \`${this.tools.profile.login}\` again` };
  }

  #profileAt(baseUrl: string): Profile | undefined {
    return this.#profileAddress?.value === baseUrl ? this.#login.profile : undefined;
  }

  #firstRegion(source: { readonly from: string } | undefined): Read<string> | undefined {
    const [value] = Object.values(this.dialect.regions);
    return source && value ? { value, origin: vendors(source) } : undefined;
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

  #set(names: readonly string[]) {
    return firstSet(names, this.environment);
  }
}

function hasCredential({ key, login }: Profile): boolean {
  return key !== undefined || login !== undefined;
}

type Given = NonNullable<ReturnType<typeof firstSet>>;

function vendors({ from }: Pick<Given, "from">): Origin {
  return { text: from, isVendors: true };
}

/** Read like `dashboard`: `baseUrl` may also be the name of a region. */
function addressIn(given: Given, controlPlane: (text: string) => string): Read<string> {
  const address = parsed("dashboard", given.text, vendors(given));
  return address.value === undefined
    ? { problem: address.problem }
    : { ...address, value: controlPlane(address.value) };
}
