/** What `status --revisions` prints: the revisions of a deployment. */
import type { Connection } from "../../provider/control-plane/connect";
import { setFields } from "../../schema/rows";
import type { Revision } from "../../provider/control-plane/translate";
import type { Observed } from "../../provider/deployment/service";
import { isUuid } from "../../schema/uuid";
import { asObject, type Values } from "../../schema/tree";
import type { Io, ParsedArguments } from "../command";
import { deploymentNamed, type Chosen } from "../connection/named-deployment";
import { requirePath, type CommandConnection } from "../connection/service-connection";
import { stackWords } from "../connection/stack-configuration";
import { printRows, type Column } from "../terminal/text-table";

/** Prints the revisions of a deployment, newest first. */
export async function showRevisions(
  name: string,
  args: ParsedArguments,
  connection: CommandConnection,
  io: Io,
): Promise<void> {
  const { client, settings } = connection;
  requirePath("revisions", "listing revisions", settings.dialect);
  const { deployment } = await deploymentNamed(name, connection, io);
  const revisions = await client.history.newest(deployment.id);
  const rows = revisions.map((each) => {
    const isActive = each.id === deployment.activeRevisionId;
    return {
      ...each,
      isActive,
      imageVersion: each.imageVersion ?? (isActive ? deployment.imageVersion : null),
    };
  });
  printRows(rows, columns, "no revisions", args, io, rows.map(withoutUnset));
  if (rows.length >= mostRevisions) io.stderr.write(`these are the newest ${rows.length} revisions\n`);
}

/** The revision with an id, of which the beginning is enough: lists and lines show no more. */
export async function revisionNamed(
  given: string,
  { deployment: { id, name }, stack }: Chosen,
  { client }: Pick<Connection, "client">,
): Promise<Revision> {
  const isMeant = (each: Revision) => each.id.toLowerCase().startsWith(given.toLowerCase());
  const [first, ...others] = (await client.history.newest(id)).filter(isMeant);
  if (first !== undefined && others.length === 0) return first;
  const older = isUuid(given) ? await client.history.one(id, given) : undefined;
  if (older !== undefined) return older;
  const found = first === undefined ? "no revision has" : "several revisions have";
  throw new Error(
    `${found} an id that begins with ${given}: \`npx pulumi-deployment-service status ${name} --revisions${stackWords(stack)}\` shows them in full`,
  );
}

/** The service returns no more than this. */
const mostRevisions = 100;

type Row = Revision & { readonly isActive: boolean };

/** The image, commit or branch, or the name of a folder's upload; undefined if the service does not report it. */
export function contentOf({ sourceRevisionConfig: given }: Pick<Observed, "sourceRevisionConfig">) {
  const { imageUri, repoCommitSha, repoRef, sourceTarballPath: archive } = given;
  const content = [imageUri, repoCommitSha, repoRef].find((each) => typeof each === "string");
  return content ?? (typeof archive === "string" ? uploadName(archive) : undefined);
}

/** The archive's own part of its path, which is the same for all archives before that. */
function uploadName(path: string): string {
  const names = path.split("/").filter((name) => name !== "");
  const name = names.findLast((each) => /\d/.test(each)) ?? names.at(-1) ?? path;
  return `upload ${name.replace(/\.(tar\.gz|tgz|tar|zip)$/, "").slice(0, 13)}`;
}

/** A commit as `git log` shortens it. */
export function shortContent(text: string): string {
  return text.replace(/^([0-9a-f]{12})[0-9a-f]{28,}$/, "$1");
}

const columns: readonly Column<Row>[] = [
  { heading: "CREATED", text: ({ createdAt }) => createdAt?.replace(/\.\d+/, "") },
  { heading: "STATUS", text: ({ status, isActive }) => (isActive ? `${status} (active)` : status) },
  { heading: "ID", text: ({ id }) => id },
  { heading: "RUNS", text: (row) => shortContent(contentOf(row) ?? ""), optional: true },
  { heading: "SERVER", text: ({ imageVersion }) => imageVersion, optional: true },
  { heading: "REASON", text: ({ reason }) => reason, optional: true },
];

function withoutUnset({ sourceRevisionConfig: given, ...row }: Row): Values {
  const { repoCommitSha } = given;
  const { sourceRevisionConfig: config } = setFields({ sourceRevisionConfig: given });
  const commit = repoCommitSha !== null && { repoCommitSha };
  return { ...row, sourceRevisionConfig: { ...asObject(config), ...commit } };
}
