import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dialects } from "../../../provider/dialects";
import { readSettings } from "../../../provider/settings/reading";
import { unknownValue } from "../../../schema/tree";
import { settingsTable, type SettingName } from "../../../provider/settings/table";
import { runs } from "../../support/runs";

type Given = Readonly<Record<string, unknown>>;
const address = "https://deployments.example.com";
const enough = { baseUrl: address, apiKey: "key-from-config" };

/** @param config by the bare names of settings */
function read(config: Given, environment: Readonly<Record<string, string | undefined>> = {}) {
  const configured = new Map(
    Object.entries(config).map(([name, value]) => [`deployment-service:${name}`, value]),
  );
  return readSettings((key) => configured.get(key), environment);
}

const messagesOf = (config: Given, environment = {}) =>
  (read(config, environment).problems ?? []).map(({ message }) => message);

const names = Object.keys(dialects).join(", ");
const duration = "must be a duration such as 200ms, 2s, 5m or 1h";
const count = "must be a whole number from 1 to 1000";
const header = "must be printable ASCII without spaces or line ends";
const variable = "contains a variable that nothing";
const user = "must not contain a user or a password: the API key has its own setting";
const path = "must be a path that begins with / and contains {integration_id}";
const http =
  "must be https, because http would send the API key unencrypted: use https, or set deployment-service:allowHttp to true";

