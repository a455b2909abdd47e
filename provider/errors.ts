import { settingNamed } from "./settings/table";
import type { Redact } from "./text/redact";
import { sanitize } from "./text/sanitize";

/**
 * What can go wrong between this side and the service. `kind` is what callers decide on; nobody outside this
 * folder looks at an HTTP status.
 */
export type ErrorKind =
  | "unreachable"
  | "timeout"
  | "invalid"
  | "unauthorized"
  | "forbidden"
  | "not-found"
  | "conflict"
  | "rate-limited"
  /** The service asks to come back much later. */
  | "overloaded"
  | "unavailable"
  /** The response points elsewhere; redirects are not followed. */
  | "redirected"
  /** A response of the service, cut short or of a wrong shape. */
  | "unreadable"
  /** A response that is not the service's: a gateway's page, say. */
  | "foreign"
  /** The certificate is not trusted. */
  | "untrusted"
  /** A proxy wants to know who asks. */
  | "proxy"
  /** The operation's time was over before the request, or its response. */
  | "out-of-time"
  /** The user did not want to wait any longer. */
  | "interrupted";

/** What may be over a little later. */
export const transientKinds: readonly ErrorKind[] = [
  "unreachable",
  "timeout",
  "rate-limited",
  "unavailable",
  "unreadable",
];

export interface ServiceText {
  /** In full: secrets are taken out before the text is cut for the message. */
  readonly text: string;
  /** Where it stands in the message. */
  readonly from: number;
  readonly to: number;
}

export interface ErrorDetails {
  readonly kind: ErrorKind;
  /** `POST /v2/deployments` */
  readonly request: string;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  /** Whether the service may have done what was asked, although this error came back. */
  readonly isAmbiguous: boolean;
  /** Whether a service that restarts fails like this. */
  readonly isRestart?: boolean | undefined;
  /** How long the service asked to wait, in milliseconds. */
  readonly retryAfter?: number | undefined;
  /** What a person can do about what the service says, where the dialect knows. */
  readonly advice?: string | undefined;
  /** The service's own words, which may repeat anything that it was sent. */
  readonly serviceText?: ServiceText | undefined;
  /** Whether there is no time, or no patience, for another try. */
  readonly isFinal?: boolean | undefined;
}

export class ControlPlaneError extends Error implements ErrorDetails {
  override readonly name = "ControlPlaneError";
  readonly kind!: ErrorKind;
  readonly request!: string;
  readonly status?: number;
  readonly requestId?: string;
  readonly isAmbiguous!: boolean;
  readonly isRestart?: boolean;
  readonly retryAfter?: number;
  readonly advice?: string;
  readonly serviceText?: ServiceText;
  readonly isFinal?: boolean;

  constructor(message: string, details: ErrorDetails) {
    super(message);
    Object.assign(this, details);
  }

  /** The same error without the secrets in the service's own words, and these cut short. */
  redacted(redact: Redact): ControlPlaneError {
    if (this.serviceText === undefined) return this;
    const { from, to } = this.serviceText;
    const text = redact(this.serviceText.text);
    const words = sanitize(text);
    return new ControlPlaneError(this.message.slice(0, from) + words + this.message.slice(to), {
      ...this,
      serviceText: { text, from, to: from + words.length },
    });
  }
}

/** Whether an error is of a kind. */
export function isKind(error: unknown, ...kinds: ErrorKind[]): error is ControlPlaneError {
  return error instanceof ControlPlaneError && kinds.includes(error.kind);
}

/** Whether the service may have done the work of a call that failed. */
export function hasAmbiguousOutcome(error: unknown): error is ControlPlaneError {
  return error instanceof ControlPlaneError && error.isAmbiguous;
}

/** The same error after a try before it that may have done the work: a deleted deployment is "not found", say. */
export function asAmbiguous(error: unknown): unknown {
  return error instanceof ControlPlaneError
    ? new ControlPlaneError(error.message, { ...error, isAmbiguous: true })
    : error;
}

const comeBack = "It may pass: run the command again a little later.";

const [address, tenant, requestTimeout] = (["baseUrl", "tenantId", "requestTimeout"] as const).map(
  settingNamed,
);

