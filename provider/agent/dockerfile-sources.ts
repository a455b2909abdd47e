/** What lines of a Dockerfile copy from the folder. */

/** Patterns, variables, and the addresses and here-documents that are no files. */
const notPath = /^(?:[a-z+]+:\/\/|git@|<<)|[*?[$]/i;

/** Each with its instruction. */
export function copiedBy(lines: readonly string[]): { readonly path: string; readonly what: string }[] {
  const instructions = lines.join("\n").replace(/\\[ \t]*\r?\n/g, " ");
  return [...instructions.matchAll(/^[ \t]*(COPY|ADD)[ \t]+((?:--\S+[ \t]+)*)(.+)$/gim)]
    .filter(([, , flags]) => !/--from=/i.test(flags!))
    .flatMap(([, instruction, , words]) => {
      const written = /^\[/.test(words!)
        ? [...words!.matchAll(/"([^"]*)"/g)].map(([, word]) => word!)
        : words!.trim().split(/\s+/);
      return written
        .slice(0, -1)
        .filter((path) => !notPath.test(path))
        .map((path) => ({ path: `./${path}`, what: `\`${instruction!.toUpperCase()} ${path}\`` }));
    });
}
