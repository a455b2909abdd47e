/** What a failure to get a response means: the network, a certificate, a proxy, or the end of the limits. */
import { isGatewayStatus, type CallFailure } from "./response";
import { NotSentError, ProxyConnectionError } from "./connection";
import { allowanceText, type End, type Limits } from "../time/limits";
import { causesOf, ControlPlaneError, type ErrorKind } from "../errors";

/** Why a request got no response. */
export function transportError(error: unknown, origin: string, requestTimeout: number): CallFailure {
  const code = codeOf(error);
  const advice = adviceByCode[code];
  const wasSent = !causesOf(error).some((cause) => cause instanceof NotSentError);
  const unsent = (message: string, more: Partial<CallFailure> = {}): CallFailure => {
    return { message, kind: "unreachable", isAmbiguous: false, ...more };
  };
  const sent = (message: string, kind: ErrorKind, isRestart?: boolean): CallFailure => {
    return { message, kind, isAmbiguous: true, isRestart };
  };
  if (isTimeout(error)) {
    const seconds = requestTimeout / 1000;
    return wasSent
      ? sent(`got no response within ${seconds}s`, "timeout")
      : unsent(`could not connect to ${origin} within ${seconds}s`, { kind: "timeout" });
  }
  const unreached = causesOf(error).find((cause) => cause instanceof ProxyConnectionError);
  if (unreached !== undefined) {
    const { proxy, variable } = unreached;
    return unsent(`could not reach the proxy ${proxy}, which is set in ${variable} (${code})`, {
      advice: `Check ${variable}, and that the proxy is running, or add the service's host to NO_PROXY.`,
    });
  }
  const refused = refusedByProxy(error);
  if (refused === 407)
    return unsent("was refused by the proxy: 407 Proxy Authentication Required", { kind: "proxy" });
  const place = `could not reach ${origin}`;
  if (refused !== undefined)
    return unsent(`${place}: the proxy answered ${refused}`, { isRestart: isGatewayStatus(refused) });
  if (isHandshake(code, wasSent))
    return unsent(`${place}: the TLS handshake failed (${code})`, { isFinal: true, advice: handshakeAdvice });
  if (!wasSent && /CERT|TLS|SELF_SIGNED|UNABLE_TO_/.test(code)) {
    return unsent(`refused the certificate of ${origin} (${code})`, { kind: "untrusted", advice });
  }
  if (code === "UND_ERR_RES_EXCEEDED_MAX_SIZE") return sent("got a response that was too large", "foreign");
  if (!wasSent) return unsent(`${place} (${code})`, { isRestart: code === "ECONNREFUSED", advice });
  return sent(`lost the connection to ${origin} (${code})`, "unreachable", true);
}

/**
 * Whether the TLS handshake failed, and so fails the same way each time. A server that wants a certificate of the client may refuse
 * only after the client has finished its part. Any other alert may end a connection on which the request was answered.
 */
function isHandshake(code: string, wasSent: boolean): boolean {
  if (/^ERR_SSL_.*_ALERT_.*(CERTIFICATE|HANDSHAKE_FAILURE|UNKNOWN_CA|ACCESS_DENIED)/.test(code)) return true;
  return !wasSent && /^(ERR_SSL_|EPROTO$)/.test(code);
}

const handshakeAdvice =
  "Nothing was sent. The server may not use TLS at this port, or need what is not supported: HTTP/2, a client certificate, or a TLS " +
  "older than 1.2. Check the address, and what a proxy or gateway in between does with TLS.";

/** `{address}` stands for the address and where it comes from. A custom certificate authority would fix none of these errors. */
const adviceByCode: Readonly<Record<string, string>> = {
  ECONNREFUSED: "Nothing listens there: check that the service is running, and the port of {address}.",
  ENOTFOUND: "There is no such host: check the network, and the spelling of {address}.",
  CERT_HAS_EXPIRED:
    "It has expired: whoever runs the service has to renew it. If it has not, correct this machine's clock.",
  CERT_NOT_YET_VALID: "It is not valid yet: correct this machine's clock.",
  ERR_TLS_CERT_ALTNAME_INVALID: "It is for another host: correct {address}.",
};

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
  return causesOf(error).some(({ name }) => name === "AbortError");
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
  return (
    causesOf(error).some(({ name }) => name === "TimeoutError") || codeOf(error) === "UND_ERR_HEADERS_TIMEOUT"
  );
}

/** The limits ended during a retry. The error of the previous try is more useful, so it comes first. */
export function endedWhileRetrying(
  last: ControlPlaneError,
  { message, request, isAmbiguous }: ControlPlaneError,
) {
  const text = `${last.message}; the next try${message.slice(request.length)}`;
  return last.with({ isAmbiguous, isFinal: true }, text);
}

/**
 * The limits ended before there was a response.
 *
 * @param unsent why the request was not sent, if it was not
 */
export function withoutResponse(
  request: string,
  end: End,
  limits: Limits,
  { isAmbiguous = false, unsent }: { readonly isAmbiguous?: boolean; readonly unsent?: string } = {},
): ControlPlaneError {
  const isInterrupted = end === "interrupted";
  const allowance = `there were ${allowanceText(limits)}`;
  const noResponse = isInterrupted
    ? "was interrupted before it was answered"
    : `got no response in time: ${allowance}`;
  const notSent = `was not sent: ${isInterrupted ? "interrupted" : `${unsent}, and ${allowance}`}`;
  const message = `${request} ${unsent === undefined ? noResponse : notSent}`;
  const kind = isInterrupted ? "interrupted" : "out-of-time";
  return new ControlPlaneError(message, { kind, request, isAmbiguous });
}
