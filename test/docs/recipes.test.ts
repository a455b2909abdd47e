/** The recipe for Pulumi's configuration service, which no test can start. */
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { settingsTable } from "../../provider/settings/table";
import { read } from "./documents";
import { fencesIn } from "./markdown";

describe("the ESC environment", () => {
  it("sets only settings that there are, and refers only to what it holds", () => {
    const [text] = fencesIn(read("docs/recipes/esc.md"))
      .filter(({ language }) => language === "yaml")
      .map(({ text }) => text)
      .filter((each) => each.startsWith("values:"));
    const { values } = parse(text!) as { values: Record<string, Record<string, string>> };
    const settings = Object.keys(values["pulumiConfig"]!).filter((key) =>
      key.startsWith("deployment-service:"),
    );
    expect(settings.length).toBeGreaterThan(0);
    for (const key of settings) expect(settingsTable).toHaveProperty(key.split(":")[1]!);
    const variables = Object.values(settingsTable).map(({ env }) => env);
    expect(variables).toEqual(expect.arrayContaining(Object.keys(values["environmentVariables"]!)));
    const references = [...text!.matchAll(/\$\{(\w+)\.(\w+)/g)].map(([, ...path]) => path);
    expect(references.length).toBeGreaterThan(0);
    for (const path of references) expect(values).toHaveProperty(path);
  });
});