describe("settings", () => {
  it("need an address and a key, and have defaults for the rest (K06, K19)", () => {
    expect(read(enough).settings).toEqual({
      ...{
        ...enough,
        apiKeyAdvice: expect.stringContaining("Check deployment-service:apiKey."),
        ...{ token: undefined, dashboard: undefined },
        origins: {
          baseUrl: { text: "deployment-service:baseUrl", isVendors: false },
          apiKey: { text: "deployment-service:apiKey", isVendors: false },
        },
        ...{ allowHttp: false, dialect: dialects["standard"], maxConcurrency: 8, proxies: {} },
        ...{ requestTimeout: 30_000, pollInterval: 2_000, serviceReposPath: undefined, tenantId: undefined },
      },
    });
    expect(messagesOf({})).toEqual([
      "deployment-service:baseUrl is not set: run `pulumi config set deployment-service:baseUrl`, or set DEPLOYMENT_SERVICE_URL",
      "deployment-service:apiKey is not set: set DEPLOYMENT_SERVICE_API_KEY, or run `pulumi config set --secret deployment-service:apiKey`",
    ]);
  });

  it("all come from the environment if the configuration does not have them (K05)", () => {
    const given: Record<SettingName, [text: string, value: unknown]> = {
      baseUrl: ["http://internal.example.com/api/", "http://internal.example.com/api"],
      allowHttp: ["true", true],
      apiKey: ["key", "key"],
      tenantId: ["t1", "t1"],
      dialect: ["standard", dialects["standard"]],
      maxConcurrency: ["3", 3],
      requestTimeout: ["1m", 60_000],
      pollInterval: ["200ms", 200],
      dashboard: ["https://pages.example.com/", "https://pages.example.com"],
      serviceReposPath: ["/v1/{integration_id}/repos", "/v1/{integration_id}/repos"],
    };
    const entries = Object.entries(given);
    const environment = entries.map(([name, [text]]) => [settingsTable[name as SettingName].env, text]);
    expect(read({}, Object.fromEntries(environment) as Record<string, string>).settings).toMatchObject(
      Object.fromEntries(entries.map(([name, [, value]]) => [name, value])),
    );
  });

  it("take proxies from the environment as other tools do, with or without http://", () => {
    const environment = {
      https_proxy: "proxy.example.com:3128",
      HTTPS_PROXY: "http://not-this-one.example.com",
      HTTP_PROXY: "https://user:word@proxy.example.com",
    };
    expect(read(enough, environment).settings?.proxies).toEqual({
      httpsProxy: "http://proxy.example.com:3128",
      httpProxy: "https://user:word@proxy.example.com",
    });
  });

  it.each([
    ["apiKey", "$(KEY)", variable],
    ["apiKey", "%DEPLOYMENT_SERVICE_API_KEY%", variable],
    ["apiKey", "${KEY}", variable],
    ["baseUrl", "https://$(HOST)/api", variable],
    ["dashboard", "https://${HOST}", variable],
    ["dashboard", "https://me:sesame@pages.example.com", "must not contain a user or a password"],
    ["tenantId", "%TENANT%", variable],
    ["pollInterval", "$(POLL)", variable],
  ])("refuse as %s what a CI system left or meant otherwise: %s", (name, text, reason) => {
    const messages = messagesOf({ ...enough, [name]: text });
    expect(messages).toEqual([expect.stringContaining(`deployment-service:${name} ${reason}`)]);
    expect(messages[0]).not.toContain(text);
  });

  const noProxy =
    "HTTP_PROXY must be the address of an http or https proxy, such as http://proxy.example.com:3128. In its user and " +
    "password, write % as %25";
  it.each([
    ["http://user:pass word@:x"],
    ["ftp://user:secret@proxy.example.com"],
    ["http://"],
    ["http://me:50%off@127.0.0.1:1"],
    ["me:%ff@127.0.0.1:1"],
    ["http://50%:word@127.0.0.1:1"],
    ["socks://me:secret@127.0.0.1:1"],
    ["SOCKS5h://me:secret@127.0.0.1:1"],
  ])("refuse the proxy %s, without repeating it", (value) => {
    expect(messagesOf(enough, { HTTP_PROXY: value })).toEqual([noProxy]);
  });

  it.each([
    ["https://api.host.langchain.com/v2", "https://api.host.langchain.com"],
    ["https://platform.example.com/api-host/v2/", "https://platform.example.com/api-host"],
    ["us", "https://api.host.langchain.com"],
    ["eu", "https://eu.api.host.langchain.com"],
    ["apac", "https://apac.api.host.langchain.com"],
    ["aws-us", "https://aws.api.host.langchain.com"],
  ])("take the address %s as people paste it", (baseUrl, expected) => {
    expect(read({ ...enough, dialect: "langsmith", baseUrl }).settings?.baseUrl).toBe(expected);
  });

  it("keep the dialect whatever else is wrong, so that its rules judge the arguments", () => {
    const missing = { baseUrl: "us", dialect: "langsmith" };
    expect(read(missing)).toMatchObject({ problems: [{}], dialect: { name: "langsmith" } });
    expect(read(missing).dialect).toEqual(read({ ...missing, apiKey: "key" }).settings!.dialect);
    expect(read({ dialect: "langsmith" }).dialect).toBe(dialects["langsmith"]);
    for (const dialect of ["mine", unknownValue]) expect(read({ dialect }).dialect).toBeUndefined();
  });

  it.each([
    ["misspelled", "langsmit", [`deployment-service:dialect must be one of ${names}`]],
    ["not known yet", unknownValue, []],
  ])("accept the name of a region while the dialect is %s", (_, dialect, expected) => {
    expect(messagesOf({ ...enough, baseUrl: "eu", dialect })).toEqual(expected);
  });

  it("take the name of a region only in the dialect that has it", () => {
    expect(messagesOf({ ...enough, baseUrl: "eu" })).toEqual([
      'deployment-service:baseUrl must be an address: dialect standard has no region "eu"; it is one of dialect langsmith',
    ]);
    expect(messagesOf({ ...enough, baseUrl: "us-west", dialect: "langsmith" })).toEqual([
      "deployment-service:baseUrl must be an address such as https://deployments.example.com",
    ]);
  });

  it("prefer the configuration to the environment, except for the stack's key (K04)", () => {
    const environment = {
      DEPLOYMENT_SERVICE_URL: "https://elsewhere.example.com",
      DEPLOYMENT_SERVICE_TENANT_ID: "from-environment",
      DEPLOYMENT_SERVICE_API_KEY: "key-from-environment",
    };
    const settingsOf = (more: Given) => read({ ...enough, ...more }, environment).settings;
    expect(settingsOf({ tenantId: "from-config" })).toMatchObject({
      baseUrl: address,
      tenantId: "from-config",
    });
    for (const apiKey of [undefined, null, "", " ", "key-from-config"]) {
      expect(settingsOf({ apiKey })?.apiKey).toBe("key-from-environment");
    }
    expect(settingsOf({ provider: "eu" })).toMatchObject({ apiKey: "key-from-config" });
    for (const apiKey of [undefined, null]) {
      expect(settingsOf({ apiKey, provider: "eu" })?.apiKey).toBe("key-from-environment");
    }
  });

  it.each(Object.entries(settingsTable))(
    "refuse an empty text in a provider's arguments instead of using the environment: %s",
    (name, { env }) => {
      const environment = { DEPLOYMENT_SERVICE_API_KEY: "key", [env]: "of-another-service" };
      for (const empty of ["", " \n"]) {
        expect(messagesOf({ ...enough, [name]: empty, provider: "eu" }, environment)).toEqual([
          `\`${name}\` of the provider "eu" must not be empty: pass a value, or omit it to use ${env}`,
        ]);
      }
    },
  );

  it.each([[[address]], [{ a: 1 }]])(
    "refuse %j, which is not a string, whatever the environment has",
    (baseUrl) => {
      const environment = { DEPLOYMENT_SERVICE_URL: address, DEPLOYMENT_SERVICE_API_KEY: "key" };
      expect(messagesOf({ ...enough, baseUrl, provider: "eu" }, environment)).toEqual([
        expect.stringMatching(/must be a string$/),
      ]);
    },
  );

  it("say what to check if the key is refused, depending on where it came from", () => {
    const environment = { DEPLOYMENT_SERVICE_API_KEY: "key", DEPLOYMENT_SERVICE_URL: address };
    const adviceFor = (...given: Parameters<typeof read>) => read(...given).settings?.apiKeyAdvice;
    const asOfLastUp =
      "`refresh` and `destroy` use the value of the last `pulumi up`: to use a new one, add `--run-program`";
    const ownKey = { ...enough, provider: "eu" };
    expect([
      adviceFor(enough),
      adviceFor(enough, environment),
      adviceFor(ownKey, environment),
      adviceFor({ baseUrl: address, provider: "eu" }, environment),
      readSettings(undefined, environment).settings?.apiKeyAdvice,
    ]).toEqual([
      `Check deployment-service:apiKey. ${asOfLastUp}.`,
      "Check DEPLOYMENT_SERVICE_API_KEY.",
      `Check \`apiKey\` of the provider "eu". ${asOfLastUp}.`,
      "Check DEPLOYMENT_SERVICE_API_KEY.",
      "Check DEPLOYMENT_SERVICE_API_KEY.",
    ]);
  });

  it("of a provider that the program created are named as its own", () => {
    const given = { provider: "eu", requestTimeout: "soon" };
    expect(messagesOf(given, { DEPLOYMENT_SERVICE_DIALECT: "none" })).toEqual([
      '`baseUrl` of the provider "eu" is not set: pass it, or set DEPLOYMENT_SERVICE_URL',
      '`apiKey` of the provider "eu" is not set: pass it, or set DEPLOYMENT_SERVICE_API_KEY',
      `\`dialect\` of the provider "eu" (DEPLOYMENT_SERVICE_DIALECT) must be one of ${names}`,
      `\`requestTimeout\` of the provider "eu" ${duration}`,
    ]);
  });

  it("take an empty text of the environment or the stack as none, and trim the others (K18)", () => {
    const environment = { DEPLOYMENT_SERVICE_API_KEY: "  ", DEPLOYMENT_SERVICE_MAX_CONCURRENCY: "" };
    const { settings } = read({ baseUrl: ` ${address}\n`, apiKey: "key\n", tenantId: " " }, environment);
    expect(settings).toMatchObject({
      baseUrl: address,
      apiKey: "key",
      maxConcurrency: 8,
      tenantId: undefined,
    });
  });
});

