/** What users can do about an error. */
import { ControlPlaneError, isKind, messageOf, type ErrorKind } from ".";
import { settingNamed } from "../settings/table";

const comeBack = "This may be temporary: run the command again a little later.";

/** Stands for the address that was asked and where it comes from, if that is known. */
const address = "{address}";
const [usualAddress = "", tenant, requestTimeout] = (["baseUrl", "tenantId", "requestTimeout"] as const).map(
  settingNamed,
);

const adviceByKind: Readonly<Record<ErrorKind, string>> = {
  invalid: "Correct what the service reports, then run the command again.",
  "not-found": `It does not exist, or this connection cannot see it: check ${tenant}, and ${address}.`,
  conflict: comeBack,
  "rate-limited": comeBack,
  unavailable: comeBack,
  unreadable: comeBack,
  unauthorized: "Check the API key.",
  forbidden: `The key lacks the permission, or does not belong to the tenant: check ${tenant}.`,
  unreachable: `Check the network, the proxy settings, and ${address}.`,
  redirected: `Redirects are not followed, because they would send the key along: correct ${address}.`,
  untrusted: "For your own certificate authority, set NODE_EXTRA_CA_CERTS to its certificate.",
  foreign: `A proxy or gateway may have answered instead: check ${address}.`,
  proxy:
    "Put the proxy's user and password into HTTPS_PROXY (HTTP_PROXY for an http address), as user:password@ before its host; or " +
    "name the service's host in NO_PROXY.",
  "out-of-time": comeBack,
  interrupted: "Run the command again to continue.",
  timeout: `A slow service may need a longer ${requestTimeout}.`,
};

/** The kinds that concern the connection and not a request. */
export const connectionKinds: readonly ErrorKind[] = [
  "unreachable",
  "timeout",
  "unauthorized",
  "forbidden",
  "redirected",
  "foreign",
  "untrusted",
  "proxy",
];
const doctor = "`npx pulumi-deployment-service doctor` checks the connection.";

/** Advice for the user, if the error or its cause alone determines it. */
export function adviceFor(error: unknown): string | undefined {
  if (error instanceof ControlPlaneError) {
    const advice = ownAdviceFor(error);
    return connectionKinds.includes(error.kind) ? `${advice} ${doctor}` : advice;
  }
  const cause = error instanceof Error ? error.cause : undefined;
  // An error that wraps a conflict contains its own advice.
  return cause === undefined || isKind(cause, "conflict") ? undefined : adviceFor(cause);
}

/** Without the command that checks the connection. */
export function ownAdviceFor(error: unknown): string | undefined {
  if (!(error instanceof ControlPlaneError)) return undefined;
  return (error.advice ?? adviceByKind[error.kind]).replace(address, () => error.place ?? usualAddress);
}

/** The message and the advice, as sentences. */
export function sentencesText(error: unknown): string {
  return [messageOf(error).replace(/\.?$/, "."), adviceFor(error)].filter(Boolean).join(" ");
}
