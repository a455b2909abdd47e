/** What only the service can tell: whether it can be reached, accepts the key, and uses the dialect. */
import { systemClock, type Clock } from "../../provider/time/clock";
import { connect, type Connection } from "../../provider/control-plane/connect";
import { dialects, type Dialect } from "../../provider/dialects";
import { formatDuration } from "../../provider/time/duration";
import type { Observed } from "../../provider/deployment/service";
import { ownAdviceFor } from "../../provider/errors/advice";
import { ControlPlaneError, isKind, messageOf } from "../../provider/errors";
import type { Limits } from "../../provider/time/limits";
import type { Settings } from "../../provider/settings/settings";
import { settingNamed } from "../../provider/settings/table";
import { otherDialect } from "../connection/service-connection";
import { good, inTwo, wrong, type Finding } from "./finding";

type Client = Connection["client"];

/** Reports a hanging service after this time; milliseconds. */
const longestRequest = 8_000;
/** A difference between the clocks that matters; milliseconds. */
const largestDifference = 5 * 60_000;

/**
 * Sends GETs only. Ends with the first thing that is wrong if the others depend on it.
 *
 * @param ms how long all requests together may take
 * @param machine what is known about the proxy and the certificate
 */
export async function askService(
  settings: Settings,
  ms: number,
  machine: { readonly proxy: Finding; readonly certificate: Finding },
  clock: Clock = systemClock,
): Promise<Finding[]> {
  const requestTimeout = Math.min(settings.requestTimeout, longestRequest);
  const limits: Limits = { deadline: clock.now() + ms, timeout: ms, tell: () => undefined };
  const client = connect({ ...settings, requestTimeout }, clock, undefined, true).client.within(limits);
  const addressText = `${settings.baseUrl} (${settings.origins.baseUrl?.text})`;
  const reached = [good("address", addressText), machine.proxy, machine.certificate];
  let first: Awaited<ReturnType<Client["firstPage"]>>;
  const sentAt = clock.now();
  try {
    first = await client.firstPage();
  } catch (error) {
    const { check, ...failed } = problemOf(error, addressText, settings);
    const passed = ["workspace", "key"].includes(check)
      ? [...reached, ...(check === "workspace" ? [keyOf(settings)] : [])]
      : reached.filter((each) => each.check !== check && each.check !== "certificate");
    return [...passed, { check, ...failed }];
  }
  return [
    ...reached,
    keyOf(settings),
    dialectOf(settings, first.deployments),
    workspaceOf(settings, first.deployments),
    await numberOf(client, first),
    clockOf(first.serverTime, sentAt, clock.now()),
    ...(await listenersOf(client, settings.dialect)),
  ];
}

/** The check that an error belongs to, in the same words as elsewhere, after what was checked. */
function problemOf(error: unknown, addressText: string, { tenantId, origins }: Settings): Finding {
  const check = checkOf(error, tenantId !== undefined);
  const checked: Readonly<Record<string, string>> = {
    address: `${addressText}: `,
    key: `${origins.apiKey?.text}: `,
    ...(tenantId !== undefined && { workspace: `${tenantId} (${origins.tenantId?.text}): ` }),
  };
  const todo = ownAdviceFor(error) ?? "Run the command again a little later.";
  return wrong(check, `${checked[check] ?? ""}${messageOf(error)}`, todo);
}

function checkOf(error: unknown, hasTenant: boolean): string {
  if (!(error instanceof ControlPlaneError)) return "deployments";
  if (error.kind === "proxy" || /\bproxy\b/.test(error.message)) return "proxy";
  if (error.kind === "untrusted") return "certificate";
  if (error.kind === "unauthorized") return "key";
  if (error.kind !== "forbidden") return "address";
  return hasTenant || /workspace|tenant/i.test(error.message) ? "workspace" : "key";
}

function keyOf({ origins, token }: Settings): Finding {
  return good("key", `the ${token === undefined ? "key" : "token"} of ${origins.apiKey?.text} is accepted`);
}

function workspaceOf({ tenantId, origins }: Settings, found: readonly Observed[]): Finding {
  if (tenantId !== undefined) return good("workspace", `${tenantId} (${origins.tenantId?.text})`);
  const shown = found[0]?.tenantId;
  return good("workspace", shown ? `${shown}, which is the key's own` : "the key's own");
}

function dialectOf({ dialect, baseUrl, origins }: Settings, found: readonly Observed[]): Finding {
  const text = `${dialect.name} (${origins.dialect?.text ?? "default"})`;
  const isOwner = ({ name, vendor }: Dialect) =>
    name !== dialect.name && vendor !== undefined && new RegExp(vendor.publicAddress).test(baseUrl);
  const owner = Object.values(dialects).find(isOwner);
  if (owner !== undefined)
    return wrong(
      "dialect",
      `${text}, but the address is one of dialect ${owner.name}`,
      `Set ${settingNamed("dialect")} to ${owner.name}.`,
    );
  const problem = otherDialect(found, dialect);
  return problem === undefined ? good("dialect", text) : wrong("dialect", ...inTwo(problem));
}

async function numberOf(
  client: Client,
  first: { readonly isLast: boolean; readonly deployments: readonly Observed[] },
) {
  const text = (count: number) => (count === 1 ? "1 deployment" : `${count} deployments`);
  if (first.isLast) return good("deployments", text(first.deployments.length));
  let count = 0;
  try {
    for await (const page of client.list({})) count += page.length;
    return good("deployments", text(count));
  } catch (error) {
    if (isKind(error, "out-of-time")) return good("deployments", `more than ${text(count)}`);
    return wrong("deployments", messageOf(error), ownAdviceFor(error) ?? "Run `list` to see them.");
  }
}

function clockOf(serverTime: number | undefined, sentAt: number, answeredAt: number): Finding {
  if (serverTime === undefined) return good("clock", "the service does not return its time");
  const difference = (sentAt + answeredAt) / 2 - serverTime;
  const apart = formatDuration(Math.round(Math.abs(difference) / 1_000) * 1_000);
  if (Math.abs(difference) <= largestDifference) return good("clock", "agrees with that of the service");
  return wrong(
    "clock",
    `this machine's clock is ${apart} ${difference > 0 ? "ahead of" : "behind"} that of the service`,
    "Set this machine's clock: certificates and tokens depend on it.",
  );
}

async function listenersOf(client: Client, { paths }: Dialect): Promise<Finding[]> {
  if (paths.listeners === undefined) return [];
  try {
    const found = await client.listings.listeners();
    const each = found.map(
      ({ computeId, namespaces }) => `${computeId}: ${namespaces.join(", ") || "no namespaces"}`,
    );
    return [good("listeners", found.length === 0 ? "none" : `${found.length} (${each.join("; ")})`)];
  } catch (error) {
    return [good("listeners", `not listed: ${messageOf(error)}`)];
  }
}
