/** The samples of the registry's page name only what the schema has; `npm run test:languages` runs and compiles those it can. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { read } from "../../docs/documents";
import { fencesIn } from "../../docs/markdown";

interface Properties {
  readonly properties?: Readonly<Record<string, unknown>>;
}
const schema = JSON.parse(readFileSync(resolve("plugin/schema.json"), "utf8")) as Readonly<
  Record<"types" | "resources", Readonly<Record<string, Properties>>>
>;
const known = [...Object.values(schema.types), ...Object.values(schema.resources)].flatMap(
  ({ properties = {} }) => Object.keys(properties),
);

/** How an argument is set at the beginning of a line, and the names there that are the language's own. */
const languages: Readonly<Record<string, { set: RegExp; own?: readonly string[] }>> = {
  python: { set: /^ {4}(\w+)=/gm },
  go: { set: /^\t{4,}(\w+): /gm },
  csharp: { set: /^ {8,}(\w+) =/gm },
  yaml: { set: /^ {6,}(\w+):/gm, own: ["MODEL_API_KEY"] },
};

const camelCase = (name: string) =>
  name
    .replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
    .replace(/^[A-Z]/, (letter) => letter.toLowerCase());

describe.each(Object.entries(languages))("the sample in %s", (language, { set, own = [] }) => {
  it("sets only arguments that are there", () => {
    const [sample, ...others] = fencesIn(read("docs/registry/_index.md")).filter(
      (fence) => fence.language === language,
    );
    expect(others).toEqual([]);
    const names = [...sample!.text.matchAll(set)]
      .map(([, name]) => name!)
      .filter((name) => !own.includes(name));
    expect(names.length).toBeGreaterThanOrEqual(4);
    expect(names.filter((name) => !known.includes(camelCase(name)))).toEqual([]);
  });
});
