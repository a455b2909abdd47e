/** What the vendor's own tools have set: which source counts, and that a key goes nowhere but to its own place. */
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readSettings } from "../../../provider/settings/reading";
import { unknownValue } from "../../../schema/tree";
import { scratch } from "../../support/folders";
import { runs } from "../../support/runs";

type Environment = Readonly<Record<string, string>>;

const langsmith = { DEPLOYMENT_SERVICE_DIALECT: "langsmith" };
const own = "https://langsmith.example.com";
const us = "https://api.host.langchain.com";
const eu = "https://eu.api.host.langchain.com";
const token = "canary-token-5f1d";
const key = "canary-key-77ab";

/** A home folder with this `config.json`. */
function login(content: unknown): Environment {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  return { HOME: scratch({ ".langsmith/config.json": text }) };
}

const profiles = (profile: unknown) => login({ profiles: { default: profile } });

function read(environment: Environment, configuration: Readonly<Record<string, unknown>> = {}) {
  const configured = (name: string) => configuration[name.replace("deployment-service:", "")];
  return readSettings(configured, { ...langsmith, ...environment });
}

function problemsOf(...given: Parameters<typeof read>): string {
  return (read(...given).problems ?? []).map(({ message }) => message).join("\n");
}

describe("the address", () => {
  it.each([
    ["https://api.smith.langchain.com", us],
    ["https://api.smith.langchain.com/api/v1", us],
    ["https://eu.api.smith.langchain.com/api", eu],
    ["https://azure.api.smith.langchain.com", "https://azure.api.host.langchain.com"],
    ["https://langsmith.example.com/api/v1", `${own}/api-host`],
    ["https://langsmith.example.com/api-host", `${own}/api-host`],
    ["https://langsmith.example.com", own],
    ["https://langsmith.example.com/my-api", `${own}/my-api`],
  ])("of the API, %s, is taken for that of its control plane as `baseUrl`", (baseUrl, expected) => {
    expect(read({}, { baseUrl, apiKey: "own" }).settings?.baseUrl).toBe(expected);
    expect(read({}, { baseUrl, apiKey: "own", dialect: "standard" }).settings?.baseUrl).toBe(
      baseUrl.replace(/\/$/, "").replace("API", "api"),
    );
  });

  it.each([
    [{ LANGGRAPH_HOST_URL: own }, own, "LANGGRAPH_HOST_URL"],
    [{ LANGSMITH_CONTROL_PLANE_URL: own }, own, "LANGSMITH_CONTROL_PLANE_URL"],
    [{ LANGSMITH_CONTROL_PLANE_URL: own, LANGGRAPH_HOST_URL: eu }, eu, "LANGGRAPH_HOST_URL"],
    [{ LANGSMITH_ENDPOINT: own, LANGSMITH_CONTROL_PLANE_URL: eu }, eu, "LANGSMITH_CONTROL_PLANE_URL"],
    [{ LANGSMITH_ENDPOINT: own }, `${own}/api-host`, "LANGSMITH_ENDPOINT"],
    [{ LANGSMITH_ENDPOINT: `${own}/api/v1` }, `${own}/api-host`, "LANGSMITH_ENDPOINT"],
    [{ LANGSMITH_ENDPOINT: "https://eu.api.smith.langchain.com" }, eu, "LANGSMITH_ENDPOINT"],
    [{}, us, "LANGSMITH_API_KEY"],
  ])("comes from %j, else it is the cloud's first region", (variables, expected, from) => {
    const { settings } = read({ LANGSMITH_API_KEY: key, ...variables });
    expect(settings).toMatchObject({ baseUrl: expected, apiKey: key, token: undefined });
    expect(settings?.origins.baseUrl).toEqual({ text: from, isVendors: true });
    expect(settings?.apiKeyAdvice).toContain("Check LANGSMITH_API_KEY, which is used because");
  });

  it.each(["LANGGRAPH_HOST_URL", "LANGSMITH_ENDPOINT"])("in %s is checked like one's own", (name) => {
    const asked = (address: string) => problemsOf({ LANGSMITH_API_KEY: key, [name]: address });
    expect(asked("http://langsmith.example.com")).toContain(`${name} must be https`);
    expect(asked("https://me:canary@langsmith.example.com")).toBe(
      `${name} must not contain a user or a password: the API key has its own setting`,
    );
    expect(asked("eu")).toContain(`${name} must be an address`);
  });
});

