/** The content of the source folder, which is stored with the arguments: finds and describes changes. */
import { firstOf } from "../text/first-of";
import { sanitize } from "../text/sanitize";
import { isObject, unknownValue, type Values } from "../../schema/tree";
import { type FieldChange, type InMap, signs } from "./field-change";
import { contentKey, type SourceContent } from "./service";

/** Placeholder for the content after a different archive was deployed outside of the stack. */
export const replacedContent: SourceContent = { digest: "", count: 0 };

/** Undefined if there is none, or if it is not known yet. */
export function contentIn(values: Values): SourceContent | undefined {
  const content = values[contentKey] as SourceContent | undefined;
  return isObject(content) && typeof content["digest"] === "string" ? content : undefined;
}

/** Whether both declare the same content, wherever the folder is. */
export function isSameContent(old: Values, declared: Values): boolean {
  const [before, after] = [contentIn(old), contentIn(declared)];
  return before !== undefined && before.digest === after?.digest;
}

/** At most one change, for the folder as a whole. */
export function contentChanges(old: Values, declared: Values): FieldChange[] {
  const [before, after] = [contentIn(old), contentIn(declared)];
  const isUnknown = declared[contentKey] === unknownValue;
  if (after === undefined && !isUnknown) {
    return before === undefined ? [] : [{ ...folder, effect: "none", cannotClear: true }];
  }
  if (isSameContent(old, declared)) return [];
  const difference = after === undefined ? { isUnknown: true } : differenceBetween(before, after);
  return [{ ...folder, effect: "revision", cannotClear: false, ...difference }];
}

const folder = { path: ["sourceDirectory"], patchPath: ["sourceDirectory"], isContent: true } as const;

function differenceBetween(
  before: SourceContent | undefined,
  after: SourceContent,
): Pick<FieldChange, "summary"> {
  if (before === undefined) return { summary: `uploads ${after.count} file${after.count === 1 ? "" : "s"}` };
  if (before.digest === "") return { summary: "a different archive was deployed outside of this stack" };
  if (before.files === undefined || after.files === undefined) return { summary: "content changed" };
  const [old, now] = [new Map(Object.entries(before.files)), new Map(Object.entries(after.files))];
  const isChanged = (path: string) => old.has(path) && old.get(path) !== now.get(path);
  const met = {
    added: [...now.keys()].filter((path) => !old.has(path)),
    removed: [...old.keys()].filter((path) => !now.has(path)),
    changed: [...now.keys()].filter(isChanged),
  } satisfies Record<InMap, string[]>;
  const names = Object.entries(met).flatMap(([kind, paths]) =>
    paths.map((path) => `${signs[kind as InMap]}${sanitize(path, 200)}`),
  );
  return { summary: names.length === 0 ? "the path of the graph configuration changed" : firstOf(names) };
}
