/** What can be checked without a connection: versions, and the environment of this machine. */
import { existsSync } from "node:fs";
import type { Settings } from "../../provider/settings/settings";
import { proxyVariable } from "../../provider/settings/proxies";
import type { EnvironmentVariables } from "../../provider/settings/table";
import { versionsNeeded } from "../../provider/files/version";
import type { Io } from "../command";
import { pulumi } from "../connection/pulumi-process";
import { good, wrong, type Finding } from "./finding";

export function nodeVersion(running = process.versions.node): Finding {
  const { node } = versionsNeeded();
  return isAtLeast(running, node)
    ? good("node", `Node.js ${running}`)
    : wrong("node", `Node.js ${running} is too old`, `Install Node.js ${node} or newer.`);
}

/** @param ms how long the CLI may take */
export async function cliVersion(io: Io, ms: number): Promise<Finding> {
  const { cli: needed } = versionsNeeded();
  const install = `Install Pulumi ${needed} or newer.`;
  const answer = await pulumi(["version"], io, ms);
  if (answer.failure !== undefined) return wrong("cli", answer.failure, install);
  const version = answer.stdout.trim().replace(/^v/, "");
  return isAtLeast(version, needed)
    ? good("cli", `Pulumi ${version}`)
    : wrong("cli", `Pulumi ${version} is too old`, install);
}

function isAtLeast(version: string, least: string): boolean {
  return version.localeCompare(least, "en", { numeric: true }) >= 0;
}

/** The proxy that requests to the service go through. */
export function proxyOf({ baseUrl, proxies }: Settings, environment: EnvironmentVariables): Finding {
  const url = new URL(baseUrl);
  const proxy = url.protocol === "https:" ? (proxies.httpsProxy ?? proxies.httpProxy) : proxies.httpProxy;
  if (proxy === undefined) return good("proxy", "none");
  const except = environment["no_proxy"] || environment["NO_PROXY"];
  const text = `${proxyVariable(url, proxies)}: ${new URL(proxy).host}`;
  return good("proxy", except ? `${text}, except for ${except}` : text);
}

/** The engine talks to its plugins on loopback, through a proxy if one catches that. */
export function engineProxy(environment: EnvironmentVariables): Finding {
  const isSet = (name: string) => (environment[name] ?? "") !== "";
  const either = (name: string) => [name, name.toUpperCase()];
  const caught = ["grpc_proxy", "https_proxy", "http_proxy"].flatMap(either).find(isSet);
  if (caught === undefined) return good("engine", "no proxy is set for the engine's own connections");
  const exceptions = ["no_grpc_proxy", "no_proxy"].flatMap(either).flatMap((name) => {
    return (environment[name] ?? "").split(",").map((each) => each.trim());
  });
  if (exceptions.some((each) => ["127.0.0.1", "127.0.0.0/8", "*"].includes(each)))
    return good("engine", `${caught} does not apply to the engine's own connections`);
  return wrong(
    "engine",
    `${caught} also catches the engine's own connections to its plugins on 127.0.0.1`,
    "Add 127.0.0.1 and localhost to NO_PROXY.",
  );
}

/** Whether certificates are checked, and against what. */
export function certificates({ baseUrl }: Settings, environment: EnvironmentVariables): Finding {
  if (!baseUrl.startsWith("https:")) return good("certificate", "none, because the address is http");
  const { NODE_TLS_REJECT_UNAUTHORIZED: checks, NODE_EXTRA_CA_CERTS: own } = environment;
  if (checks === "0")
    return wrong(
      "certificate",
      "not checked, because NODE_TLS_REJECT_UNAUTHORIZED is 0: anyone could read the API key",
      "Unset it. For your own certificate authority, set NODE_EXTRA_CA_CERTS to its certificate.",
    );
  if (own && !existsSync(own))
    return wrong("certificate", `NODE_EXTRA_CA_CERTS: ${own} does not exist`, "Correct NODE_EXTRA_CA_CERTS.");
  return good("certificate", own ? `trusted (NODE_EXTRA_CA_CERTS: ${own})` : "trusted");
}
