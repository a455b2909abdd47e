/** The sentence next to a resource. `diff` writes it. */
import { type FieldChange, signs } from "./field-change";
import { effectOf } from "./plan";
import { formatPath } from "../../schema/tree";

/** What a line of an update begins with. */
const openings = {
  replacement: "replaces the deployment",
  revision: "creates a new revision",
  settings: "updates settings, no new revision",
} as const;

/** What makes a revision although nothing else changed. */
export const changeTriggers =
  'change `triggers` (`triggers: ["retry-1"]`; removing it later creates another revision)';

/**
 * `creates a new revision (sourceRevisionConfig.imageUri, secrets: +NEW, -OLD)`; undefined if there is nothing to send.
 *
 * @param later those that are sent only once a revision is active, and none is as far as is known
 */
export function explanationText(
  changes: readonly FieldChange[],
  later: readonly FieldChange[] = [],
): string | undefined {
  const severest = effectOf(changes);
  if (severest === "none") return undefined;
  const besides = changes.filter(({ effect }) => effect !== severest && effect !== "none");
  const changed = formatChanges(besides.filter(({ isUnknown }) => !isUnknown));
  const unknown = formatChanges(besides.filter(({ isUnknown }) => isUnknown));
  const also = (changed && `; also changes ${changed}`) + (unknown && `; ${unknown}`);
  const loses =
    severest === "replacement"
      ? "; its id changes, and usually its address; its data is not carried over"
      : "";
  const waits = later.length === 0 ? "" : `; ${laterText(later)}`;
  const perhaps = reasonsOf(changes).every(({ isUnknown }) => isUnknown);
  const unless = perhaps ? `; no ${nouns[severest]} if the unknown values stay the same` : "";
  return `${openings[severest]} (${reasonsText(changes)})${also}${unless}${loses}${waits}`;
}

const nouns = { settings: "update", revision: "new revision", replacement: "replacement" } as const;

/** @param changes that send nothing: only the provider uses them, or the service has them already */
export function localText(changes: readonly FieldChange[]): string | undefined {
  return changes.length === 0 ? undefined : `changes nothing on the service (${formatChanges(changes)})`;
}

/** The changes that have the most severe effect. */
export function reasonsText(changes: readonly FieldChange[]): string {
  return formatChanges(reasonsOf(changes));
}

function reasonsOf(changes: readonly FieldChange[]): readonly FieldChange[] {
  const severest = effectOf(changes);
  return changes.filter(({ effect }) => effect === severest && effect !== "none");
}

/** @param later what the update does after it, if anything */
export function resumesText(later: string | undefined): string {
  return `resumes waiting for its last rollout, ${later === undefined ? "no new revision" : `then ${later}`}`;
}

/** @param later what has changed too, and is sent only once a revision is active */
export function failsAgainText(status: string, later: readonly FieldChange[]): string {
  const names = later.length === 0 ? "" : ` (${laterText(later)})`;
  return (
    `its last revision failed (${status}): \`up\` fails again until a change makes a new one${names}; to try again as it is, ` +
    changeTriggers
  );
}

function laterText(later: readonly FieldChange[]): string {
  const names = later.map(({ path }) => formatPath(path)).join(" and ");
  return `${names} ${later.length === 1 ? "is" : "are"} sent only once a revision is active`;
}

/** Names of one map stand together, what is added first: `secrets: +NEW, -OLD, ~KEY`. */
function formatChanges(changes: readonly FieldChange[]): string {
  const rank = ({ inMap }: FieldChange) => (inMap === undefined ? 0 : Object.keys(signs).indexOf(inMap));
  const items = new Map<string, string[]>();
  for (const change of [...changes].sort((a, b) => rank(a) - rank(b))) {
    const { path, inMap, summary } = change;
    const isMember = inMap !== undefined && !change.isUnknown;
    const at = change.isUnknown ? unknownText(change) : formatPath(isMember ? path.slice(0, -1) : path);
    const note = change.isUnknown ? undefined : isMember ? `${signs[inMap]}${path.at(-1)}` : summary;
    items.set(at, [...(items.get(at) ?? []), ...(note === undefined ? [] : [note])]);
  }
  return [...items].map(([at, notes]) => [at, notes.join(", ")].filter(Boolean).join(": ")).join(", ");
}

/** `secrets.AGENT_URL follows billing.url, which is not known yet` */
function unknownText({ path, follows }: FieldChange): string {
  const name = formatPath(path);
  return follows === undefined
    ? `${name}: not known yet`
    : `${name} follows ${follows}, which is not known yet`;
}
