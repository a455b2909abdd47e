import { isGatewayStatus, type CallFailure } from "./response";
import { ProxyConnectionError } from "./proxy-client";
import { formatDuration } from "../duration";
import { allowanceText, type End, type Limits } from "../limits";
import type { Unsent } from "./rate-limit";
import { causesOf, ControlPlaneError } from "../errors";

/** Why a request got no response. */
export function transportError(error: unknown, origin: string, requestTimeout: number): CallFailure {
  const code = codeOf(error);
  if (isTimeout(error)) {
    const message = `got no response within ${requestTimeout / 1000}s`;
    return { message, kind: "timeout", isAmbiguous: true };
  }
  const unreached = unreachableProxy(error);
  if (unreached !== undefined) {
    const { proxy, variable } = unreached;
    return {
      message: `could not reach the proxy ${proxy}, which is set in ${variable} (${code})`,
      kind: "unreachable",
      isAmbiguous: false,
      advice: `Check ${variable}, and that the proxy is running, or add the service's host to NO_PROXY.`,
    };
  }
  const refused = refusedByProxy(error);
  if (refused === 407) {
    const message = "was refused by the proxy: 407 Proxy Authentication Required";
    return { message, kind: "proxy", isAmbiguous: false };
  }
  if (refused !== undefined) {
    const message = `could not reach ${origin}: the proxy answered ${refused}`;
    return { message, kind: "unreachable", isAmbiguous: false, isRestart: isGatewayStatus(refused) };
  }
  // Errors of TLS itself, such as a response in plain HTTP, are not about a certificate.
  if (!code.startsWith("ERR_SSL_") && /CERT|TLS|SELF_SIGNED|UNABLE_TO_/.test(code)) {
    const message = `refused the certificate of ${origin} (${code})`;
    return { message, kind: "untrusted", isAmbiguous: false };
  }
  if (code === "UND_ERR_RES_EXCEEDED_MAX_SIZE") {
    return { message: "got a response that was too large", kind: "foreign", isAmbiguous: true };
  }
  if (neverSent.has(code)) {
    const message = `could not reach ${origin} (${code})`;
    return { message, kind: "unreachable", isAmbiguous: false, isRestart: code === "ECONNREFUSED" };
  }
  const message = `lost the connection to ${origin} (${code})`;
  return { message, kind: "unreachable", isAmbiguous: true, isRestart: true };
}

const neverSent = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
  "ERR_SSL_WRONG_VERSION_NUMBER",
  "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION",
]);

function unreachableProxy(error: unknown): ProxyConnectionError | undefined {
  return causesOf(error).find((cause) => cause instanceof ProxyConnectionError);
}

/** The status with which a proxy refused to connect. The library has no error code for it. */
function refusedByProxy(error: unknown): number | undefined {
  for (const { message } of causesOf(error)) {
    const [, status, authentication] = /^Proxy (?:response \((\d{3})\)|.*\((407)\)$)/.exec(message) ?? [];
    if (status ?? authentication) return Number(status ?? authentication);
  }
  return undefined;
}

/** Whether a request was aborted by its signal, and did not time out. */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}

function codeOf(error: unknown): string {
  for (const cause of causesOf(error)) {
    const { code } = cause as { code?: unknown };
    if (typeof code === "string") return code;
    if (cause instanceof AggregateError && cause.errors.length > 0) return codeOf(cause.errors[0]);
  }
  return "connection closed";
}

function isTimeout(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === "TimeoutError" || codeOf(error) === "UND_ERR_HEADERS_TIMEOUT";
}

/** The limits ended during a retry. The error of the previous try is more useful, so it comes first. */
export function endedAgain(last: ControlPlaneError, { message, request, isAmbiguous }: ControlPlaneError) {
  const text = `${last.message}; the next try${message.slice(request.length)}`;
  return new ControlPlaneError(text, { ...last, isAmbiguous, isFinal: true });
}

/** The limits ended before the request was sent. */
export function notSent(
  request: string,
  limits: Limits,
  { end, waitedFor, wait }: Unsent,
): ControlPlaneError {
  const longer = wait > 0 ? ` for another ${formatDuration(wait)}` : "";
  const why =
    end === "interrupted" ? "interrupted" : `${waitedFor}${longer}, and there were ${allowanceText(limits)}`;
  return ended(request, `was not sent: ${why}`, end);
}

/** The limits ended before the response arrived. */
export function withoutResponse(
  request: string,
  end: End,
  limits: Limits,
  isAmbiguous = false,
): ControlPlaneError {
  const text =
    end === "interrupted"
      ? "was interrupted before it was answered"
      : `got no response in time: there were ${allowanceText(limits)}`;
  return ended(request, text, end, isAmbiguous);
}

function ended(request: string, text: string, end: End, isAmbiguous = false): ControlPlaneError {
  const kind = end === "interrupted" ? "interrupted" : "out-of-time";
  return new ControlPlaneError(`${request} ${text}`, { kind, request, isAmbiguous });
}
