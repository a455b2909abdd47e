/** For the commands that ask the service. */
import type { Emulator, JsonObject } from "../../../emulator";
import { cli, type Outcome, type Setting } from "./support";

export { start } from "../../support/emulator";

export function create(emulator: Emulator, name: string, more: JsonObject = {}): string {
  const body = { name, source: "internal_template", source_config: {}, source_revision_config: {} };
  return emulator.create({ ...body, secrets: [], ...more }).id;
}

/** A command line with the connection in its environment. */
export function ask(
  emulator: Pick<Emulator, "url" | "apiKey">,
  words: string[],
  setting: Setting = {},
): Promise<Outcome> {
  const env = { DEPLOYMENT_SERVICE_URL: emulator.url, DEPLOYMENT_SERVICE_API_KEY: emulator.apiKey };
  return cli(words, { ...setting, env: { ...env, ...setting.env } });
}
