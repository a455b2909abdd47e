/** All faults, as data: the rows of the table. */
import type { How } from "../../emulator";
import { conditions, type Condition } from "./conditions";

/** Faults of a kind have the same effect on the service, and look the same to a caller. */
export type Kind =
  /** The service refuses and does nothing. */
  | "refusal"
  /** The service answers that there is no such deployment. */
  | "missing"
  /** No response, or an error of the server; the work was not done. */
  | "not done"
  /** The work was done, and the response does not say so. */
  | "done"
  /** The response reports success, but the work was not done. */
  | "misunderstood"
  /** The response reports success in an unusual form. */
  | "harmless"
  /** Something is wrong with the deployment itself. */
  | "condition";

export interface Fault {
  readonly key: string;
  /** Completes "when …". */
  readonly title: string;
  readonly kind: Kind;
  /** How the service answers the operation's request until the fault is over. */
  readonly how?: () => How;
  /** How every request of the connection fails. */
  readonly connection?: "refused" | "certificate";
  /** Whether all calls of the connection wait until it is over. */
  readonly holds?: true;
  /** Whether it may be a restart of the service, which the provider waits out. */
  readonly restarts?: true;
  /** Whether it affects all resources of a connection, and is explained only once. */
  readonly isShared?: true;
  readonly condition?: Condition;
  /** The error if the operation fails. */
  readonly says?: RegExp;
  /** The advice in that error. */
  readonly wayOut?: RegExp;
}

/** A secret of every deployment in the table. It must not be printed, even if the service echoes it. */
export const secretValue = "sesame-0pens-4711";
/** Contains the secret, and control characters that colour a terminal and ring its bell. */
export const echo = `it is not like this: ${secretValue} \u001b[31m\u0007really`;
const presented = /it is not like this: \[secret\]/;

/** A response with a status, and with a message that contains a secret. */
function status(
  code: number,
  kind: Kind,
  wayOut: RegExp,
  more: Partial<Fault> & { retryAfter?: () => string } = {},
) {
  const { retryAfter, ...rest } = more;
  return {
    key: String(code),
    title: `the service answers ${code}`,
    kind,
    how: (): How => ({
      status: code,
      body: { detail: echo },
      ...(retryAfter && { retryAfter: retryAfter() }),
    }),
    says: new RegExp(`answered ${code} [A-Z].*${presented.source}.* \\(request id `),
    wayOut,
    ...rest,
  };
}

const later = /again/;
const slowDown = {
  holds: true,
  // Of the requests that share a connection, only the first gets the response.
  says: new RegExp(
    `answered 429 [A-Z].*${presented.source}.* \\(request id |was not sent: the (service asks to slow down \\(429\\)|time was over)|got no response in time`,
  ),
} as const;
/** Of the stack, of a provider of the program, or of the environment. */
const address = /(deployment-service:baseUrl|`baseUrl` of the provider|from DEPLOYMENT_SERVICE_URL)/;
const validation = {
  detail: [
    { type: "too_short", loc: ["body", "secrets", 0, "value"], msg: "is too short", input: secretValue },
  ],
};