describe("a value", () => {
  it.each<[SettingName, unknown, unknown]>([
    ["baseUrl", "https://deployments.example.com/", address],
    ["baseUrl", "https://deployments.example.com/a/b//", `${address}/a/b`],
    ["baseUrl", "HTTPS://Deployments.Example.com:443", address],
    ["baseUrl", "http://localhost:8787", "http://localhost:8787"],
    ["baseUrl", "http://127.1.2.3", "http://127.1.2.3"],
    ["baseUrl", "http://[::1]:8787", "http://[::1]:8787"],
    ["maxConcurrency", 4, 4],
    ["maxConcurrency", "1000", 1000],
    ["requestTimeout", "1m30s", 90_000],
    ["pollInterval", "1.5s", 1_500],
    ["allowHttp", true, true],
    ["tenantId", "t-1", "t-1"],
  ])("of %s may be %j (J12, K01, K03, K10)", (name, value, expected) => {
    expect(read({ ...enough, [name]: value }).settings).toMatchObject({ [name]: expected });
  });

  it.each<[SettingName, unknown, string]>([
    ["baseUrl", "deployments.example.com", "must be an address such as https://deployments.example.com"],
    ["baseUrl", "ftp://deployments.example.com", "must begin with https://"],
    ["baseUrl", "https://user:password@x.example.com", user],
    ["baseUrl", "https://deployments.example.com/?a=1", "must not contain a query or a fragment"],
    ["baseUrl", "https://deployments.example.com/#", "must not contain a query or a fragment"],
    ["baseUrl", "http://deployments.example.com", http],
    ["baseUrl", "http://localhost.example.com", http],
    ["baseUrl", "http://127.0.0.1.example.com", http],
    ["baseUrl", "http://10.0.0.1", http],
    ["allowHttp", "yes", "must be true or false"],
    ["apiKey", "a key", header],
    ["apiKey", "key\r\nX-Other: 1", header],
    ["apiKey", "schlüssel", header],
    ["tenantId", "a\nb", header],
    ["dialect", "Standard", `must be one of ${names}`],
    ["dialect", "__proto__", `must be one of ${names}`],
    ["maxConcurrency", "0", count],
    ["maxConcurrency", "1001", count],
    ["maxConcurrency", "2.5", count],
    ["maxConcurrency", "many", count],
    ["requestTimeout", "30", duration],
    ["requestTimeout", "0s", duration],
    ["requestTimeout", "-1s", duration],
    ["pollInterval", "2 s", duration],
    ["pollInterval", "soon", duration],
    ["pollInterval", "61m", "must be at most 1h"],
    ["serviceReposPath", "v1/{integration_id}", path],
    ["serviceReposPath", "/v1/repos", path],
  ])("of %s may not be %j (K09)", (name, value, message) => {
    expect(messagesOf({ ...enough, [name]: value })).toEqual([`deployment-service:${name} ${message}`]);
  });

  it("is never repeated in a message, for it may be a secret (K09)", () => {
    const canary = "canary5f1d";
    const wrong = fc.constantFrom(
      `${canary} ${canary}`,
      `https://user:${canary}@example.com`,
      `https://${canary}@example.com:port`,
      `https://example.com/?key=${canary}`,
      `http://${canary}.example.com`,
      `${canary}\n`,
      `-${canary}ü`,
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.keys(settingsTable)),
        wrong,
        fc.boolean(),
        (name, value, fromConfig) => {
          const { env } = settingsTable[name as SettingName];
          const problems = fromConfig
            ? messagesOf({ ...enough, [name]: value })
            : messagesOf({}, { [env]: value });
          expect(JSON.stringify(problems)).not.toContain(canary);
        },
      ),
      runs(50),
    );
  });
});
