/** The command `interrupt`: ends a stuck revision. */
import type { Revision } from "../../provider/control-plane/translate";
import type { Connection } from "../../provider/control-plane/connect";
import { hasEnded } from "../../provider/dialects";
import { formatDuration } from "../../provider/time/duration";
import { jsonOf, sanitize } from "../../provider/text/sanitize";
import { exitCodes, UsageError, type ParsedArguments, type Command } from "../command";
import { contentOf, revisionNamed } from "../deployments/revision-table";
import { deploymentNamed, type Chosen } from "../connection/named-deployment";
import { connectionOf, requirePath } from "../connection/service-connection";
import { stackWords } from "../connection/stack-configuration";

export const interruptCommand: Command = async (args, io) => {
  const { ask } = io;
  const isConfirmed = args.switches.has("yes");
  if (!isConfirmed && ask === undefined)
    throw new UsageError("interrupt asks for confirmation, which needs a terminal: add --yes");
  const connection = await connectionOf(args, io);
  const { client, settings } = connection;
  requirePath("interruption", "interrupting a revision", settings.dialect);
  const chosen = await deploymentNamed(args.positionals[0]!, connection, io);
  const { deployment, stack } = chosen;
  const { name } = deployment;
  const revision = await revisionMeant(args, chosen, connection);
  const report = (text: string, wasInterrupted = false) => {
    const revisionId = revision?.id ?? null;
    const outcome = { stack, name, id: deployment.id, revisionId, interrupted: wasInterrupted };
    io.stdout.write(args.switches.has("json") ? jsonOf(outcome) : `${sanitize(text)}\n`);
    return exitCodes.done;
  };
  if (revision === undefined) return report(`nothing was done: all revisions of ${name} have already ended`);
  const which = `revision ${revision.id} of ${name}`;
  if (hasEnded(revision.status, settings.dialect))
    return report(`nothing was done: ${which} has already ended`);
  if (settings.dialect.interruptionWarning !== undefined)
    io.stderr.write(`warning: ${settings.dialect.interruptionWarning}\n`);
  const target = targetText(chosen, revision, connection);
  if (isConfirmed) io.stderr.write(target);
  else if (!/^\s*y(es)?\s*$/i.test(await ask!(`${target}Interrupt it? [y/N] `)))
    return report(`nothing was done: ${which} continues`);
  await client.history.interrupt(deployment.id, revision.id);
  return report(
    `interrupted ${which}; \`npx pulumi-deployment-service status ${name} --wait${stackWords(stack)}\` shows what comes next`,
    true,
  );
};

/** The given revision, or the oldest that has not ended; undefined if all have. */
async function revisionMeant(
  { flags }: ParsedArguments,
  chosen: Chosen,
  connection: Connection,
): Promise<Revision | undefined> {
  const given = flags["revision"];
  if (given !== undefined) return revisionNamed(given, chosen, connection);
  const { id, activeRevisionId } = chosen.deployment;
  const { client, settings } = connection;
  // The newest comes first. Those older than the active one block nothing.
  const revisions = await client.history.newest(id);
  const active = revisions.findIndex((each) => each.id === activeRevisionId);
  const since = active === -1 ? revisions : revisions.slice(0, active);
  return since.findLast((each) => !hasEnded(each.status, settings.dialect));
}

/** Stack, service and deployment, and the revision with its age and content. */
function targetText(
  { deployment, stack }: Chosen,
  revision: Revision,
  { clock, settings }: Connection,
): string {
  const place = `${stack === undefined ? "no stack" : `stack ${stack}`}, service ${settings.baseUrl}:`;
  const which = `deployment ${deployment.name}, revision ${revision.id}`;
  const age = clock.now() - Date.parse(revision.createdAt ?? "");
  const ageText = age >= 0 && `${formatDuration(age)} old`;
  const what = [revision.status, ageText, contentOf(revision)].filter(Boolean).join(", ");
  return `${sanitize(place)}\n  ${sanitize(which)}\n  ${sanitize(what)}\n`;
}
