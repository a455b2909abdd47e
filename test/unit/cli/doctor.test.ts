/** `doctor` against connections that are broken, each in one way. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import type { How } from "../../../emulator";
import type { Finding } from "../../../cli/doctor/finding";
import { start } from "../../support/emulator";
import { programs, scratch } from "../../support/folders";
import { tlsBefore } from "../../support/tls";
import { ofImage } from "./service-commands";
import { cli } from "./support";

type Environment = Record<string, string>;

const langsmith = { DEPLOYMENT_SERVICE_DIALECT: "langsmith" };

const connected = ({ url, apiKey }: { url: string; apiKey: string }): Environment => ({
  DEPLOYMENT_SERVICE_URL: url,
  DEPLOYMENT_SERVICE_API_KEY: apiKey,
});

/** On the PATH is nothing but a Pulumi CLI that only knows its version. */
async function doctor(env: Environment): Promise<{ code: number; findings: Finding[]; wrong: string[] }> {
  const { code, stdout, stderr } = await cli(["doctor", "--json"], {
    env: { PATH: programs({ pulumi: "echo v3.260.0" }), ...env },
  });
  expect(stderr).toBe("");
  const findings = JSON.parse(stdout) as Finding[];
  const wrong = findings.filter(({ ok }) => !ok).map((each) => `${each.check}: ${each.text} -> ${each.todo}`);
  expect(code).toBe(wrong.length > 0 ? 1 : 0);
  for (const each of findings) expect(Object.keys(each)).toEqual(["check", "ok", "text", "todo"]);
  return { code, findings, wrong };
}

async function listening(): Promise<ReturnType<typeof createServer> & { port: number }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return Object.assign(server, { port: (server.address() as AddressInfo).port });
}

async function closedPort(): Promise<number> {
  const server = await listening();
  await new Promise((resolve) => server.close(resolve));
  return server.port;
}

const seed = (deployment: object) => ({ deployments: [{ name: "chat", ...deployment }] });
const image = {
  source: "external_container",
  source_config: {},
  source_revision_config: { image_uri: "a:1" },
};

describe("a connection that works", () => {
  it("prints one line for each check, and sends only GETs", async () => {
    const emulator = await start({ seed: seed(image) });
    const { findings } = await doctor(connected(emulator));
    const port = new URL(emulator.url).port;
    expect(findings.map(({ check, text }) => `${check}: ${text.replace(port, "PORT")}`)).toEqual([
      `node: Node.js ${process.versions.node}`,
      "cli: Pulumi 3.260.0",
      "address: http://127.0.0.1:PORT (DEPLOYMENT_SERVICE_URL)",
      "proxy: none",
      "certificate: none, because the address is http",
      "key: the key of DEPLOYMENT_SERVICE_API_KEY is accepted",
      "dialect: standard (default)",
      "workspace: 00000000-0000-4000-8000-000000000001, which is the key's own",
      "deployments: 1 deployment",
      "clock: agrees with that of the service",
      "engine: no proxy is set for the engine's own connections",
    ]);
    expect(new Set(emulator.requests().map(({ method }) => method))).toEqual(new Set(["GET"]));
  });

  it("is shown in columns, with what to do behind an arrow", async () => {
    const { stdout } = await cli(["doctor"], { env: { PATH: "" } });
    expect(stdout.split("\n").slice(1)).toEqual([
      "WRONG  cli            there is no `pulumi` on the PATH -> Install Pulumi 3.216.0 or newer.",
      "WRONG  address        DEPLOYMENT_SERVICE_URL is not set -> Set DEPLOYMENT_SERVICE_URL.",
      "WRONG  key            DEPLOYMENT_SERVICE_API_KEY is not set -> Set DEPLOYMENT_SERVICE_API_KEY.",
      "ok     engine         no proxy is set for the engine's own connections",
      "",
    ]);
    const withAddress = await cli(["doctor"], {
      env: { PATH: "", DEPLOYMENT_SERVICE_URL: "http://127.0.0.1:9" },
    });
    expect(withAddress.stdout).toContain("ok     address        http://127.0.0.1:9\nWRONG  key");
  });

  it("finds the CLI of the npm package where none is on the PATH, if `npx` has it already", async () => {
    const cliWith = async (npx: string) => {
      const { findings } = await doctor({ PATH: programs({ npx }) });
      return findings.find(({ check }) => check === "cli")?.text;
    };
    expect(await cliWith('test "$*" = "--no -- pulumi version --non-interactive" && echo v3.260.0')).toBe(
      "Pulumi 3.260.0",
    );
    const refusal =
      'echo "npm error npx canceled" >&2; echo "npm error A complete log of this run" >&2; exit 1';
    expect(await cliWith(refusal)).toBe("there is no `pulumi` on the PATH");
  });

  it("of a login names the profile, and never its token", async () => {
    const access_token = "canary-token";
    const { url } = await start({ dialect: "langsmith", accessToken: access_token, pathPrefix: "/api-host" });
    const api_url = url.replace("/api-host", "/api/v1");
    const { findings } = await doctor(homeWith({ api_url, oauth: { access_token } }));
    expect(findings).toContainEqual({
      ...{ check: "key", ok: true, todo: null },
      text: 'the token of profile "default" of ~/.langsmith/config.json is accepted',
    });
    expect(findings).toContainEqual({ check: "listeners", ok: true, text: "none", todo: null });
    expect(JSON.stringify(findings)).not.toContain("canary");
  });
});

