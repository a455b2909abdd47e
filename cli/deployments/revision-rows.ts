/** Rows of deployments with what their revisions show. A revision that cannot be read stops no listing. */
import { sentencesText } from "../../provider/errors/advice";
import { ControlPlaneError, isKind } from "../../provider/errors";
import { firstOf } from "../../provider/text/first-of";
import type { DeploymentState } from "./deployment-state";
import type { Progress } from "../terminal/progress";

interface Row {
  readonly name: string;
  readonly state: DeploymentState;
  /** Why the revisions could not be read. */
  readonly error?: string;
}

/** @param known the row without what the revisions show */
export async function readRows<T, R extends Row>(
  items: readonly T[],
  progress: Progress,
  read: (item: T) => Promise<R>,
  known: (item: T) => R,
): Promise<R[]> {
  let done = 0;
  progress.text = () => `reading revisions: ${done} of ${items.length}, ${progress.elapsed()}`;
  const rowOf = async (item: T): Promise<R> => {
    try {
      return await read(item);
    } catch (error) {
      if (!(error instanceof ControlPlaneError) || isKind(error, "interrupted", "out-of-time")) throw error;
      const row = known(item);
      const state = row.state === "rolling out" ? "unknown" : row.state;
      return { ...row, state, error: sentencesText(error) };
    } finally {
      done++;
    }
  };
  return Promise.all(items.map(rowOf));
}

/** Throws if revisions could not be read. */
export function refuseUnread(rows: readonly Row[]): void {
  const unread = rows.filter(({ error }) => error !== undefined);
  if (unread.length === 0) return;
  const names = firstOf(unread.map(({ name }) => name));
  throw new Error(`cannot read the revisions of ${names}: ${unread[0]!.error}`);
}
