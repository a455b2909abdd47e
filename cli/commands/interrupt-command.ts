/** The command `interrupt`: ends a stuck revision. */
import type { Observed, Revision } from "../../provider/deployment/service";
import type { Connection } from "../../provider/control-plane/connect";
import { hasEnded, type Dialect } from "../../provider/dialects";
import { formatDuration } from "../../provider/time/duration";
import { jsonOf, sanitize } from "../../provider/text/sanitize";
import { exitCodes, UsageError, type ParsedArguments, type Command, type Io } from "../command";
import { fullRevisionId, imageOrCommit } from "../deployments/revision-table";
import { connectionOf, deploymentNamed, requirePath } from "../connection/service-connection";
import { stackFlag } from "../connection/stack-configuration";

export const interruptCommand: Command = {
  name: "interrupt",
  summary: "Interrupt a stuck revision, so that the revisions behind it can continue",
  positionals: ["NAME"],
  listsNames: true,
  flags: [
    { name: "revision", value: "ID", doc: "The revision to interrupt (default: the oldest unfinished one)" },
    { name: "yes", doc: "Do not ask for confirmation" },
    stackFlag,
  ],
  examples: {
    "npx pulumi-deployment-service status chat --revisions": "find the stuck revision",
    "npx pulumi-deployment-service interrupt chat": "interrupt the revision that blocks the others",
    "npx pulumi-deployment-service interrupt chat --yes": "the same in a script",
  },
  async run(args, io) {
    // Without a name, that comes first, with the names that there are.
    const confirm = args.positionals.length > 0 ? confirmationFor(args, io) : () => Promise.resolve(false);
    const connection = await connectionOf(args, io);
    const { client, settings } = connection;
    requirePath("interruption", "interrupting a revision", settings.dialect);
    const deployment = await deploymentNamed(args.positionals[0], client);
    const { name } = deployment;
    const revisions = await client.history.newest(deployment.id);
    const revision = await chosen(args, deployment, revisions, connection);
    const report = (text: string, wasInterrupted = false) => {
      const outcome = {
        name,
        id: deployment.id,
        revisionId: revision?.id ?? null,
        interrupted: wasInterrupted,
      };
      io.stdout.write(args.switches.has("json") ? jsonOf(outcome) : `${sanitize(text)}\n`);
      return exitCodes.done;
    };
    if (revision === undefined)
      return report(`nothing was done: all revisions of ${name} have already ended`);
    const which = `revision ${revision.id} of ${name}`;
    if (hasEnded(revision.status, settings.dialect))
      return report(`nothing was done: ${which} has already ended`);
    if (settings.dialect.interruptionWarning !== undefined)
      io.stderr.write(`warning: ${settings.dialect.interruptionWarning}\n`);
    if (!(await confirm(questionFor(deployment, revision, connection.clock))))
      return report(`nothing was done: ${which} continues`);
    await client.history.interrupt(deployment.id, revision.id);
    return report(
      `interrupted ${which}; \`npx pulumi-deployment-service status ${name} --wait\` shows what comes next`,
      true,
    );
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
  deployment: Observed,
  revisions: readonly Revision[],
  connection: Connection,
): Promise<Revision | undefined> {
  const { id, name, activeRevisionId } = deployment;
  const { client, settings } = connection;
  const given = flags["revision"];
  if (given === undefined) return firstInQueue(revisions, activeRevisionId, settings.dialect);
  const wanted = await fullRevisionId(given, deployment, connection);
  const found =
    revisions.find((each) => each.id.toLowerCase() === wanted.toLowerCase()) ??
    (await client.history.one(id, wanted));
  if (found === undefined) throw new Error(`${name} has no revision ${wanted}`);
  return found;
}

/** The oldest revision that has not ended, in a list that begins with the newest. Those older than the active one block nothing. */
function firstInQueue(
  revisions: readonly Revision[],
  activeRevisionId: string | null,
  dialect: Dialect,
): Revision | undefined {
  const active = revisions.findIndex(({ id }) => id === activeRevisionId);
  const since = active === -1 ? revisions : revisions.slice(0, active);
  return since.findLast((each) => !hasEnded(each.status, dialect));
}

/** `DEPLOYING, 12m old` */
function ageText({ status, createdAt }: Revision, clock: Connection["clock"]): string {
  const age = clock.now() - Date.parse(createdAt ?? "");
  return age >= 0 ? `${status}, ${formatDuration(age)} old` : status;
}

function questionFor({ name }: Observed, revision: Revision, clock: Connection["clock"]): string {
  const content = imageOrCommit(revision);
  const what = [ageText(revision, clock), ...(content === undefined ? [] : [content])].join(", ");
  return `${sanitize(`${name}, revision ${revision.id}:`)}\n  ${sanitize(what)}\nInterrupt it? [y/N] `;
}