/** A home whose login leads to an address. */
function homeWith(profile: object): Environment {
  const login = JSON.stringify({ profiles: { default: profile } });
  return { HOME: scratch({ ".langsmith/config.json": login }), ...langsmith };
}

const tenantId = "00000000-0000-4000-8000-00000000000a";
const at = (url: string) => connected({ url, apiKey: "k" });
const failing = async (how: How) => {
  const emulator = await start();
  emulator.fail({ when: {}, times: "always", how });
  return connected(emulator);
};
const far = "https://deployments.example.com";

const dead = async () => `http://127.0.0.1:${await closedPort()}`;

it.each<[string, () => Environment | Promise<Environment>, ...RegExp[]]>([
  [
    "a key is there, but for another address",
    () => ({ ...langsmith, HOME: scratch(), DEPLOYMENT_SERVICE_URL: far, LANGSMITH_API_KEY: "k" }),
    /^key: DEPLOYMENT_SERVICE_API_KEY is not set; LANGSMITH_API_KEY is not sent to .* -> Set DEPLOYMENT_SERVICE_API_KEY\.$/,
  ],
  [
    "only a login of another dialect is there, and nothing else is missing then",
    () => ({ LANGSMITH_API_KEY: "k" }),
    /^address: LANGSMITH_API_KEY is only used in dialect langsmith -> Set .* \(DEPLOYMENT_SERVICE_DIALECT\) to langsmith; in dialect standard, DEPLOYMENT_SERVICE_URL is not set/,
  ],
  [
    "the connection is refused",
    async () => at(await dead()),
    /^address: http.* \(DEPLOYMENT_SERVICE_URL\): .*could not reach http.* \(ECONNREFUSED\) -> Nothing listens there: .* of http:\S+ from DEPLOYMENT_SERVICE_URL\.$/,
  ],
  [
    "the host has no address",
    () => at("https://nowhere.invalid"),
    /^address: .*could not reach .*(ENOTFOUND|EAI_AGAIN)/,
  ],
  [
    "the key is unknown",
    async () => at((await start()).url),
    /^key: DEPLOYMENT_SERVICE_API_KEY: .*401.* -> Check DEPLOYMENT_SERVICE_API_KEY/,
  ],
  [
    "the key is of another workspace",
    async () => ({
      ...connected(await start({ tenantId })),
      DEPLOYMENT_SERVICE_TENANT_ID: tenantId.replace("a", "b"),
    }),
    /^workspace: .*403.* -> The key .* check .*DEPLOYMENT_SERVICE_TENANT_ID/,
  ],
  [
    "the key needs a workspace",
    async () => connected(await start({ tenantId })),
    /^workspace: .*403.* -> .*`deployment-service:tenantId`/,
  ],
  [
    "http would send the key unencrypted",
    () => at("http://deployments.example.com"),
    /^address: DEPLOYMENT_SERVICE_URL must be https.* -> Use https/,
  ],
  [
    "certificates are not checked",
    () => ({ ...at(far), NODE_TLS_REJECT_UNAUTHORIZED: "0" }),
    /^certificate: not checked.* -> Unset it/,
  ],
  [
    "the file of a certificate is missing",
    () => ({ ...at(far), NODE_EXTRA_CA_CERTS: "/none.pem" }),
    /^certificate: .*\/none.pem does not exist -> /,
  ],
  [
    "a web page is in the place of the service",
    async () => at(new URL((await start({ pathPrefix: "/api-host" })).url).origin),
    /^address: .*an HTML page, .* not from the service: LangSmith.* -> /,
  ],
  [
    "the service uses dialect standard",
    async () => ({ ...connected(await start({ seed: seed(image) })), ...langsmith }),
    /^dialect: the service uses dialect standard \(the source of chat is external_container\), .* is langsmith -> Set .* to standard\.$/,
  ],
  [
    "the service uses dialect langsmith",
    async () => connected(await start({ dialect: "langsmith", seed: seed(ofImage("a:1")) })),
    /^dialect: the service uses dialect langsmith \(the source of chat is external_docker\), .* is standard -> Set .* to langsmith\.$/,
  ],
  [
    "a clock is wrong",
    () => failing({ dateAheadMs: 720_000 }),
    /^clock: this machine's clock is (12m|11m59s) behind that of the service -> Set this/,
  ],
  [
    "the service is slow",
    async () => ({ ...(await failing({ hang: true })), DEPLOYMENT_SERVICE_REQUEST_TIMEOUT: "200ms" }),
    /^address: .*no response within 0.2s -> A slow service may need/,
  ],
  [
    "a certificate is not trusted",
    async () => {
      const { apiKey, url } = await start();
      return connected({ url: await tlsBefore(url, "expired"), apiKey });
    },
    /^certificate: .*refused the certificate.* -> .*renew/,
  ],
  [
    "a proxy is dead, which also catches the engine's own connections",
    async () => ({ ...connected(await start()), HTTP_PROXY: await dead(), NO_PROXY: "127.0.0.2" }),
    /^proxy: .*could not reach the proxy.*HTTP_PROXY.* -> Check HTTP_PROXY/,
    /^engine: /,
  ],
  [
    "nothing is set, and a login would do",
    () => ({ ...langsmith, HOME: scratch() }),
    /^address: DEPLOYMENT_SERVICE_URL is not set; LANGSMITH_API_KEY or `langsmith auth login` also works -> Set DEPLOYMENT_SERVICE_URL\.$/,
    /^key: DEPLOYMENT_SERVICE_API_KEY is not set; LANGSMITH_API_KEY or `langsmith auth login` also works -> Set DEPLOYMENT_SERVICE_API_KEY\.$/,
  ],
])("what is wrong takes one line, which says what to do: %s", async (_, env, ...expected) => {
  expect((await doctor(await env())).wrong).toEqual(
    expected.map((each) => expect.stringMatching(each) as string),
  );
});

