/** A client of a test's own server. */
import { ControlPlaneError } from "../../provider/errors";
import { Client } from "../../provider/control-plane/client";
import { Http, type HttpOptions } from "../../provider/control-plane/http";
import type { ApiCall } from "../../provider/control-plane/transport";
import type { Dialect } from "../../provider/dialects";
import { newController } from "../../provider/time/limits";
import { standard } from "../../provider/dialects/standard";
import { RecordingClock } from "./clock";
import { rejectionOf } from "./service";
import { serve, type Handler } from "./server";

export const apiKey = "key-4f1c/=+ü";
const limits = { requestTimeout: 10_000, maxConcurrency: 8, advice: [] };
const headers = { "X-Api-Key": "key-4f1c", "X-Tenant-Id": "t1" };

export function connect(
  baseUrl: string,
  { dialect = standard, ...options }: Partial<HttpOptions> & { readonly dialect?: Dialect } = {},
) {
  const clock = new RecordingClock();
  const http = new Http({ baseUrl, headers, secrets: () => [apiKey], clock, ...limits, ...options });
  return {
    ...{ clock, http, client: new Client({ http, dialect, pollInterval: 10 }) },
    call: (call: Partial<ApiCall> = {}) => http.call({ ...get, ...call }),
    probe: (address: string, signal = newController().signal) => http.probe(address, signal),
  };
}

export const get: ApiCall = { method: "GET", path: "/v2/deployments", idempotent: true };
export const post: ApiCall = { method: "POST", path: "/v2/deployments", body: {}, idempotent: false };

export async function failureOf(work: Promise<unknown>): Promise<ControlPlaneError> {
  const error = await rejectionOf(work);
  if (error instanceof ControlPlaneError) return error;
  throw new Error("expected an error of the control plane", { cause: error });
}

/** The error of a call to a closed port. */
export async function refused(call: Partial<ApiCall>, options: Partial<HttpOptions> = {}) {
  const { call: send, clock } = connect("http://127.0.0.1:9", options);
  return { error: await failureOf(send(call)), clock };
}

/** The result of a call that always gets this response. */
export async function failing(
  handler: Handler,
  call: Partial<ApiCall> = { idempotent: false },
  options: Partial<HttpOptions> = {},
) {
  const server = await serve(handler);
  const { call: send, clock } = connect(server.url, options);
  return { error: await failureOf(send(call)), clock, server };
}