describe("a profile", () => {
  const full = {
    ...{ api_url: `${own}/api/v1`, api_key: key, workspace_id: "w-1" },
    oauth: { access_token: token, refresh_token: "canary-refresh", expires_at: "2999-01-01T00:00:00Z" },
  };
  const from = { text: 'profile "default" of ~/.langsmith/config.json', isVendors: true };

  it("gives address, token and workspace, the token before the key", () => {
    expect(read(profiles(full)).settings).toMatchObject({
      ...{ baseUrl: `${own}/api-host`, apiKey: token, token: expect.anything() as unknown, tenantId: "w-1" },
      origins: { baseUrl: from, apiKey: from, tenantId: from },
      apiKeyAdvice: `Run \`langsmith auth login\`: the token is that of ${from.text}.`,
    });
    const withKey = { ...full, oauth: undefined };
    expect(read(profiles(withKey)).settings).toMatchObject({ apiKey: key, token: undefined });
  });

  it("without an address is one of the cloud's first region", () => {
    expect(read(profiles({ api_key: key })).settings).toMatchObject({ baseUrl: us, apiKey: key });
  });

  it("is the one that LANGSMITH_PROFILE names, else the current one, else `default`", () => {
    const three = { default: { api_key: "of-default" }, current: { api_key: "of-current" }, chosen: full };
    const home = (current_profile?: string) => login({ current_profile, profiles: three });
    const keyWith = (environment: Environment) => read(environment).settings?.apiKey;
    expect(keyWith(home())).toBe("of-default");
    expect(keyWith(home("current"))).toBe("of-current");
    expect(keyWith({ ...home("current"), LANGSMITH_PROFILE: "chosen" })).toBe(token);
    const { HOME } = home();
    expect(keyWith({ LANGSMITH_CONFIG_FILE: join(HOME!, ".langsmith/config.json") })).toBe("of-default");
  });

  it("is used for its own address alone, even if that comes from elsewhere", () => {
    const home = profiles(full);
    expect(read(home, { baseUrl: `${own}/api-host` }).settings).toMatchObject({ apiKey: token });
    expect(read({ ...home, LANGSMITH_ENDPOINT: own }).settings).toMatchObject({ apiKey: token });
    for (const baseUrl of [us, own, "https://other.example.com"]) {
      const problem = problemsOf(home, { baseUrl });
      expect(problem).toContain("deployment-service:apiKey is not set");
      expect(problem).toContain(`${from.text} is for another address: \`langsmith auth login\` changes that`);
    }
  });

  it("gives its workspace to a key of the vendor's variables, but not to one's own (K14)", () => {
    const home = profiles({ ...full, api_url: "https://eu.api.smith.langchain.com" });
    expect(read({ ...home, LANGSMITH_API_KEY: "k" }).settings).toMatchObject({
      ...{ baseUrl: eu, apiKey: "k", token: undefined, tenantId: "w-1" },
    });
    expect(read(home, { apiKey: "own" }).settings).toMatchObject({ apiKey: "own", tenantId: undefined });
    expect(read({ ...home, LANGSMITH_TENANT_ID: "t" }).settings).toMatchObject({ tenantId: "t" });
    const both = { LANGSMITH_TENANT_ID: "t", LANGSMITH_WORKSPACE_ID: "w" };
    expect(read({ ...home, ...both }).settings).toMatchObject({ tenantId: "w" });
  });

  const notOfLogin =
    "~/.langsmith/config.json is not the JSON object that a login writes: run `langsmith auth login` again";
  it.each([
    ["not json", notOfLogin],
    ["[]", notOfLogin],
    [{ current_profile: "x", profiles: { y: {} } }, 'has no profile "x", but y: set LANGSMITH_PROFILE to'],
    [{ profiles: { y: {} } }, 'has no profile "default", but y'],
    [
      { profiles: { default: { api_key: `${key}\n` } } },
      'profile "default" of ~/.langsmith/config.json must be',
    ],
    [{ profiles: { default: { oauth: { access_token: `a\r\n${token}` } } } }, "must be printable ASCII"],
    [{ profiles: { default: { api_url: `https://u:${key}@x.example.com` } } }, "must not contain a user"],
  ])("that is broken, %j, is told by its file, and never by its values", (content, message) => {
    const problem = problemsOf(login(content));
    expect(problem).toContain(message);
    expect(problem).not.toContain("canary");
  });

  it.each([
    [
      { LANGSMITH_CONFIG_FILE: "/none/config.json" },
      "/none/config.json (LANGSMITH_CONFIG_FILE) cannot be read (ENOENT)",
    ],
    [{ LANGSMITH_CONFIG_FILE: "/dev/zero" }, "/dev/zero (LANGSMITH_CONFIG_FILE) cannot be read (ENXIO)"],
    [
      { LANGSMITH_PROFILE: "prod" },
      '~/.langsmith/config.json has no profile "prod", but default: set LANGSMITH_PROFILE to',
    ],
  ])(
    "that does not exist fails, and the error names the variable that asks for it: %j (K20)",
    (asks, message) => {
      expect(problemsOf({ ...profiles(full), ...asks })).toContain(message);
    },
  );

  it("that is broken and that nothing needs is no problem", () => {
    const broken = login("not json");
    expect(problemsOf(broken, { baseUrl: own, apiKey: "own" })).toBe("");
    expect(problemsOf(broken, { baseUrl: us, dialect: "standard", apiKey: "own" })).toBe("");
    expect(problemsOf({ ...broken, LANGSMITH_ENDPOINT: own, LANGSMITH_API_KEY: key })).toBe("");
  });
});

