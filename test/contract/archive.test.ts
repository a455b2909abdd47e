/** The archive of a release, as the Pulumi CLI downloads and unpacks it. */
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createStack, type Stack } from "../engine";
import { nowhere } from "../support/product";
import { writeRelease } from "../tools/release/archive";

const version = "0.1.0";
const repository = "acme/pulumi-deployment-service";

let out: string;
let files: string[];
let stack: Stack;
beforeAll(async () => {
  out = mkdtempSync(join(tmpdir(), "release-"));
  files = writeRelease({ packed: inject("packed").folder, out, repository });
  stack = await createStack({
    program: {
      "index.js": `
const pulumi = require("@pulumi/pulumi");
new pulumi.CustomResource("deployment-service:index:Deployment", "chat", {
  source: "external_container",
  sourceRevisionConfig: { imageUri: "registry.example.com/chat:1" },
}, { version: "${version}" });`,
    },
    env: nowhere,
  });
});
afterAll(async () => {
  await stack.dispose();
  rmSync(out, { recursive: true, force: true });
});

describe("the archives of a release", () => {
  it("are named as the CLI asks for them, one for each platform, all the same, with the schema next to them", () => {
    const platforms = ["linux", "darwin", "windows"].flatMap((system) => [
      `${system}-amd64`,
      `${system}-arm64`,
    ]);
    const names = platforms.map(
      (platform) => `pulumi-resource-deployment-service-v${version}-${platform}.tar.gz`,
    );
    const all = [...names, "schema.json", "SHA256SUMS"];
    expect(files.map((file) => basename(file))).toEqual(all);
    expect(readdirSync(out).sort()).toEqual([...all].sort());
    const [first, ...others] = files.slice(0, names.length).map((file) => readFileSync(file));
    expect(others.every((other) => other.equals(first!))).toBe(true);
  });

  it("the archives of the plugin have checksums that fit", () => {
    const sums = readFileSync(join(out, "SHA256SUMS"), "utf8").trim().split("\n");
    const digest = (file: string) => createHash("sha256").update(readFileSync(file)).digest("hex");
    expect(sums).toEqual(files.slice(0, -1).map((file) => `${digest(file)}  ${basename(file)}`));
  });

  it("are installed by the CLI, which runs no package manager, and say who they are and where they come from", async () => {
    const args = ["plugin", "install", "resource", "deployment-service", version, "--file", files[0]!];
    await stack.run(args, { env: { npm_config_registry: "http://127.0.0.1:9" } });
    const { stdout } = await stack.run(["package", "get-schema", `deployment-service@${version}`]);
    const schema = JSON.parse(stdout) as object;
    expect(schema).toMatchObject({ version, pluginDownloadURL: `github://api.github.com/${repository}` });
    expect(schema).toEqual(JSON.parse(readFileSync(join(out, "schema.json"), "utf8")));
  });

  it("need nothing but what they hold", async () => {
    const { output } = await stack.preview();
    expect(output).toContain("2 to create");
  });
});
