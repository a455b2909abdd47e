/** The command `emulator`, over an emulator that knows nothing of the rest of the package. */
import { CommandError, flags, notes, Refusal, runEmulator } from "../../emulator/command";
import { exitCodes, UsageError, type Command } from "./command";
import { readSeed } from "./seed-file";

export const emulator: Command = {
  name: "emulator",
  summary: "Run an emulator of the service on this machine, to try things out and to test programs",
  positionals: [],
  flags,
  notes,
  examples: [
    ["deployment-service emulator", "start it, and paste what it prints where you run pulumi"],
    [
      "deployment-service emulator --dialect langsmith --state emulator.json",
      "the public service, with a state that survives restarts",
    ],
    [
      'deployment-service emulator --seed seed.yaml --latency 50ms --fail "POST 503"',
      "with existing deployments, slow responses, and a POST that fails",
    ],
  ],
  async run(args, io) {
    const file = args.flags["seed"];
    const seed = file === undefined ? undefined : readSeed(file, io);
    const user = io.cancellation();
    try {
      await runEmulator({
        ...args,
        seed: seed?.value,
        print: (text) => io.stdout.write(text),
        ended: new Promise((resolve) => {
          if (user.aborted) resolve();
          else user.addEventListener("abort", () => resolve(), { once: true });
        }),
      });
    } catch (error) {
      if (error instanceof CommandError) throw new UsageError(error.message);
      if (error instanceof Refusal && seed !== undefined) throw seed.refusedBy(error.detail);
      throw error;
    }
    return exitCodes.done;
  },
};
