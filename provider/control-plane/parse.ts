import type { z } from "zod";
import { problemsOf } from "../../schema/problems";
import { formatPath, type Path } from "../../schema/tree";
import type { Limits } from "../time/limits";
import { ControlPlaneError, isKind } from "../errors";
import type { Http } from "./http";
import type { ApiCall } from "./transport";

/**
 * Parses a response. After a response of an unexpected shape, it is unclear whether a write succeeded.
 *
 * @param at path of the body in the response
 */
export function parseResponse<T extends z.ZodType>(
  shape: T,
  body: unknown,
  call: ApiCall,
  at: Path = [],
): z.infer<T> {
  const result = shape.safeParse(body);
  if (result.success) return result.data;
  const [problem] = problemsOf(shape, body);
  const place = problem && formatPath([...at, ...problem.path]);
  const request = `${call.method} ${call.path}`;
  throw new ControlPlaneError(
    `${request} answered in a shape that is not the service's (${place || "the response"}: ${problem?.message ?? "?"})`,
    { kind: "foreign", request, isAmbiguous: call.method !== "GET" },
  );
}

type Get = Pick<ApiCall, "path" | "query" | "isOnce">;

/** GETs and parses. */
export async function fetchParsed<T extends z.ZodType>(
  http: Http,
  shape: T,
  request: Get,
  limits?: Limits,
): Promise<z.infer<T>> {
  const call: ApiCall = { method: "GET", idempotent: true, ...request };
  return parseResponse(shape, (await http.call(call, limits)).body, call);
}

/** GETs one object. Undefined if the service answers that there is none. */
export async function fetchOne<T extends z.ZodType>(
  http: Http,
  shape: T,
  request: Get,
  limits?: Limits,
): Promise<z.infer<T> | undefined> {
  return fetchParsed(http, shape, request, limits).catch((error: unknown) => {
    if (isKind(error, "not-found")) return undefined;
    throw error;
  });
}
