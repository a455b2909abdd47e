/** For the commands that ask the service. */
import type { Emulator, JsonObject } from "../../../emulator";
import { cli, type Outcome, type Setting } from "./support";

export { start } from "../../support/emulator";

export function create(emulator: Emulator, name: string, more: JsonObject = {}): string {
  const body = { name, source: "internal_template", source_config: {}, source_revision_config: {} };
  return emulator.create({ ...body, secrets: [], ...more }).id;
}

/** What dialect langsmith asks for, to deploy an image. */
export const ofImage = (image_uri: string) => ({
  source: "external_docker",
  source_config: { resource_spec: {} },
  source_revision_config: { image_uri },
});

/** Makes a revision, as someone else does. */
export function revise(emulator: Emulator, name: string, image?: string): void {
  const change = (record: { source_revision_config: JsonObject }) => {
    if (image !== undefined) record.source_revision_config["image_uri"] = image;
  };
  emulator.change(name, change, { revision: true });
}

export const writesOf = (emulator: Emulator) =>
  emulator.requestLines().filter((line) => !line.startsWith("GET "));

/** A command line with the connection in its environment. */
export function ask(
  emulator: Pick<Emulator, "url" | "apiKey">,
  words: string[],
  setting: Setting = {},
): Promise<Outcome> {
  const env = { DEPLOYMENT_SERVICE_URL: emulator.url, DEPLOYMENT_SERVICE_API_KEY: emulator.apiKey };
  return cli(words, { ...setting, env: { ...env, ...setting.env } });
}

/** In dialect langsmith. It looks again at once. */
export const askLangsmith: typeof ask = (emulator, words, setting = {}) => {
  const env = { DEPLOYMENT_SERVICE_DIALECT: "langsmith", DEPLOYMENT_SERVICE_POLL_INTERVAL: "1ms" };
  return ask(emulator, words, { ...setting, env: { ...env, ...setting.env } });
};
