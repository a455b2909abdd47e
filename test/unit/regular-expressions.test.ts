/** Patterns that would take quadratic time on a long text, which may be the service's. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Options } from "../../schema/manifest";

const sources = ["provider", "schema", "cli"].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(folder, name)),
);

/** A character or a class that repeats up to the end, right after the beginning of the pattern or of an alternative. */
const runAtEnd = /(?:[(,]\s*\/|\|)(?:\\.|\[(?!\^)[^\]\n]+\]|[-=\w])[+*]\$\/[a-z]*\s*[,).]/;

it("a run of characters at the end is matched from its beginning alone: `(?<!-)-+$`, not `-+$`", () => {
  expect('text.replace(/-+$/, "")').toMatch(runAtEnd);
  expect('text.replace(/^-+|[-_]+$/g, "")').toMatch(runAtEnd);
  expect('text.replace(/(?<!-)-+$/, "")').not.toMatch(runAtEnd);
  expect(sources.filter((file) => runAtEnd.test(readFileSync(file, "utf8")))).toEqual([]);
});

it("a former key of many colons is refused in a time that grows with its length", () => {
  const accepts = (alias: string) => Options.safeParse({ aliases: [alias] }).success;
  expect(accepts("urn:pulumi:dev::chat::pulumi-nodejs:dynamic/deployment-service:Deployment::chat")).toBe(
    true,
  );
  expect(accepts("urn:pulumi:dev::chat::a:b:C$d:e:F::chat::2")).toBe(true);
  expect(accepts("chat")).toBe(true);
  expect(accepts("urn:pulumi:dev::chat::chat")).toBe(false);
  const started = performance.now();
  expect(accepts(`urn:pulumi:${":".repeat(100_000)}`)).toBe(false);
  expect(accepts(`urn:pulumi:a::b::${"c:".repeat(50_000)}`)).toBe(false);
  expect(performance.now() - started).toBeLessThan(2_000);
});
