/** A client of a test's own server. */
import { ControlPlaneError } from "../../provider/errors";
import { Client } from "../../provider/control-plane/client";
import { Http, type HttpOptions } from "../../provider/control-plane/http";
import type { ApiCall } from "../../provider/control-plane/transport";
import { readSettings } from "../../provider/settings/reading";
import type { Settings } from "../../provider/settings/settings";
import { newController } from "../../provider/time/limits";
import { RecordingClock } from "./clock";
import { rejectionOf } from "./service";
import { serve, type Handler } from "./server";

export const apiKey = "key-4f1c/=+ü";

/** The settings of a connection with that key, and with short waits. */
export function settingsAt(baseUrl: string, more: Partial<Settings> = {}): Settings {
  const { settings } = readSettings(undefined, {
    DEPLOYMENT_SERVICE_URL: baseUrl,
    DEPLOYMENT_SERVICE_API_KEY: "unused",
    DEPLOYMENT_SERVICE_ALLOW_HTTP: "true",
    DEPLOYMENT_SERVICE_TENANT_ID: "t1",
  });
  return { ...settings!, apiKey, requestTimeout: 10_000, pollInterval: 10, ...more };
}

type Options = Partial<Settings & HttpOptions>;

export function connect(baseUrl: string, { trace, tell, failsFast, clock, ...settings }: Options = {}) {
  const recording = new RecordingClock();
  const http = new Http(settingsAt(baseUrl, settings), { trace, tell, failsFast, clock: clock ?? recording });
  return {
    ...{ clock: recording, http, client: new Client(http) },
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
export async function refused(call: Partial<ApiCall>, options: Options = {}) {
  const { call: send, clock } = connect("http://127.0.0.1:9", options);
  return { error: await failureOf(send(call)), clock };
}

/** The result of a call that always gets this response. */
export async function failing(
  handler: Handler,
  call: Partial<ApiCall> = { idempotent: false },
  options: Options = {},
) {
  const server = await serve(handler);
  const { call: send, clock } = connect(server.url, options);
  return { error: await failureOf(send(call)), clock, server };
}
