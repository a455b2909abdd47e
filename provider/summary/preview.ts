/** Parses the output of `pulumi preview --json`, and checks its shape. */
import { z } from "zod";

const ResourceState = z.object({
  type: z.string().optional(),
  provider: z.string().optional(),
  inputs: z.record(z.string(), z.unknown()).optional(),
  outputs: z.record(z.string(), z.unknown()).optional(),
  additionalSecretOutputs: z.array(z.string()).optional(),
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
  const json = text.replace(/^\ufeff/, "").trim();
  if (json === "") throw new NoPreview(`is empty; ${how}`, true);
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    if (json.startsWith("{")) throw new NoPreview("is cut off, or is not pure JSON; write it again", true);
    throw new NoPreview(`is not JSON; ${how}, with nothing else in the file`, true);
  }
  const parsed = Preview.safeParse(value);
  const isPreview = parsed.success && (parsed.data.changeSummary ?? parsed.data.steps ?? false);
  if (!isPreview) throw new NoPreview(`is JSON, but not a preview of a stack; ${how}`, false);
  return parsed.data!;
}
