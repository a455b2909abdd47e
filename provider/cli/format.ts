/** How a command's output is written, which two flags can say. */
import { UsageError, type ParsedArguments } from "./command";

/** @param usual where neither is given */
export function formatIn(
  { flags: { format }, switches }: Pick<ParsedArguments, "flags" | "switches">,
  usual: string,
): string {
  if (!switches.has("json")) return format ?? usual;
  if (format === undefined || format === "json") return "json";
  throw new UsageError(`--json and --format ${format} ask for different things: give one of them`);
}
