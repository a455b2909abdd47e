/** Parses the output of `pulumi preview --json`, and checks its shape. */
import { z } from "zod";
import { parseJson } from "../text/json";
import { documentsIn } from "./documents";

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
    /** Whether the message alone explains it. */
    readonly isCertain = false,
  ) {
    super(message);
  }
}

const how = "`pulumi preview --json > preview.json` writes one";

export interface Previews {
  /** At least one, in the order of the text. */
  readonly previews: readonly Preview[];
  /** Whether the text ends within another one. */
  readonly isCutOff: boolean;
}

/** @throws NoPreview if the text contains none */
export function readPreviews(text: string): Previews {
  if (text.trim() === "") throw new NoPreview(`is empty; ${how}`, true);
  const { values, isCutOff } = documentsIn(text);
  if (values.some(isEngineEvent)) throw new NoPreview(streaming, true, true);
  const previews = values.map(previewIn).filter((preview) => preview !== undefined);
  if (previews.length > 0) return { previews, isCutOff };
  if (isCutOff) throw new NoPreview("is cut off, or is not JSON; write it again", true);
  const whole = parseJson(text);
  if (Array.isArray(whole) && whole.some(previewIn))
    throw new NoPreview("is a list of previews: write them one after another, not as a list", false);
  if (values.length > 0 || whole !== undefined)
    throw new NoPreview(`is JSON, but not a preview of a stack; ${how}`, false);
  throw new NoPreview(`is not JSON; ${how}`, true);
}

function previewIn(value: unknown): Preview | undefined {
  const { data } = Preview.safeParse(value);
  return (data?.changeSummary ?? data?.steps) ? data : undefined;
}

const streaming =
  "contains a stream of the engine's events, not a preview: unset PULUMI_ENABLE_STREAMING_JSON_PREVIEW, and write it again with " +
  "`pulumi preview --json`";

const EngineEvent = z.object({ sequence: z.number(), timestamp: z.number() });

function isEngineEvent(value: unknown): boolean {
  return EngineEvent.safeParse(value).success;
}
