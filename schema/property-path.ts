/**
 * Pulumi's property paths, as the resource options `ignoreChanges`, `replaceOnChanges` and `additionalSecretOutputs` take them:
 * `a.b`, `a["b"]`, `["a"].b`, `a[0].b`, and `*` for any name or index.
 */
import { isObject, type Path } from "./tree";

/** A path whose parts may be `*`. */
export type PathPattern = Path;

const part = /^(?:\["((?:\\"|[^"])+)"\]|\[(\*|-?\d+)\]|\.?([^.[]+))/;

/** Undefined if Pulumi cannot read it: the engine reports that itself, or ignores it. */
export function parsePropertyPath(text: string): PathPattern | undefined {
  const parts: (string | number)[] = [];
  for (let rest = text; rest !== "";) {
    const found = part.exec(rest);
    if (found === null || (parts.length === 0 && rest.startsWith("."))) return undefined;
    const [whole, quoted, index, name] = found;
    parts.push(
      quoted?.replaceAll('\\"', '"') ??
        (index === undefined || index === "*" ? (name ?? "*") : Number(index)),
    );
    rest = rest.slice(whole.length);
  }
  return parts;
}

export function parsePropertyPaths(texts: readonly string[]): PathPattern[] {
  return texts.map(parsePropertyPath).filter((path) => path !== undefined);
}

/** Whether one of the patterns matches the path, or something that contains it. */
export function isCovered(path: Path, by: readonly PathPattern[]): boolean {
  return by.some(
    (pattern) =>
      pattern.length <= path.length && pattern.every((each, index) => each === "*" || each === path[index]),
  );
}

/** Whether one of the patterns matches the path, something that contains it, or something in it. */
export function isTouched(path: Path, by: readonly PathPattern[]): boolean {
  return by.some((pattern) => isCovered(path, [pattern.slice(0, path.length)]));
}

/** The paths of everything in a value that the patterns cover. Enters a list only if they do not cover all of it. */
export function coveredPaths(value: unknown, by: readonly PathPattern[], at: Path = []): Path[] {
  if (isObject(value))
    return Object.entries(value).flatMap(([name, member]) => coveredPaths(member, by, [...at, name]));
  if (isCovered(at, by)) return [at];
  return Array.isArray(value) ? value.flatMap((item, index) => coveredPaths(item, by, [...at, index])) : [];
}
