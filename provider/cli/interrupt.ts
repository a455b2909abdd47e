import { isKind } from "../errors";
import { ageOf, firstInQueue, hasEnded } from "../deployment/queue";
import type { Observed, Revision } from "../deployment/service";
import type { Connection } from "../control-plane/connect";
import { jsonOf, sanitize } from "../text/sanitize";
import { exitCodes, UsageError, type ParsedArguments, type Command, type Io } from "./command";
import { requirePath } from "./dialect";
import { imageOrCommit } from "./revisions";
import { connectionOf, deploymentNamed } from "./service";
import { stackFlag } from "./stack";

export const interruptCommand: Command = {
  name: "interrupt",
  summary: "Interrupt a stuck revision, so that the revisions behind it can continue",
  positionals: ["NAME"],
  flags: [
    { name: "revision", value: "ID", doc: "The revision to interrupt (default: the oldest unfinished one)" },
    { name: "yes", doc: "Do not ask for confirmation" },
    stackFlag,
  ],
  examples: {
    "deployment-service status chat --revisions": "find the stuck revision",
    "deployment-service interrupt chat": "interrupt the revision that blocks the others",
    "deployment-service interrupt chat --yes": "the same in a script",
  },
  async run(args, io) {
    const [name = ""] = args.positionals;
    const confirm = confirmationFor(args, io);
    const connection = await connectionOf(args, io);
    const { client, settings } = connection;
    requirePath("interruption", "interrupting a revision", settings.dialect);
    const deployment = await deploymentNamed(name, client);
    const revisions = await client.revisions(deployment.id);
    const revision = await chosen(args, deployment, revisions, connection);
    if (revision === undefined) return printOutcome("all-ended", deployment, undefined, args, io);
    if (hasEnded(revision, settings.dialect)) return printOutcome("ended", deployment, revision, args, io);
    if (!(await confirm(questionFor(deployment, revision, revisions, connection))))
      return printOutcome("declined", deployment, revision, args, io);
    const wasRunning = await end(deployment, revision, connection);
    return printOutcome(wasRunning ? "interrupted" : "ended", deployment, revision, args, io);
  },
};

/** Asks the user for confirmation. Throws if there is no terminal and no `--yes`. */
function confirmationFor({ switches }: ParsedArguments, { ask }: Io): (question: string) => Promise<boolean> {
  if (switches.has("yes")) return () => Promise.resolve(true);
  if (ask === undefined) {
    throw new UsageError("interrupt asks for confirmation, which needs a terminal: add --yes");
  }
  return async (question) => /^y(es)?$/i.test((await ask(question)).trim());
}

/** The given revision, or the first in the queue; undefined if all have ended. */
async function chosen(
  { flags }: ParsedArguments,
  { id, name, activeRevisionId }: Observed,
  revisions: readonly Revision[],
  { client, settings }: Connection,
): Promise<Revision | undefined> {
  const wanted = flags["revision"];
  if (wanted === undefined) return firstInQueue(revisions, activeRevisionId, settings.dialect);
  const found =
    revisions.find((each) => each.id.toLowerCase() === wanted.toLowerCase()) ??
    (await client.revision(id, wanted));
  if (found === undefined) throw new Error(`${name} has no revision ${wanted}`);
  return found;
}

function questionFor(
  { name }: Observed,
  revision: Revision,
  revisions: readonly Revision[],
  { clock, settings }: Connection,
): string {
  const at = revisions.findIndex(({ id }) => id === revision.id);
  const behind = revisions.slice(0, Math.max(0, at)).filter((each) => !hasEnded(each, settings.dialect));
  const content = imageOrCommit(revision);
  const what = [ageOf(revision, clock), ...(content === undefined ? [] : [content])].join(", ");
  const waiting =
    behind.length === 0
      ? ""
      : `; ${behind.length} newer ${behind.length === 1 ? "one waits" : "ones wait"} behind it`;
  return `${sanitize(`Interrupt revision ${revision.id} of ${name} (${what})${waiting}?`)} [y/N] `;
}

/** Resolves to false if the revision ended by itself in the meantime. */
async function end({ id }: Observed, revision: Revision, { client, settings }: Connection): Promise<boolean> {
  try {
    await client.interrupt(id, revision.id);
    return true;
  } catch (error) {
    if (!isKind(error, "conflict", "invalid")) throw error;
    const now = await client.revision(id, revision.id);
    if (now === undefined || !hasEnded(now, settings.dialect)) throw error;
    return false;
  }
}

type Outcome = "interrupted" | "ended" | "all-ended" | "declined";

function printOutcome(
  outcome: Outcome,
  { id, name }: Observed,
  revision: Revision | undefined,
  { switches }: ParsedArguments,
  io: Io,
): number {
  const isInterrupted = outcome === "interrupted";
  if (switches.has("json")) {
    const { id: revisionId = null } = revision ?? {};
    io.stdout.write(jsonOf({ name, id, revisionId, interrupted: isInterrupted }));
    return exitCodes.done;
  }
  const which = `revision ${revision?.id} of ${name}`;
  const texts: Record<Outcome, string> = {
    interrupted: `interrupted ${which}; \`deployment-service status ${name} --wait\` shows what comes next`,
    ended: `nothing was done: ${which} has already ended`,
    "all-ended": `nothing was done: all revisions of ${name} have already ended`,
    declined: `nothing was done: ${which} continues`,
  };
  io.stdout.write(`${sanitize(texts[outcome])}\n`);
  return exitCodes.done;
}
