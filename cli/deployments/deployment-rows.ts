/** The rows of `list` and `status`: deployments with what their revisions show. */
import { sentencesText } from "../../provider/errors/advice";
import type { Observed } from "../../provider/deployment/service";
import type { Connection } from "../../provider/control-plane/connect";
import type { Dialect } from "../../provider/dialects";
import { isKind } from "../../provider/errors";
import { firstOf } from "../../provider/text/first-of";
import type { Column } from "../terminal/text-table";
import { deploymentTypeOf, stateOf, type DeploymentState } from "./deployment-state";

export interface DeploymentRow {
  readonly name: string;
  readonly state: DeploymentState;
  /** Null if the service does not report it. */
  readonly type: string | null;
  readonly observed: Observed;
  /** What the active revision runs, if it was asked for. Null if there is none, or the service does not report it. */
  readonly runs?: string | null;
  /** Why its revisions could not be read. */
  readonly error?: string;
}

export const columns = {
  name: { heading: "NAME", text: ({ name }) => name },
  // With a mark if the deployment belongs to something else than a program.
  state: {
    heading: "STATE",
    text: ({ state, observed: { owner } }) => (owner ? `${state} (${owner.what})` : state),
  },
  url: { heading: "URL", text: ({ observed }) => observed.url, optional: true },
  type: { heading: "TYPE", text: ({ type }) => type, optional: true },
} satisfies Record<string, Column<DeploymentRow>>;

function rowOf(observed: Observed, dialect: Dialect): DeploymentRow {
  const { name } = observed;
  return { name, state: stateOf(observed, dialect), type: deploymentTypeOf(observed, dialect), observed };
}

/**
 * Reads all rows. Revisions that cannot be read stop no listing.
 *
 * @param runsOf reads what the active revision runs
 */
export async function readRows(
  found: readonly Observed[],
  client: Connection["client"],
  dialect: Dialect,
  runsOf?: (observed: Observed) => Promise<string | null>,
): Promise<DeploymentRow[]> {
  const rowWith = async (each: Observed): Promise<DeploymentRow> => {
    try {
      const row = rowOf(await client.withRevision(each), dialect);
      return runsOf === undefined ? row : { ...row, runs: await runsOf(each) };
    } catch (error) {
      if (isKind(error, "interrupted", "out-of-time")) throw error;
      const row = rowOf(each, dialect);
      const state = row.state === "rolling out" ? "unknown" : row.state;
      return { ...row, state, error: sentencesText(error) };
    }
  };
  return Promise.all(found.map(rowWith));
}

/** Throws if revisions could not be read. */
export function refuseUnread(rows: readonly DeploymentRow[]): void {
  const unread = rows.filter(({ error }) => error !== undefined);
  if (unread.length === 0) return;
  const names = firstOf(unread.map(({ name }) => name));
  throw new Error(`cannot read the revisions of ${names}: ${unread[0]!.error}`);
}
