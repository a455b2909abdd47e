import type { Emulator, JsonObject } from "../../emulator";

export { start } from "../support/emulator";

/** Plain HTTP, as any caller would use it. */

export type Reply = { status: number; body: JsonObject; headers: Headers };

export const nobody = "99999999-9999-4999-8999-999999999999";

export async function call(
  emulator: Emulator,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const sent = new Headers({ "X-Api-Key": emulator.apiKey });
  if (body !== undefined) sent.set("Content-Type", "application/json");
  for (const [name, value] of Object.entries(headers)) sent.set(name, value);
  const response = await fetch(emulator.url + path, {
    method,
    redirect: "manual",
    headers: sent,
    body: body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return {
    status: response.status,
    body: (text === "" ? {} : JSON.parse(text)) as JsonObject,
    headers: response.headers,
  };
}

export const minimal = (name = "chat", more: JsonObject = {}): JsonObject => ({
  name,
  source: "external_container",
  source_config: {},
  source_revision_config: { image_uri: "registry.example.com/chat:1" },
  secrets: [],
  ...more,
});

export const post = (emulator: Emulator, body: unknown = minimal(), headers?: Record<string, string>) =>
  call(emulator, "POST", "/v2/deployments", body, headers);

export async function created(emulator: Emulator, body: unknown = minimal()): Promise<JsonObject> {
  const reply = await post(emulator, body);
  if (reply.status !== 201) throw new Error(JSON.stringify(reply.body));
  return reply.body;
}

export async function list(emulator: Emulator, query = ""): Promise<JsonObject[]> {
  const reply = await call(emulator, "GET", `/v2/deployments${query}`);
  if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
  return reply.body["resources"] as JsonObject[];
}

/** The only deployment. The GET counts as a poll. */
export async function readOne(emulator: Emulator): Promise<JsonObject | undefined> {
  return (await list(emulator))[0];
}
