/** What all requests share: their paths, and the shapes of their responses. */
import type { z } from "zod";
import { problemsOf } from "../../schema/problems";
import { formatPath, type Path } from "../../schema/tree";
import { ControlPlaneError, DeploymentError, isKind } from "../errors";
import type { Send } from "./http";
import type { ApiCall } from "./transport";

/** Fills in the placeholders of a path such as `/v2/deployments/{id}`, escaped. */
export function pathTo(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => encodeSegment(values[name] ?? ""));
}

function encodeSegment(value: string): string {
  // Escaping does not stop these from changing the path.
  if (/^\.{0,2}$/.test(value)) throw new DeploymentError(`"${value}" cannot be an id`);
  return encodeURIComponent(value);
}

/** Parses what is at a path of a response. After an unexpected shape, it is unclear whether a write succeeded. */
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

type Get = Pick<ApiCall, "path" | "query">;

/** GETs and parses. */
export async function fetchParsed<T extends z.ZodType>(
  send: Send,
  shape: T,
  request: Get,
): Promise<z.infer<T>> {
  const call: ApiCall = { method: "GET", idempotent: true, ...request };
  return parseResponse(shape, (await send(call)).body, call);
}

/** GETs one object. Undefined if the service answers that there is none. */
export async function fetchOne<T extends z.ZodType>(
  send: Send,
  shape: T,
  request: Get,
): Promise<z.infer<T> | undefined> {
  return fetchParsed(send, shape, request).catch((error: unknown) => {
    if (isKind(error, "not-found")) return undefined;
    throw error;
  });
}
