import type { IncomingHttpHeaders } from "node:http";
import type { Json } from "../json";
import type { ControlPlane } from "../state/control-plane";
import type { Query } from "./query";

/** A request as far as the service's routes are concerned. */
export interface Call {
  readonly plane: ControlPlane;
  /** The values of the path's placeholders. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  /** Null for an endpoint that reads none. */
  readonly body: Json;
  readonly headers: IncomingHttpHeaders;
  /** The body as it came. */
  readonly bytes: Buffer;
}

export interface HttpResponse {
  readonly status: number;
  /** Without it the response has no body. */
  readonly body?: Json;
}

export type Handler = (call: Call) => HttpResponse;
