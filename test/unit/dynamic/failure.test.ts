/** When one of several deployments fails. */
import { afterEach, expect, it, vi } from "vitest";
import { createProvider } from "../../../provider/dynamic/provider";
import { providerText } from "../../../provider/internal-inputs";
import { startEmulator, type Emulator } from "../../../emulator";

let emulator: Emulator | undefined;
afterEach(async () => {
  vi.restoreAllMocks();
  await emulator?.close();
});

it.each([
  [1, 0],
  [3, 1],
])("of %i deployments that fail, `--continue-on-error` is mentioned %i times", async (count, times) => {
  emulator = await startEmulator();
  const provider = createProvider(undefined);
  const config: Record<string, string> = {
    "deployment-service:baseUrl": emulator.url,
    "deployment-service:apiKey": "another-key",
  };
  await provider.configure!({ config: { get: (key: string) => config[key] } as never });
  const print = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  const declared = Array.from({ length: count }, (_, index) => ({
    name: `chat-${index}`,
    source: "external_container",
    sourceRevisionConfig: { imageUri: "registry.example.com/chat:1" },
    __options: { urn: `urn:pulumi:dev::shop::*::chat-${index}` },
    __provider: providerText,
  }));
  const checked = await Promise.all(declared.map((each) => provider.check!({}, each)));
  for (const { inputs } of checked)
    await expect(provider.create(inputs as never)).rejects.toThrow("create failed");
  const printed = print.mock.calls.map(([text]) => String(text)).join("");
  expect(printed.match(/--continue-on-error/g) ?? []).toHaveLength(times);
});
