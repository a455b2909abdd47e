/** Parses the output of `pulumi preview --json`, and checks its shape. */
import { z } from "zod";
import { decode, mixesEncodings } from "../../provider/text/decode";
import { parseJson } from "../../provider/text/json";

const ResourceState = z.object({
  urn: z.string().optional(),
  type: z.string().optional(),
  provider: z.string().optional(),
  inputs: z.record(z.string(), z.unknown()).optional(),
  outputs: z.record(z.string(), z.unknown()).optional(),
  additionalSecretOutputs: z.array(z.string()).optional(),
  /** By argument: the URNs of the resources that it depends on. */
  propertyDependencies: z.record(z.string(), z.array(z.string()).nullish()).nullish(),
  retainOnDelete: z.boolean().optional(),
  /** What the last operation did not finish; a refresh clears it. */
  initErrors: z.array(z.unknown()).nullish(),
  /** When an operation last changed the state. A refresh sets it only if it finds a difference. */
  modified: z.string().optional(),
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
  /** The stack's configuration, without secrets. */
  config: z.record(z.string(), z.unknown()).nullish(),
  steps: z.array(PreviewStep).nullish(),
  diagnostics: z
    .array(z.object({ urn: z.string().optional(), message: z.string(), severity: z.string() }))
    .nullish(),
  changeSummary: z.record(z.string(), z.number()).nullish(),
});

export type ResourceState = z.infer<typeof ResourceState>;
export type PreviewStep = z.infer<typeof PreviewStep>;
export type Preview = z.infer<typeof Preview>;

/** The URN of a resource's provider; empty if the preview does not say it. */
export function providerOf(state: ResourceState | undefined): string {
  return state?.provider?.replace(/::[^:]*$/, "") ?? "";
}

/** The previews in the order of the text, and what is wrong with it, as the rest of a sentence that begins with its name. */
export function readPreviews(bytes: Uint8Array): { previews: Preview[]; problem: string | undefined } {
  const { text } = decode(bytes);
  const whole = parseJson(text);
  const { values, isCutOff } =
    whole === undefined ? documentsIn(text) : { values: [whole].flat(), isCutOff: false };
  const found = values.flatMap((value): Preview[] => {
    const { data } = Preview.safeParse(value);
    return (data?.changeSummary ?? data?.steps) ? [data!] : [];
  });
  const problem = mixesEncodings(bytes)
    ? "mixes UTF-8 and UTF-16, so not all of it was read: write a file for each preview, or append with " +
      "`Out-File -Encoding utf8 -Append` instead of `>>`"
    : problemOf(text, values, found, isCutOff);
  // A preview that failed before it printed JSON.
  const [, message] = /^\s*error:(.*)/m.exec(text) ?? [];
  const isFailed = found.length === 0 && message !== undefined;
  return { previews: isFailed ? [{ diagnostics: [{ message, severity: "error" }] }] : found, problem };
}

function problemOf(
  text: string,
  values: readonly unknown[],
  found: readonly Preview[],
  isCutOff: boolean,
): string | undefined {
  const how = "`pulumi preview --json > preview.json` writes one, `--output json` does not";
  if (text.trim() === "") return "is empty: standard error of `pulumi preview` says why";
  if (values.some((value) => EngineEvent.safeParse(value).success))
    return (
      "contains a stream of the engine's events, not a preview: unset PULUMI_ENABLE_STREAMING_JSON_PREVIEW, and write it " +
      "again with `pulumi preview --json`, not with `--output json`"
    );
  if (isCutOff) return "is cut off: it ends within a preview; write it again";
  if (found.length > 0) return undefined;
  return values.length > 0 ? `is JSON, but not a preview of a stack; ${how}` : `is not JSON; ${how}`;
}

const EngineEvent = z.object({ sequence: z.number(), timestamp: z.number() });

/** An object on one line, or on lines of which only the first and the last begin with a brace, as tools print it. */
const object = /^\ufeff?(?:\{.*\}|\{\n(?:(?![{}]).*\n)*\})$/gm;

/** The JSON objects between other lines, such as warnings of the CLI, and whether another one begins and does not end. */
function documentsIn(text: string) {
  const values: unknown[] = [];
  const rest = text.replace(/\r\n?/g, "\n").replace(object, (found) => {
    const value = parseJson(found);
    if (value !== undefined) values.push(value);
    return value === undefined ? found : "";
  });
  return { values, isCutOff: /^\{\s*(?:"|$)/m.test(rest) };
}
