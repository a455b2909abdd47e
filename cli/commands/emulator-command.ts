/** The command `emulator`. The emulator itself does not depend on the rest of the package. */
import { CommandError, Refusal, runEmulator } from "../../emulator/command";
import { parseDocument } from "yaml";
import { formatPath, valueAt } from "../../schema/tree";
import { decode } from "../../provider/text/decode";
import { longestText, sanitize } from "../../provider/text/sanitize";
import { UsageError, type Command, type Io } from "../command";
import { readBytes } from "../files/manifest-file";

export const emulatorCommand: Command = async (args, io) => {
  const file = args.flags["seed"];
  const seed = file === undefined ? undefined : readSeed(file, io);
  const user = io.cancellation();
  try {
    await runEmulator({
      ...args,
      seed,
      print: (text) => io.stdout.write(text),
      ended: new Promise((resolve) => {
        if (user.aborted) resolve();
        else user.addEventListener("abort", () => resolve(), { once: true });
      }),
    });
  } catch (error) {
    if (error instanceof CommandError) throw new UsageError(error.message);
    if (error instanceof Refusal && file !== undefined) {
      for (const problem of problemsIn(seed, error.detail))
        io.stderr.write(`${sanitize(`${file}: ${problem}`)}\n`);
      throw new UsageError(`${sanitize(file)} has problems`);
    }
    throw error;
  }
};

/** Converted to plain JSON, as the service would receive it. */
function readSeed(file: string, io: Io): Record<string, never> {
  const { text, brokenAt } = decode(readBytes(file, io));
  if (brokenAt !== undefined) throw new UsageError(`${sanitize(file)} is not UTF-8: save it as UTF-8`);
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error !== undefined) throw new UsageError(sanitize(`${file}: ${error.message}`, longestText));
  return JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: 100 }) ?? {})) as Record<string, never>;
}

/** Each with its place, and the name of the deployment that has it. */
function problemsIn(seed: unknown, detail: Refusal["detail"]): string[] {
  if (typeof detail === "string") return [detail];
  return detail.map(({ loc, msg }) => {
    const name = valueAt(seed, [...loc.slice(0, 2), "name"]);
    const place = formatPath(loc) + (typeof name === "string" ? ` (${name})` : "");
    return place === "" ? msg : `${place}: ${msg}`;
  });
}
