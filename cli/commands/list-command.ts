/** The command `list`: the deployments of the service. */
import { resultOf } from "../../provider/lookup/result";
import type { Dialect } from "../../provider/dialects";
import { withMarkedCredentials } from "../../provider/text/credential";
import { secretMark } from "../../provider/text/user-info";
import { type Command } from "../command";
import { columns, readRows, refuseUnread, type DeploymentRow } from "../deployments/deployment-rows";
import { filtersIn, missingIds } from "../deployments/filter-flags";
import { collect, connectionOf, otherDialect } from "../connection/service-connection";
import { sortedByName, printRows, type Column } from "../terminal/text-table";

const shownColumns: readonly Column<DeploymentRow>[] = [
  columns.name,
  columns.state,
  columns.url,
  { heading: "SOURCE", text: ({ observed }) => observed.source, optional: true },
  columns.type,
  { heading: "UPDATED", text: ({ observed }) => observed.updatedAt?.slice(0, 10), optional: true },
  { heading: "ID", text: ({ observed }) => observed.id, optional: true },
];

export const listCommand: Command = async (args, io) => {
  const filters = filtersIn(args);
  const { client, settings } = await connectionOf(args, io);
  const { dialect } = settings;
  const found = sortedByName(await collect(client.list(filters)));
  const rows = await readRows(found, client, dialect);
  const shown = rows.map(({ observed }) => observed);
  const wrongDialect = otherDialect(shown, dialect);
  if (wrongDialect !== undefined) io.stderr.write(`warning: ${wrongDialect}\n`);
  const missing = missingIds(filters, shown);
  const none = missing === undefined ? "no deployments" : "";
  const json = rows.map((row) => withoutSecretValues(row, dialect));
  printRows(rows, shownColumns, none, args, io, json);
  if (missing !== undefined) throw new Error(missing);
  refuseUnread(rows);
};

function withoutSecretValues({ state, type, observed, error }: DeploymentRow, { owners }: Dialect) {
  const { secrets: _, ...result } = withMarkedCredentials(resultOf(observed), () => secretMark);
  // `isPreview`, by the service's own name.
  const marks = Object.entries(owners).map(([field, owner]): [string, boolean] => [
    field.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
    observed.owner === owner,
  ]);
  const secretNames = Object.keys(observed.secrets ?? {});
  return { ...result, state, type, ...Object.fromEntries(marks), secretNames, ...(error && { error }) };
}
