/** Chooses the output format from `--format` and `--json`. */
import { UsageError, type ParsedArguments } from "./command";

/** @param usual the format without either flag */
export function formatIn(
  { flags: { format }, switches }: Pick<ParsedArguments, "flags" | "switches">,
  usual: string,
): string {
  if (!switches.has("json")) return format ?? usual;
  if (format === undefined || format === "json") return "json";
  throw new UsageError(`--json and --format ${format} contradict each other: use only one of them`);
}
