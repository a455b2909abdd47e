import { once } from "node:events";
import { expect, it } from "vitest";
import { makeProject, newest, ProviderProcess, providerText } from "../support/provider-process";
import { startProcess } from "../support/provider-process/calls";

/** Only the engine holds the pipe of the standard input open. Here it is closed from the start. */
const closed = ["sh", "-c", 'true | exec "$0" "$@"', process.execPath] as const;

it.skipIf(process.platform === "win32")(
  "the stock process ends with its engine, even if the engine is killed in a preview",
  async () => {
    const command = [...closed, "node_modules/@pulumi/pulumi/cmd/dynamic-provider"] as const;
    const env = { PULUMI_NODEJS_PROJECT: "shop" };
    const provider = new ProviderProcess(await startProcess(makeProject(newest), command, env));
    const ended = once(provider.child, "exit");
    await provider.configure({});
    const call = provider.check("chat", { __provider: providerText, source: "internal_source" });
    // The response may come first.
    await call.catch(() => undefined);
    expect(await ended).toBeDefined();
  },
);

it("the stock process says once that it does not hear Ctrl-C, if it does not find its own server", async () => {
  const withoutServer = "data:text/javascript,process._getActiveHandles=()=>[]";
  for (const [options, count] of [
    [`--import ${withoutServer}`, 1],
    ["", 0],
  ] as const) {
    const provider = await ProviderProcess.start(newest, { NODE_OPTIONS: options });
    await provider.configure({});
    const inputs = { __provider: providerText, name: "chat", source: "internal_source" };
    for (const name of ["chat", "talk"]) await provider.check(name, inputs);
    const told = provider.messages.filter(({ text }) => text.includes("hides Ctrl-C"));
    await provider.stop();
    expect(told).toHaveLength(count);
  }
});
