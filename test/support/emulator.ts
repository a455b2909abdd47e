/** An emulator that lives as long as the test that starts it. */
import { onTestFinished } from "vitest";
import { startEmulator, type Emulator, type EmulatorOptions } from "../../emulator";

export async function start(options: EmulatorOptions = {}): Promise<Emulator> {
  const emulator = await startEmulator({ idSeed: 1, ...options });
  onTestFinished(() => emulator.close());
  return emulator;
}
