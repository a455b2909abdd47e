import { createProvider } from "../../../provider/dynamic/provider";

/** What the engine's process of a provider loads, with these settings. */
export async function providerWith(settings: Readonly<Record<string, string | undefined>>) {
  const provider = createProvider();
  const get = (key: string) => settings[key.replace("deployment-service:", "")];
  await provider.configure!({ config: { get } as never });
  return provider;
}
