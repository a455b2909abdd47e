import { afterEach } from "vitest";
import { startEmulator, type Emulator, type EmulatorOptions, type JsonObject } from "../../../emulator";
import { cli, type Outcome, type Setting } from "./support";

/** For the commands that ask the service. */

const started: Emulator[] = [];

afterEach(async () => {
  await Promise.all(started.splice(0).map((emulator) => emulator.close()));
});

export async function start(options: EmulatorOptions = {}): Promise<Emulator> {
  const emulator = await startEmulator({ idSeed: 1, ...options });
  started.push(emulator);
  return emulator;
}

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