it("a login that has expired, and that the vendor's tool is not there to renew, is a wrong key", async () => {
  const oauth = { access_token: "canary-token", expires_at: "2026-01-01" };
  const { wrong } = await doctor(homeWith({ api_url: "http://127.0.0.1:9", oauth }));
  expect(wrong).toContainEqual(
    'key: profile "default" of ~/.langsmith/config.json has no valid token, and `langsmith auth token --profile default` ' +
      "failed (`langsmith` is not on PATH) -> Run it to see why, run `langsmith auth login`, or set LANGSMITH_API_KEY.",
  );
  expect(wrong.join("\n")).not.toContain("canary");
});

it.each(["HTTP_PROXY", "https_proxy", "grpc_proxy"])(
  "%s catches the engine's own connections, unless they are excepted",
  async (name) => {
    const env = { ...connected(await start()), [name]: "http://user:canary@127.0.0.1:9" };
    const caught = (await doctor(env)).wrong.filter((each) => each.startsWith("engine"));
    expect(caught).toEqual([
      `engine: ${name} also catches the engine's own connections to its plugins on 127.0.0.1 -> Add 127.0.0.1 and localhost to NO_PROXY.`,
    ]);
    const { findings } = await doctor({ ...env, NO_PROXY: "localhost, 127.0.0.1" });
    expect(findings.find(({ check }) => check === "engine")?.ok).toBe(true);
    expect(JSON.stringify(findings)).not.toContain("canary");
  },
);
