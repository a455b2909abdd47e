import type { z } from "zod";
import { formatPath, problemsOf, type Path } from "../../schema/problems";
import type { Limits } from "../limits";
import { ControlPlaneError, isKind } from "../errors";
import { sameId } from "./read-results";
import type { Call, Http } from "./http";

/**
 * The response in the expected shape; a response of another shape leaves open what was done.
 *
 * @param at where in the response the body stands
 */
export function parseResponse<T extends z.ZodType>(
  shape: T,
  body: unknown,
  call: Call,
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

/**
 * Of a response about some deployments, these. Where one is missing and others than these were answered, nothing is
 * known of it: it may be there all the same.
 */
export function onlyAskedFor<T extends { readonly id: string }>(
  found: readonly T[],
  ids: readonly string[],
  { method, path }: Pick<Call, "method" | "path">,
): readonly T[] {
  const asked = new Set(ids.map(sameId));
  const these = found.filter(({ id }) => asked.has(sameId(id)));
  if (these.length === found.length || these.length === asked.size) return these;
  const request = `${method} ${path}`;
  const message = `${request} answered with another deployment than was asked for`;
  throw new ControlPlaneError(message, { kind: "foreign", request, isAmbiguous: false });
}

/** One object, in the expected shape; undefined where the service says that there is none. */
export async function readOne<T extends z.ZodType>(
  http: Http,
  path: string,
  shape: T,
  limits?: Limits,
  isOnce = false,
): Promise<z.infer<T> | undefined> {
  const call: Call = { method: "GET", path, idempotent: true, isOnce };
  try {
    const { body } = await http.call(call, limits);
    return parseResponse(shape, body, call);
  } catch (error) {
    if (isKind(error, "not-found")) return undefined;
    throw error;
  }
}