export const faults: readonly Fault[] = [
  {
    key: "refused",
    restarts: true,
    isShared: true,
    title: "the connection is refused",
    kind: "refusal",
    connection: "refused",
    says: /could not reach .* \(ECONNREFUSED\)/,
    wayOut: address,
  },
  {
    key: "certificate",
    isShared: true,
    title: "the certificate is wrong",
    kind: "refusal",
    connection: "certificate",
    says: /refused the certificate of .*SELF_SIGNED/,
    wayOut: /NODE_EXTRA_CA_CERTS/,
  },
  {
    key: "reset-before",
    restarts: true,
    isShared: true,
    title: "the connection is lost before the work",
    kind: "not done",
    how: () => ({ reset: "before" }),
    says: /lost the connection to /,
    wayOut: address,
  },
  {
    key: "reset-after",
    restarts: true,
    isShared: true,
    title: "the connection is lost after the work",
    kind: "done",
    how: () => ({ reset: "after" }),
    says: /lost the connection to /,
    wayOut: address,
  },
  {
    key: "hang-before",
    title: "no response comes and nothing is done",
    kind: "not done",
    how: () => ({ hang: true }),
    says: /got no response within 4s/,
    wayOut: /requestTimeout/,
  },
  {
    key: "hang-after",
    title: "no response comes although it is done",
    kind: "done",
    how: () => ({ hang: true, work: true }),
    says: /got no response within 4s/,
    wayOut: /requestTimeout/,
  },
  status(400, "refusal", /Correct/),
  status(401, "refusal", /DEPLOYMENT_SERVICE_API_KEY/, { isShared: true }),
  status(403, "refusal", /deployment-service:tenantId/, { isShared: true }),
  status(404, "missing", /deployment-service:|pulumi refresh/),
  status(409, "refusal", later),
  status(422, "refusal", /Correct/, {
    title: "the service answers 422 and a list with what was sent",
    how: () => ({ status: 422, body: validation }),
    says: /answered 422 Unprocessable Entity: secrets\.0\.value: is too short \(request id /,
  }),
  status(429, "refusal", later, {
    ...slowDown,
    key: "429-seconds",
    title: "the service answers 429 and how many seconds to wait",
    retryAfter: () => "1",
  }),
  status(429, "refusal", later, {
    ...slowDown,
    key: "429-date",
    title: "the service answers 429 and until when to wait",
    retryAfter: () => new Date(Date.now() + 2000).toUTCString(),
  }),
  status(429, "refusal", later, {
    ...slowDown,
    key: "429-bare",
    title: "the service answers 429 and not how long to wait",
  }),
  status(500, "not done", later),
  status(500, "done", later, {
    key: "500-after",
    title: "the service answers 500 although it is done",
    how: () => ({ status: 500, body: { detail: echo }, after: true }),
  }),
  {
    key: "502-page",
    restarts: true,
    title: "a gateway answers 502 with a page",
    kind: "not done",
    how: () => ({ html: true }),
    says: /answered 502 Bad Gateway: an HTML page with the title "502", which comes from a gateway/,
    wayOut: later,
  },
  status(503, "not done", later, { restarts: true }),
  {
    key: "truncated",
    restarts: true,
    isShared: true,
    title: "the response ends in the middle",
    kind: "done",
    how: () => ({ truncate: true }),
    says: /lost the connection|ends too early/,
    wayOut: /again|baseUrl|DEPLOYMENT_SERVICE_URL/,
  },
  {
    key: "wrong-shape",
    isShared: true,
    title: "a success has another shape",
    kind: "misunderstood",
    how: () => ({ wrongShape: true }),
    says: /answered in a shape that is not the service's/,
    wayOut: address,
  },
  {
    key: "empty-body",
    isShared: true,
    title: "a success has no body",
    kind: "misunderstood",
    how: () => ({ emptyBody: true }),
    says: /answered in a shape that is not the service's/,
    wayOut: address,
  },
  {
    key: "huge-body",
    isShared: true,
    title: "a response has no end",
    kind: "misunderstood",
    how: () => ({ hugeBody: 70 * 1024 * 1024 }),
    // On a busy machine, the time may end earlier.
    says: /got a response that was too large|got no response within 4s/,
    wayOut: /baseUrl|DEPLOYMENT_SERVICE_URL|requestTimeout/,
  },
  {
    key: "redirect",
    isShared: true,
    title: "the response points elsewhere",
    kind: "refusal",
    how: () => ({ redirect: "http://127.0.0.1:9/elsewhere" }),
    says: /answered 302, a redirect to http:\/\/127\.0\.0\.1:9\/elsewhere/,
    wayOut: address,
  },
  {
    key: "slow-drip",
    title: "the response comes byte by byte",
    kind: "harmless",
    how: () => ({ drip: true }),
  },
  {
    key: "gzip",
    title: "a gateway compresses the response",
    kind: "harmless",
    how: () => ({ compressed: "gzip" }),
  },
  {
    key: "zstd",
    isShared: true,
    title: "a gateway answers in an encoding that is not known",
    kind: "misunderstood",
    how: () => ({ compressed: "zstd" }),
    says: /with a response in an encoding that cannot be read: zstd/,
    wayOut: /does not compress/,
  },
  {
    key: "extra-fields",
    title: "the response holds unknown fields",
    kind: "harmless",
    how: () => ({ extraFields: true }),
  },
  {
    key: "clock-ahead",
    title: "the service's clock is a day ahead",
    kind: "harmless",
    how: () => ({ dateAheadMs: 86_400_000 }),
  },
  {
    key: "clock-behind",
    title: "the service's clock is a day behind",
    kind: "harmless",
    how: () => ({ dateAheadMs: -86_400_000 }),
  },
  ...conditions.map((condition) => ({ ...condition, kind: "condition" as const, condition })),
];
