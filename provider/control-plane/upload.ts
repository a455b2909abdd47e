/** Uploads source code to an address in the service's storage. It is a credential, so messages and logs name only its host. */
import { WireUpload } from "../../schema/wire";
import type { Archive } from "../deployment/service";
import type { ArchiveRules } from "../dialects/dialect";
import { ControlPlaneError, DeploymentError, isKind } from "../errors";
import type { Limits } from "../time/limits";
import { formatSize } from "../text/size";
import { redactor } from "../text/redact";
import { sanitize } from "../text/sanitize";
import { timer, type Http } from "./http";
import { parseResponse, pathTo } from "./parse";
import { isGatewayStatus, statusText, type RawResponse } from "./response";
import { withRetry } from "./retry";
import { transportError, withoutResponse } from "./transport-error";

/** An upload without progress for this long is restarted; milliseconds. */
const longestStall = 120_000;

interface UploadTarget {
  readonly url: URL;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Uploads an archive, and returns the path by which a revision refers to it. Retries transient failures. */
export async function uploadArchive(
  http: Http,
  { id, path, rules }: { readonly id: string; readonly path: string; readonly rules: ArchiveRules },
  archive: Archive,
  limits: Limits,
): Promise<string> {
  const call = { method: "POST", path: pathTo(path, { id }), idempotent: true } as const;
  const ask = async (body?: ArchiveRules["offer"]): Promise<UploadTarget> => {
    const response = await http.call({ ...call, ...(body && { body }) }, limits);
    const { upload_url, object_path, upload_headers } = parseResponse(WireUpload, response.body, call);
    const headers = { ...rules.headers, ...chosenHeaders(upload_headers ?? {}, rules) };
    return { url: parseUploadAddress(upload_url, http), path: object_path, headers };
  };
  const target = await ask(rules.offer).catch((error: unknown) => {
    // Older services accept no body here.
    if (isKind(error, "invalid")) return ask();
    throw error;
  });
  const work = () => putArchive(http, target, archive, limits);
  await withRetry(http.clock, limits, { idempotent: true }, work);
  return target.path;
}

/** Lowercase, so that a header of the service replaces the usual one. */
function chosenHeaders(given: Readonly<Record<string, string>>, { usualHeaders }: ArchiveRules) {
  const chosen = Object.entries(given).map(([name, value]) => [name.toLowerCase(), value] as const);
  return chosen.length === 0 ? usualHeaders : Object.fromEntries(chosen);
}

function parseUploadAddress(text: string, { settings: { allowHttp, baseUrl } }: Http): URL {
  const allowsHttp = allowHttp || baseUrl.startsWith("http:");
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === "https:" || (url?.protocol === "http:" && allowsHttp)) return url;
  const what = url === undefined ? "no valid address" : `an address that begins with ${url.protocol}//`;
  throw new DeploymentError(
    `the service returned ${what} to upload to, but source code is only sent over https. If this is your own service ` +
      "without https, set `deployment-service:allowHttp` (DEPLOYMENT_SERVICE_ALLOW_HTTP) to true",
  );
}

async function putArchive(
  http: Http,
  { url, headers }: UploadTarget,
  archive: Archive,
  limits: Limits,
): Promise<void> {
  const { transport, clock } = http;
  const request = `PUT ${url.origin}`;
  const started = clock.now();
  const left = timer(Math.max(0, limits.deadline - started), limits.signal);
  const stall = timer(longestStall, left.signal);
  let sent = 0;
  async function* body() {
    for await (const bytes of archive.read()) {
      sent += bytes.length;
      stall.refresh();
      yield bytes;
    }
  }
  let status: number | undefined;
  try {
    limits.tell(`uploading ${formatSize(archive.size)} of source code`);
    const sized = { ...headers, "content-length": String(archive.size) };
    const raw = await transport.put(url, sized, body(), stall.signal);
    ({ status } = raw);
    const problem = refusalIn(raw, request, url);
    if (problem !== undefined) throw problem;
  } catch (error) {
    if (error instanceof ControlPlaneError) throw error;
    const end = limits.signal?.aborted ? "interrupted" : "out of time";
    if (left.signal.aborted) throw withoutResponse(request, end, limits);
    const { message, kind, isAmbiguous, isRestart, advice } = transportError(error, url.origin, longestStall);
    const details = { request, kind, isAmbiguous, isRestart, advice: advice ?? uploadAdvice(url) };
    throw new ControlPlaneError(`${request} ${message}`, details);
  } finally {
    stall.stop();
    left.stop();
    http.trace(request, status, started, ` ${sent} bytes`);
  }
}

/** Storage does not answer with the service's JSON. */
function refusalIn({ status, text }: RawResponse, request: string, url: URL): ControlPlaneError | undefined {
  if (status >= 200 && status < 300) return undefined;
  // Storage echoes the request, including its signature.
  const redact = redactor(
    [],
    [url.href, url.pathname + url.search, url.search, ...url.searchParams.values()],
  );
  const words = [...text.matchAll(/<(?:Code|Message|title|Details)>([^<]*)</gi)].map(([, each]) => each);
  const said = sanitize(redact(words.length > 0 ? words.join(": ") : text), 300);
  const message = `${request} answered ${statusText(status)}${said === "" ? "" : `: ${said}`}`;
  const isTransient = status >= 500 || status === 408 || status === 429;
  const refused = status === 413 ? "invalid" : "forbidden";
  return new ControlPlaneError(message, {
    kind: isTransient ? "unavailable" : status < 400 ? "redirected" : refused,
    request,
    status: isTransient ? undefined : status,
    isAmbiguous: isTransient,
    isRestart: isGatewayStatus(status),
    advice: uploadAdvice(url),
  });
}

function uploadAdvice({ host }: URL): string {
  return (
    `Source code is uploaded to ${host}, which is not the service's own address: check that the network, firewalls and ` +
    "proxies (HTTPS_PROXY, NO_PROXY) let uploads to it through, then run the command again."
  );
}
