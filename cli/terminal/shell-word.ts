import { sanitize } from "../../provider/text/sanitize";

/** Quoted if a shell would not read it as one word. */
export function shellWord(text: string): string {
  return /^[\w.:/-]+$/.test(text) ? text : `'${sanitize(text).replaceAll("'", `'\\''`)}'`;
}