it("the error for a missing setting lists the vendor's variables, and asks for the dialect if only these are set", () => {
  expect(problemsOf({})).toContain(
    "or set DEPLOYMENT_SERVICE_URL; LANGSMITH_API_KEY or `langsmith auth login` also works",
  );
  expect(problemsOf({}, { baseUrl: us })).toMatch(
    /; LANGSMITH_API_KEY or `langsmith auth login` also works$/,
  );
  expect(problemsOf({}, { baseUrl: own })).not.toContain("also works");
  const standard = { DEPLOYMENT_SERVICE_DIALECT: "standard" };
  for (const environment of [
    { LANGSMITH_API_KEY: key },
    { LANGSMITH_ENDPOINT: own },
    profiles({ api_key: key }),
  ]) {
    const problem = problemsOf({ ...environment, ...standard });
    expect(problem.match(/DEPLOYMENT_SERVICE_DIALECT/g)).toHaveLength(1);
    expect(problem).toMatch(
      /^\S+( auth login`)? is only used in dialect langsmith: set `deployment-service:dialect` \(DEPLOYMENT_SERVICE_DIALECT\) to langsmith; in dialect standard, /,
    );
    expect(problem).not.toContain("API_KEY is not set");
    expect(problem).not.toContain("has no deployment-service:apiKey");
  }
  expect(problemsOf(standard)).not.toContain("DIALECT");
  expect(problemsOf({ LANGSMITH_API_KEY: key }, { baseUrl: own })).toContain(
    `LANGSMITH_API_KEY is not sent to ${own}, unless LANGGRAPH_HOST_URL or LANGSMITH_CONTROL_PLANE_URL or LANGSMITH_ENDPOINT is set to that address`,
  );
});

it("a vendor's key does not stand in for an empty one, waits for an address that is not known yet, and is checked", () => {
  const vendors = { LANGSMITH_API_KEY: key };
  expect(problemsOf(vendors, { baseUrl: us, apiKey: " ", provider: "eu" })).toContain("must not be empty");
  expect(problemsOf(vendors, { baseUrl: unknownValue })).toBe("");
  expect(problemsOf({ LANGSMITH_API_KEY: "with space" }, { baseUrl: us })).toBe(
    "LANGSMITH_API_KEY must be printable ASCII without spaces or line ends",
  );
});

it("a key or token is only used for the place that it belongs to, whatever is set", () => {
  const addresses = [
    us,
    eu,
    own,
    `${own}/api-host`,
    "https://other.example.com",
    "https://api.host.langchain.org",
    "https://api.host.langchain.com.example.com",
    "https://api.host.langchain.com:8443",
    "http://api.host.langchain.com",
    "https://other.langchain.com",
  ];
  const perhaps = <T>(...values: T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
  const api = perhaps("https://api.smith.langchain.com", `${own}/api/v1`);
  const ofApi = (text = "") => (text.includes("example") ? `${own}/api-host` : us);
  const isPublic = (each: string) => [us, eu].includes(each);
  const keys = ["LANGGRAPH_HOST_API_KEY", "LANGSMITH_API_KEY", "LANGCHAIN_API_KEY"];
  const given = fc.record({
    ...{ baseUrl: perhaps(...addresses), host: perhaps(...addresses), controlPlane: perhaps(...addresses) },
    ...{ endpoint: api, profile: api, keys: fc.subarray(keys), isLoggedIn: fc.boolean() },
    oauth: fc.constantFrom({ access_token: token }, { refresh_token: "canary-refresh" }, undefined),
    ownKey: fc.option(fc.constant("canary-own"), { nil: undefined }),
  });
  // Folders are slow to make: one for each login.
  const homes = new Map<string, Environment>();
  const homeOf = (login: unknown) => {
    const text = JSON.stringify(login);
    const home = homes.get(text) ?? profiles(login);
    homes.set(text, home);
    return home;
  };
  fc.assert(
    fc.property(given, ({ baseUrl, host, controlPlane, endpoint, profile, isLoggedIn, oauth, ...rest }) => {
      const { settings } = read(
        {
          ...(isLoggedIn && homeOf({ api_url: profile, api_key: "canary-profile", oauth })),
          ...Object.fromEntries(rest.keys.map((name) => [name, `canary-${name}`])),
          ...(host && { LANGGRAPH_HOST_URL: host }),
          ...(controlPlane && { LANGSMITH_CONTROL_PLANE_URL: controlPlane }),
          ...(endpoint && { LANGSMITH_ENDPOINT: endpoint }),
          ...(rest.ownKey && { DEPLOYMENT_SERVICE_API_KEY: rest.ownKey }),
        },
        { allowHttp: "true", ...(baseUrl && { baseUrl }) },
      );
      if (settings === undefined) return;
      const { apiKey, origins } = settings;
      if (rest.ownKey !== undefined) return void expect(apiKey).toBe(rest.ownKey);
      const chosen = host ?? controlPlane ?? ofApi(endpoint);
      if (settings.token !== undefined || apiKey === "canary-profile") {
        expect(settings.baseUrl).toBe(ofApi(profile));
        expect(settings.token === undefined).toBe(oauth === undefined);
      } else {
        expect(origins.apiKey?.text).toBe(rest.keys[0]);
        expect(apiKey).toBe(`canary-${rest.keys[0]}`);
        if (isPublic(chosen)) expect(settings.baseUrl).toSatisfy(isPublic);
        else expect(settings.baseUrl).toBe(chosen);
      }
    }),
    runs(300),
  );
});
