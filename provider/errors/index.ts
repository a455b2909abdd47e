import type { Redact } from "../text/redact";
import { sanitize } from "../text/sanitize";

/** The kinds of failures of a request. Callers decide by kind; only `control-plane` looks at HTTP statuses. */
export type ErrorKind =
  | "unreachable"
  | "timeout"
  | "invalid"
  | "unauthorized"
  | "forbidden"
  | "not-found"
  | "conflict"
  | "rate-limited"
  | "unavailable"
  /** The response points elsewhere; redirects are not followed. */
  | "redirected"
  /** The service's response is cut short, or has the wrong shape. */
  | "unreadable"
  /** The response is not the service's, for example a gateway's page. */
  | "foreign"
  /** The certificate is not trusted. */
  | "untrusted"
  /** A proxy requires authentication. */
  | "proxy"
  /** The operation timed out before the request was sent or answered. */
  | "out-of-time"
  /** The user pressed Ctrl-C. */
  | "interrupted";

/** These errors are retryable. */
export const transientKinds: readonly ErrorKind[] = [
  "unreachable",
  "timeout",
  "rate-limited",
  "unavailable",
  "unreadable",
];

export interface ServiceText {
  /** The full text, because secrets must be redacted before it is cut. */
  readonly text: string;
  /** Its position in the message. */
  readonly from: number;
  readonly to: number;
}

export interface ErrorDetails {
  readonly kind: ErrorKind;
  /** `POST /v2/deployments` */
  readonly request: string;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  /** Whether the service may have done the work despite this error. */
  readonly isAmbiguous: boolean;
  /** Whether a restarting service fails this way. */
  readonly isRestart?: boolean | undefined;
  /** The wait that the service asked for, in milliseconds. */
  readonly retryAfter?: number | undefined;
  /** The address of the service, and where it comes from: `https://deployments.example.com from DEPLOYMENT_SERVICE_URL`. */
  readonly place?: string | undefined;
  /** The dialect's advice for this error. */
  readonly advice?: string | undefined;
  /** The service's own message, which may repeat anything that was sent. */
  readonly serviceText?: ServiceText | undefined;
  /** Whether there is no retry: the time is up, the user pressed Ctrl-C, or it would fail the same way. */
  readonly isFinal?: boolean | undefined;
}

// eslint-disable-next-line @typescript-eslint/no-empty-object-type, @typescript-eslint/no-unsafe-declaration-merging
export interface ControlPlaneError extends ErrorDetails {}

// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging
export class ControlPlaneError extends Error {
  override readonly name = "ControlPlaneError";

  constructor(message: string, details: ErrorDetails) {
    super(message);
    Object.assign(this, details);
  }

  /** A copy with other details. */
  with(details: Partial<ErrorDetails>, message = this.message): ControlPlaneError {
    return new ControlPlaneError(message, { ...this, ...details });
  }

  /** A copy with the service's message redacted and cut. */
  redacted(redact: Redact): ControlPlaneError {
    if (this.serviceText === undefined) return this;
    const { from, to } = this.serviceText;
    const text = redact(this.serviceText.text);
    const words = sanitize(text);
    const message = this.message.slice(0, from) + words + this.message.slice(to);
    return this.with({ serviceText: { text, from, to: from + words.length } }, message);
  }
}

/** Whether an error has one of these kinds. */
export function isKind(error: unknown, ...kinds: ErrorKind[]): error is ControlPlaneError {
  return error instanceof ControlPlaneError && kinds.includes(error.kind);
}

/** Whether the service may have done the work of a failed call. */
export function hasAmbiguousOutcome(error: unknown): error is ControlPlaneError {
  return error instanceof ControlPlaneError && error.isAmbiguous;
}

/** An error and its causes, the outermost first. */
export function causesOf(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}

/**
 * The kind of an error from this package, for example `not-found`, `forbidden` or `unreachable`.
 *
 * @example
 * ```ts
 * const chat = await getDeployment({ name: "chat" }).catch((error: unknown) => {
 *   if (errorKind(error) === "not-found") return undefined;
 *   throw error;
 * });
 * ```
 * @returns undefined for any other error
 */
export function errorKind(error: unknown): ErrorKind | undefined {
  for (const cause of causesOf(error)) {
    if (cause instanceof ControlPlaneError || cause instanceof DeploymentError) return cause.kind;
  }
  return undefined;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** An error whose message is written for the user. */
export class DeploymentError extends Error {
  override readonly name: string = "DeploymentError";
  readonly kind: ErrorKind = "invalid";
}

/** The reason is the same for every resource of a run. */
export class SharedError extends DeploymentError {
  constructor(
    readonly brief: string,
    advice: string,
  ) {
    super(`${brief}${advice}`);
  }
}

/** A login has no valid token. */
export class LoginError extends SharedError {
  override readonly name = "LoginError";
  override readonly kind = "unauthorized";
}

/** The deployment was deleted outside this stack. */
export class DeletedError extends DeploymentError {
  override readonly name = "DeletedError";
  override readonly kind = "not-found";

  /** @param cause the service's error, if there is one */
  constructor(cause?: Error) {
    const detail = cause === undefined ? "" : ` (${cause.message})`;
    super(
      `the deployment no longer exists: it was deleted outside this stack${detail}. Run \`pulumi refresh\`, then \`pulumi up\``,
    );
  }
}

/** A deployment that a program only reads does not exist. */
export class MissingError extends DeploymentError {
  override readonly name = "MissingError";
  override readonly kind = "not-found";

  /** @param what the search term: `the id …` */
  constructor(what: string) {
    super(`the service has no deployment with ${what}, or this connection's key and tenant cannot see it`);
  }
}

/** A revision failed. */
export class FailedRevisionError extends DeploymentError {
  override readonly name = "FailedRevisionError";

  /** @param below the lines that follow the message: the last ones of the log, and what to do */
  constructor(
    message: string,
    readonly below: string,
  ) {
    super(message);
  }
}

/** The lines below the message of an error: a log and what to do, of the error or of one of its causes. */
export function linesBelow(error: unknown): string {
  return causesOf(error).find((cause) => cause instanceof FailedRevisionError)?.below ?? "";
}
