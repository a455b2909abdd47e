/** A folder in a manifest is relative to the manifest, wherever the program is. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { scratch } from "../../support/folders";
import { cli } from "../cli/support";

const manifest = (more = "") => `version: 1
deployments:
  agent: { source: internal_source, sourceDirectory: ./agent${more} }
`;

function write(text: string): string {
  const folder = scratch();
  writeFileSync(join(folder, "deployments.yaml"), text);
  return folder;
}

it.each([
  ["index.ts", "./agent"],
  ["../index.ts", "NAME/agent"],
])("is relative to the generated program %s", async (out, path) => {
  const cwd = write(manifest());
  const name = cwd.slice(cwd.lastIndexOf("/") + 1);
  const written = out.replace("index", name);
  onTestFinished(() => rmSync(join(cwd, written), { force: true }));
  expect((await cli(["generate", "deployments.yaml", "--out", written], { cwd })).code).toBe(0);
  const { stdout } = await cli(["generate", join(cwd, "deployments.yaml")], { cwd });
  expect(stdout).toContain('sourceDirectory: "./agent"');
  expect(readFileSync(join(cwd, written), "utf8")).toContain(
    `sourceDirectory: ${JSON.stringify(path.replace("NAME", name))}`,
  );
});

it.each([
  ["the project's folder", "", "./agent"],
  ["its `main`, if it has one", "main: src\n", "../agent"],
])("is relative to %s if the program is below it, since Pulumi runs it there", async (_, main, path) => {
  const cwd = write(manifest());
  mkdirSync(join(cwd, "src"));
  writeFileSync(join(cwd, "Pulumi.yaml"), `name: shop\nruntime: nodejs\n${main}`);
  expect((await cli(["generate", "deployments.yaml", "--out", "src/index.ts"], { cwd })).code).toBe(0);
  expect(readFileSync(join(cwd, "src/index.ts"), "utf8")).toContain(
    `sourceDirectory: ${JSON.stringify(path)}`,
  );
});
