/** The sources for which a field has a meaning, by its path, for the fields that are not for all. Read from the one table. */
import { deployment, type Fields, type Source } from "./fields";

/** `{ "sourceConfig.repoUrl": ["codehost"], … }` */
export const sourcesOf: Readonly<Record<string, readonly Source[]>> = Object.fromEntries(
  restricted(deployment, []),
);

function restricted(fields: Fields, path: readonly string[]): [string, readonly Source[]][] {
  return Object.entries(fields).flatMap(([name, field]): [string, readonly Source[]][] => {
    const inner = [...path, name];
    if (field.kind === "group") return restricted(field.fields, inner);
    return field.sources === undefined ? [] : [[inner.join("."), field.sources]];
  });
}

/** The paths of the fields that mean nothing for a source. */
export function foreignTo(source: Source): string[] {
  return Object.keys(sourcesOf).filter((path) => !sourcesOf[path]!.includes(source));
}
