/** The command `logs`: the log of a revision, with `--follow` until it ends. */
import type { Connection } from "../../provider/control-plane/connect";
import type { LogLine, LogPage } from "../../provider/control-plane/logs";
import type { Dialect } from "../../provider/dialects";
import { logOfFailure } from "../../provider/deployment/revision-log";
import type { LogQuery, Observed } from "../../provider/deployment/service";
import { waitUntil } from "../../provider/time/limits";
import { escapeUnprintable, linesOf, sanitize } from "../../provider/text/sanitize";
import { credentialsIn } from "../../provider/text/credential";
import { redactor, type Redact } from "../../provider/text/redact";
import { textsIn } from "../../schema/tree";
import { UsageError, type ParsedArguments, type Command, type Io } from "../command";
import { deploymentNamed } from "../connection/named-deployment";
import { connectionOf, requirePath } from "../connection/service-connection";
import { revisionNamed } from "../deployments/revision-table";

export const logsCommand: Command = async (args, io) => {
  if (args.switches.has("build") && args.switches.has("deploy"))
    throw new UsageError("use only one of --build and --deploy");
  const connection = await connectionOf(args, io);
  const { client, settings } = connection;
  requirePath("revisionLog", "logs", settings.dialect);
  const chosen = await deploymentNamed(args.positionals[0]!, connection, io);
  const observed = await client.withRevision(chosen.deployment);
  const given = args.flags["revision"];
  const revisionId =
    given === undefined ? observed.latestRevisionId : (await revisionNamed(given, chosen, connection)).id;
  if (revisionId === null) throw new Error(`${observed.name} has no revision yet, so there is no log`);
  const type = logTypeFor(observed, revisionId, args, settings.dialect);
  await printLog({ id: observed.id, revisionId, type }, observed, args, connection, io);
};

/** The default log: that of the failed step, of a build in progress, or of the running revision. */
function logTypeFor(
  observed: Observed,
  revisionId: string,
  { switches }: ParsedArguments,
  dialect: Dialect,
): string {
  if (switches.has("build")) return "build";
  if (switches.has("deploy") || revisionId !== observed.latestRevisionId) return "deploy";
  const isDeployed = observed.latestRevisionStatus === dialect.revisionStatuses?.deployed;
  return logOfFailure(observed, dialect)?.type ?? (isDeployed ? "deploy" : "build");
}

async function printLog(
  query: LogQuery,
  observed: Observed,
  { switches }: ParsedArguments,
  { client, clock, settings }: Connection,
  io: Io,
): Promise<void> {
  const follow = switches.has("follow");
  const signal = follow ? io.cancellation() : undefined;
  // Some services mask values with stars or dots.
  const isValue = (text: string) => /[^*•]/.test(text);
  const secrets = textsIn(observed.secrets).filter(isValue);
  const credentials = credentialsIn(observed).filter(isValue);
  const print = linePrinter(io, switches.has("json"), redactor(secrets, credentials));
  /** The offset of the last page, and how many of its lines were printed. */
  let [offset, printed]: [string | undefined, number] = [undefined, 0];
  let isEmpty = true;
  let latest = observed;
  /** Prints what is new, until the log is over. */
  const isPrinted = async () => {
    // Read the status before the log, so that no last lines are missed.
    if (follow) latest = (await client.read(observed.id)) ?? latest;
    const isOver = !follow || isLogOver(latest, query, settings.dialect);
    for (let page: LogPage; ; [offset, printed] = [page.next, 0]) {
      page = await client.logPage(query, offset);
      print(page.lines.slice(printed));
      isEmpty &&= page.lines.length === 0;
      if (page.next === undefined || page.next === offset || signal?.aborted) {
        printed = page.lines.length;
        return isOver || undefined;
      }
    }
  };
  const { pollInterval } = settings;
  const pauses = { first: pollInterval, most: pollInterval };
  await waitUntil(clock, { deadline: Infinity, signal }, isPrinted, pauses);
  if (isEmpty) io.stderr.write(`the ${query.type} log of revision ${sanitize(query.revisionId)} is empty\n`);
}

/** A build log ends. The log of a running revision only ends if the revision never ran. */
function isLogOver(observed: Observed, { revisionId, type }: LogQuery, dialect: Dialect): boolean {
  if (revisionId !== observed.latestRevisionId) return true;
  const { latestRevisionStatus: status } = observed;
  const known = dialect.revisionStatuses;
  const isOver = status === known?.skipped || status === known?.stopped || status === null;
  if (isOver || logOfFailure(observed, dialect) !== undefined) return true;
  return type === "build" && status === known?.deployed;
}

function linePrinter({ stdout }: Io, asJson: boolean, redact: Redact): (lines: readonly LogLine[]) => void {
  return (lines) => {
    for (const { message, ...more } of lines) {
      const text = redact(message);
      if (asJson) stdout.write(`${escapeUnprintable(JSON.stringify({ ...more, message: text }))}\n`);
      // Again, because a control sequence can stand in the middle of a secret.
      else for (const line of linesOf(text, Infinity)) stdout.write(`${redact(line)}\n`);
    }
  };
}
