/** The streaming form of `pulumi preview --json` (`PULUMI_ENABLE_STREAMING_JSON_PREVIEW`): one event of the engine per line. */
import { z } from "zod";
import { parseJson } from "../text/json";

const Metadata = z.looseObject({
  op: z.string(),
  urn: z.string(),
  old: z.unknown().optional(),
  new: z.unknown().optional(),
  keys: z.unknown().optional(),
  diffs: z.unknown().optional(),
  detailedDiff: z.unknown().optional(),
});

const EngineEvent = z.looseObject({
  sequence: z.number(),
  resourcePreEvent: z.object({ metadata: Metadata }).optional(),
  resOutputsEvent: z.object({ metadata: Metadata }).optional(),
  diagnosticEvent: z
    .object({
      urn: z.string().optional(),
      prefix: z.string().optional(),
      message: z.string(),
      severity: z.string(),
      ephemeral: z.boolean().optional(),
    })
    .optional(),
  summaryEvent: z.object({ resourceChanges: z.unknown().optional() }).optional(),
});

/** The preview in its usual form, without a check of its parts. Undefined if the lines are not such events, or do not end. */
export function previewOfEvents(lines: readonly string[]): unknown {
  // Warnings of the CLI may stand between the events.
  const events = lines.flatMap((line) => EngineEvent.safeParse(parseJson(line)).data ?? []);
  const summary = events.find(({ summaryEvent }) => summaryEvent !== undefined);
  if (summary === undefined) return undefined;
  // A refresh shows what it found only at its end.
  const steps = new Map<string, unknown>();
  for (const { resourcePreEvent, resOutputsEvent } of events) {
    const metadata = (resourcePreEvent ?? resOutputsEvent)?.metadata;
    if (metadata !== undefined) steps.set(`${metadata.op} ${metadata.urn}`, stepOf(metadata));
  }
  return {
    steps: [...steps.values()],
    diagnostics: events.flatMap(({ diagnosticEvent: said }) =>
      said === undefined || said.ephemeral || said.severity === "debug"
        ? []
        : [{ urn: said.urn, message: `${said.prefix ?? ""}${said.message}`, severity: said.severity }],
    ),
    changeSummary: summary.summaryEvent!.resourceChanges,
  };
}

function stepOf({ op, urn, old, new: now, keys, diffs, detailedDiff }: z.infer<typeof Metadata>) {
  return {
    op,
    urn,
    oldState: old ?? undefined,
    newState: now ?? undefined,
    replaceReasons: keys,
    diffReasons: diffs,
    detailedDiff,
  };
}