const adviceByKind: Readonly<Record<ErrorKind, string>> = {
  invalid: "Correct what the service names, then run the command again.",
  "not-found": `It is not there, or the connection does not see it: check ${address} and ${tenant}.`,
  conflict: comeBack,
  "rate-limited": comeBack,
  overloaded: comeBack,
  unavailable: comeBack,
  unreadable: comeBack,
  unauthorized: "Check the API key.",
  forbidden: `The key lacks the permission, or the service needs to know the tenant: set ${tenant}.`,
  unreachable: `Check ${address}, the network and the proxy settings.`,
  redirected: `Redirects are not followed, since the key would go with them: set ${address}.`,
  untrusted: "For a certificate authority of your own, point NODE_EXTRA_CA_CERTS to its certificate.",
  foreign: `Something between here and the service may have answered instead: check ${address}.`,
  proxy:
    "Put the proxy's user and password into HTTPS_PROXY (HTTP_PROXY for an http address): http://user:password@host:port; or " +
    "name the service's host in NO_PROXY.",
  "out-of-time": comeBack,
  interrupted: "Run the command again to go on.",
  timeout: `A slow service may need a longer ${requestTimeout}.`,
};

/** What a person can do about it, where it depends on the error, or on its cause, alone. */
export function adviceFor(error: unknown): string | undefined {
  if (error instanceof ControlPlaneError) return error.advice ?? adviceByKind[error.kind];
  const cause = error instanceof Error ? error.cause : undefined;
  // Whoever wraps a conflict has said what to do about it.
  return cause === undefined || isKind(cause, "conflict") ? undefined : adviceFor(cause);
}

/** An error and what caused it, the outermost first. */
export function causesOf(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}

/**
 * What kind of failure an error of this package is, so that a program can tell one from another: `not-found`, `forbidden`,
 * `unreachable`, say.
 *
 * @example
 * ```ts
 * const chat = await getDeployment({ name: "chat" }).catch((error: unknown) => {
 *   if (errorKind(error) === "not-found") return undefined;
 *   throw error;
 * });
 * ```
 *
 * @returns undefined for an error of somebody else
 */
export function errorKind(error: unknown): ErrorKind | undefined {
  for (const cause of causesOf(error)) {
    if (cause instanceof ControlPlaneError || cause instanceof DeploymentError) return cause.kind;
  }
  return undefined;
}

export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isNotInstalled = (error as { code?: unknown }).code === "MODULE_NOT_FOUND";
  // All but the first line is where it was looked for.
  return isNotInstalled
    ? `${error.message.split("\n")[0]}: install the dependencies (\`npm install\`)`
    : error.message;
}

/** What went wrong and what to do about it, in sentences. */
export function sentencesOf(error: unknown): string {
  return [messageOf(error).replace(/\.?$/, "."), adviceFor(error)].filter(Boolean).join(" ");
}

/** An error whose text is for the user as it stands. */
export class DeploymentError extends Error {
  override readonly name: string = "DeploymentError";
  readonly kind: ErrorKind = "invalid";
}

/** The connection is not the one that the deployment was made with: the same for every resource of a run. */
export class ElsewhereError extends DeploymentError {
  override readonly name = "ElsewhereError";

  constructor(
    readonly brief: string,
    advice: string,
  ) {
    super(`${brief}${advice}`);
  }
}

/** Somebody deleted it behind our back. */
export class DeletedError extends DeploymentError {
  override readonly name = "DeletedError";
  override readonly kind = "not-found";

  /** @param cause the service's, where it said so */
  constructor(cause?: Error) {
    const told = cause === undefined ? "" : ` (${cause.message})`;
    super(
      `the deployment does not exist any more: somebody deleted it${told}. Run \`pulumi refresh\`, then \`pulumi up\``,
    );
  }
}

/** Whoever reads a deployment that no program manages needs it to be there. */
export class MissingError extends DeploymentError {
  override readonly name = "MissingError";
  override readonly kind = "not-found";

  /** @param what it was looked up by: `the id …` */
  constructor(what: string) {
    super(
      `the service has no deployment with ${what}, or the key and tenant of this connection do not see it`,
    );
  }
}
