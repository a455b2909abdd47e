import type * as pulumi from "@pulumi/pulumi";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { startEmulator } from "../../../emulator";
import { systemClock } from "../../../provider/clock";
import { OwnClaims } from "../../../provider/deployment/claims";
import { createProvider } from "../../../provider/pulumi/dynamic";
import { Turns } from "../../../provider/pulumi/turns";
import { VirtualClock } from "../../support/clock";

const minutes = 60_000;

/** An engine that runs so many operations at once, and decides on the next one when it has handed over the one before. */
async function run(
  count: number,
  atOnce: number,
  { rollout = 5 * minutes, declared }: { rollout?: number; declared?: number } = {},
) {
  const clock = new VirtualClock();
  const turns = new Turns(clock);
  const told: string[] = [];
  const tell = (text: string) => void told.push(text);
  const running = new Set<Promise<void>>();
  const all = async () => {
    for (let at = 0; at < count; at++) {
      turns.expect(declared);
      turns.wait(`app-${at}`);
      if (running.size === atOnce) await Promise.race(running);
      const work = turns.run(`app-${at}`, tell, () => clock.sleep(rollout));
      running.add(work);
      void work.then(() => running.delete(work));
    }
    await Promise.all(running);
  };
  await clock.run(all());
  return told;
}

describe("rollouts that queue up", () => {
  it("are told once, with what lets them run together", async () => {
    expect(await run(20, 8, { declared: 20 })).toEqual([
      "waited 5m for its turn. 20 deployments, 8 at a time: --parallel 20 (or PULUMI_PARALLEL) lets their rollouts run together",
    ]);
  });

  it("are told without the number where the program does not say it", async () => {
    expect(await run(20, 8)).toEqual([
      "waited 5m for its turn. 8 deployments at a time: --parallel with the number of deployments (or PULUMI_PARALLEL) lets " +
        "their rollouts run together",
    ]);
  });

  it("are none where as many run at once as there are", async () => {
    expect(await run(8, 8)).toEqual([]);
    expect(await run(20, 20)).toEqual([]);
  });

  it("are not worth a word where each ends soon", async () => {
    expect(await run(20, 8, { rollout: 29_000 })).toEqual([]);
  });

  it("are not what a deployment waits for while no other one ends", async () => {
    const clock = new VirtualClock();
    const turns = new Turns(clock);
    const told: string[] = [];
    const tell = (text: string) => void told.push(text);
    const other = turns.run("other", tell, () => clock.sleep(60 * minutes));
    turns.wait("chat");
    await clock.advance(5 * minutes);
    await turns.run("chat", tell, () => Promise.resolve());
    expect(told).toEqual([]);
    await clock.run(other);
  });

  it("are not what a replacement waits for whose old one is deleted first", async () => {
    const clock = new VirtualClock();
    const turns = new Turns(clock);
    const told: string[] = [];
    const tell = (text: string) => void told.push(text);
    const other = turns.run("other", tell, () => clock.sleep(minutes));
    turns.wait("chat");
    turns.forget("chat");
    await clock.run(other);
    await turns.run("chat", tell, () => Promise.resolve());
    expect(told).toEqual([]);
  });
});

describe("a provider", () => {
  it("says beside the deployment that it waited for its turn, and is silent in a preview", async () => {
    const emulator = await startEmulator();
    onTestFinished(() => emulator.close());
    const provider = createProvider(new OwnClaims());
    const settings: Record<string, string> = { baseUrl: emulator.url, apiKey: emulator.apiKey };
    const config = { get: (key: string) => settings[key.split(":")[1]!] };
    await provider.configure!({ config } as pulumi.dynamic.ConfigureRequest);
    const output = vi.spyOn(process.stdout, "write").mockReturnValue(true);
    const now = vi.spyOn(systemClock, "now");
    onTestFinished(() => void vi.restoreAllMocks());
    const checked = async (name: string): Promise<pulumi.Inputs> => {
      const sourceRevisionConfig = { imageUri: "registry.example.com/app:1" };
      const args = { name, source: "external_container", sourceRevisionConfig, skipAwait: true };
      const urn = `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/deployment-service:Deployment::${name}`;
      const { inputs } = await provider.check!({}, { ...args, __options: { urn, declared: 250 } });
      // The number is for this run alone.
      expect(inputs).toMatchObject({ __options: { urn } });
      expect(inputs).not.toHaveProperty("__options.declared");
      return inputs as pulumi.Inputs;
    };
    const first = provider.create(await checked("first"));
    const second = await checked("second");
    await first;
    now.mockReturnValue(systemClock.now() + 5 * minutes);
    await checked("third");
    expect(output).not.toHaveBeenCalled();
    await provider.create(second);
    expect(output.mock.calls.map(([text]) => text)).toEqual([
      expect.stringMatching(
        /^info: second: waited 5m\w* for its turn\. 250 deployments, 1 at a time: --parallel 250 /,
      ),
    ]);
  });
});
