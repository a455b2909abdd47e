/** The names in a file of environment variables. Never its values, which may be credentials. */
import { readText } from "./open-file";
import { SourceError } from "./source-error";

/** An assignment with all lines of a quoted value, so that no line of a value is taken for a name. */
const assignment =
  /^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w*)[ \t]*=[ \t]*("(?:\\[^]|[^"\\])*"|'(?:\\[^]|[^'\\])*'|[^\s'"=][^\r\n]*)/gm;

/** Names with a value. None if the file cannot be read, because the deployment does not need it. */
export async function namesIn(file: string): Promise<string[]> {
  const text = await readText(file).catch((error: unknown) => {
    if (error instanceof SourceError) return "";
    throw error;
  });
  return namesInText(text);
}

export function namesInText(text: string): string[] {
  return [...new Set([...text.matchAll(assignment)].map(([, name]) => name!))].sort();
}
