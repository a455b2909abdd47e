/** Parses the output of `pulumi preview --json`, and checks its shape. */
import { z } from "zod";
import { parseJson } from "../text/json";
import { previewOfEvents } from "./event-stream";

const ResourceState = z.object({
  type: z.string().optional(),
  provider: z.string().optional(),
  inputs: z.record(z.string(), z.unknown()).optional(),
  outputs: z.record(z.string(), z.unknown()).optional(),
  additionalSecretOutputs: z.array(z.string()).optional(),
  retainOnDelete: z.boolean().optional(),
});

const PreviewStep = z.object({
  op: z.string(),
  urn: z.string(),
  oldState: ResourceState.optional(),
  newState: ResourceState.optional(),
  diffReasons: z.array(z.string()).nullish(),
  replaceReasons: z.array(z.string()).nullish(),
  detailedDiff: z.record(z.string(), z.unknown()).nullish(),
});

const Preview = z.object({
  steps: z.array(PreviewStep).nullish(),
  diagnostics: z
    .array(z.object({ urn: z.string().optional(), message: z.string(), severity: z.string() }))
    .nullish(),
  changeSummary: z.record(z.string(), z.number()).nullish(),
});

export type ResourceState = z.infer<typeof ResourceState>;
export type PreviewStep = z.infer<typeof PreviewStep>;
export type Preview = z.infer<typeof Preview>;

/** Thrown if the text is not a preview. The message says what it is instead. */
export class NoPreview extends Error {
  /** @param mayHaveFailed whether the preview may have failed before it printed JSON */
  constructor(
    message: string,
    readonly mayHaveFailed: boolean,
  ) {
    super(message);
  }
}

const how = "`pulumi preview --json > preview.json` writes one";

export function readPreview(text: string): Preview {
  if (text.trim() === "") throw new NoPreview(`is empty; ${how}`, true);
  const lines = text.split(/\r?\n/);
  const json = jsonAmong(lines);
  const value = json === undefined ? previewOfEvents(lines) : json;
  if (value === undefined) {
    if (lines.some((line) => line.startsWith("{")))
      throw new NoPreview("is cut off, or is not JSON; write it again", true);
    throw new NoPreview(`is not JSON; ${how}`, true);
  }
  const parsed = Preview.safeParse(value);
  const isPreview = parsed.success && (parsed.data.changeSummary ?? parsed.data.steps ?? false);
  if (!isPreview) throw new NoPreview(`is JSON, but not a preview of a stack; ${how}`, false);
  return parsed.data!;
}

/** The JSON in a text. Warnings of the CLI, or of what runs it, may stand in lines before and after it. */
function jsonAmong(lines: readonly string[]): unknown {
  const last = lines.findLastIndex((line) => line.trimEnd().endsWith("}"));
  const first = lines.findIndex((line) => line.startsWith("{") || line.startsWith("\ufeff{"));
  // Pulumi writes the brace on a line of its own.
  const starts = lines.flatMap((line, at) => (at === first || line.trimEnd() === "{" ? [at] : []));
  for (const start of starts) {
    const value = parseJson(lines.slice(start, last + 1).join("\n"));
    if (value !== undefined) return value;
  }
  return parseJson(lines.join("\n"));
}
