/** What an editor shows of an output is what the reference page says of it. */
import { expect, it } from "vitest";
import { deployment } from "../../schema/fields";
import { outputs } from "../../schema/outputs";
import { read } from "./documents";

const texts: Readonly<Record<string, { readonly doc: string }>> = { ...deployment, ...outputs };

const member = /\/\*\*((?:(?!\*\/)[^])*)\*\/\n {2}(?:declare readonly )?(\w+): /g;

function commentsIn(file: string): Map<string, string> {
  const found = [...read(file).matchAll(member)];
  return new Map(found.map(([, text, name]) => [name!, text!.replace(/\s+(\* )?/g, " ").trim()]));
}

it("says the same in the doc comments of a resource and of a result", () => {
  const ofResource = commentsIn("provider/program/deployment.ts");
  const ofResult = commentsIn("provider/program/results.ts");
  const declared = [...read("provider/program/deployment.ts").matchAll(/declare readonly (\w+)/g)];
  expect(declared.length).toBeGreaterThan(20);
  for (const [, name] of declared) expect([name, ofResource.get(name!)]).toEqual([name, texts[name!]?.doc]);
  for (const [name, { doc }] of Object.entries(outputs))
    if (ofResult.has(name)) expect([name, ofResult.get(name)]).toEqual([name, doc]);
});
