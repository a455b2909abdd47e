/** The profile that the login of the vendor's command line has written. */
import { join } from "node:path";
import type { VendorTools } from "../dialects";
import { asObject, isObject } from "../../schema/tree";
import { LoginError } from "../errors";
import { readRegularFile } from "../files/regular-file";
import { firstOf } from "../text/first-of";
import { parseJson } from "../text/json";
import { sanitize } from "../text/sanitize";
import { settingText, type EnvironmentVariables } from "./table";
import { tokenOf, type Login, type StoredToken } from "./token";

export interface Profile {
  /** How messages refer to it: `profile "default" of ~/.langsmith/config.json`. */
  readonly from: string;
  /** Address of the API. */
  readonly api: string | undefined;
  readonly workspace: string | undefined;
  readonly key: string | undefined;
  /** Takes precedence over the key. */
  readonly login: Login | undefined;
}

type Rules = VendorTools["profile"];

export interface ProfileResult {
  readonly profile?: Profile;
  readonly problem?: string;
}

const none: ProfileResult = {};

/** Reads the file anew, since logins replace tokens. Neither is there if nobody has logged in. */
export function readProfile(tools: VendorTools, environment: EnvironmentVariables): ProfileResult {
  const rules = tools.profile;
  const file = profileFile(rules, environment);
  if (file === undefined) return none;
  const broken = (problem: string) => ({ problem: `${file.shown} ${problem}` });
  let text: string;
  try {
    text = readRegularFile(file.path).toString();
  } catch (error) {
    const { code = "unknown reason" } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" && !file.isChosen) return none;
    return broken(`cannot be read (${code}): correct that, or run \`${rules.login}\``);
  }
  const content = parseJson(text);
  if (!isObject(content))
    return broken(`is not the JSON object that a login writes: run \`${rules.login}\` again`);
  const profiles = new Map(Object.entries(asObject(content["profiles"])));
  const name =
    settingText(environment[rules.nameVariable]) ?? settingText(content["current_profile"]) ?? "default";
  const shown = sanitize(name, 50);
  if (profiles.size === 0) return none;
  if (!profiles.has(name)) {
    const others = sanitize(firstOf([...profiles.keys()]));
    const todo = `set ${rules.nameVariable} to a profile that it has, or run \`${rules.login}\``;
    return broken(`has no profile "${shown}", but ${others}: ${todo}`);
  }
  const { api_url, api_key, workspace_id, oauth } = asObject(profiles.get(name));
  const from = `profile "${shown}" of ${file.shown}`;
  const stored = storedToken(oauth);
  // The tool would send what renews the token to the address in this variable, and not to the profile's.
  const own = Object.entries(environment).filter(([variable]) => !tools.api.includes(variable));
  const shownName = /^[\w.-]+$/.test(name) ? name : `"${shown}"`;
  const command = [rules.tool, ...rules.tokenArguments, shownName].join(" ");
  const login = stored && {
    id: `${file.path}\n${name}`,
    stored,
    read: () => readProfile(tools, environment).profile?.login?.stored,
    tool: rules.tool,
    arguments: [...rules.tokenArguments, name],
    environment: Object.fromEntries(own),
    failed: (why: string) =>
      new LoginError(
        `${from} has no valid token, and \`${command}\` ${why}`,
        `: run it to see why, run \`${rules.login}\`, or set ${tools.usualApiKey}`,
      ),
  };
  return {
    profile: {
      from,
      api: settingText(api_url),
      workspace: settingText(workspace_id),
      // A line end, for example, is refused and not removed: the file is not what a login wrote.
      key: typeof api_key === "string" && api_key !== "" ? api_key : undefined,
      login,
    },
  };
}

/** Undefined if nobody has logged in. */
function storedToken(oauth: unknown): StoredToken | undefined {
  const { access_token, refresh_token, expires_at } = asObject(oauth);
  const [text, renewal] = [access_token, refresh_token].map((each) => (typeof each === "string" ? each : ""));
  return text !== "" || renewal !== "" ? tokenOf(text!, expires_at) : undefined;
}

/** Undefined without a home folder. */
function profileFile(rules: Rules, environment: EnvironmentVariables) {
  const chosen = settingText(environment[rules.fileVariable]);
  if (chosen !== undefined)
    return { path: chosen, shown: `${sanitize(chosen, 200)} (${rules.fileVariable})`, isChosen: true };
  const home = settingText(environment["HOME"]) ?? settingText(environment["USERPROFILE"]);
  if (home === undefined) return undefined;
  return { path: join(home, rules.file), shown: `~/${rules.file}`, isChosen: false };
}
