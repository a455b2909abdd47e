/** What a check says about a declared folder, from the place in which the engine starts a provider. */
import { mkdirSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { standard } from "../../../provider/dialects/standard";
import { langsmith } from "../../../provider/dialects/langsmith";
import { readDeclaredContent } from "../../../provider/engine/declared-folder";
import { unknownValue } from "../../../schema/tree";
import { write } from "../../support/folders";
import { makeSource } from "../../support/source";

afterEach(() => void vi.restoreAllMocks());

/** What a check reads, in a process that runs in this folder. */
function read(cwd: string, args: object, dialect = langsmith) {
  mkdirSync(cwd, { recursive: true });
  vi.spyOn(process, "cwd").mockReturnValue(cwd);
  return readDeclaredContent(undefined, { ...args }, dialect);
}

it.each([
  ["project", "infra", "Pulumi.yaml"],
  ["program below its project", "infra/program/src", "Pulumi.yaml"],
  ["project in JSON", "infra", "Pulumi.json"],
])("a %s below an archive's root is left out of it", async (_, cwd, name) => {
  const root = realpathSync(makeSource({ [`infra/${name}`]: "", "infra/preview.json": "" }));
  const directory = cwd.replace(/[^/]+/g, "..");
  const { hints, content } = await read(join(root, cwd), { sourceDirectory: directory });
  expect(hints.join()).toContain("; excludes infra/ (the running Pulumi project)");
  expect(content).toMatchObject({ count: 2 });
});

it.each(["PULUMI_BACKEND_URL", "PULUMI_HOME"])(
  "the folder of %s is left out, also behind a link",
  async (name) => {
    const root = realpathSync(makeSource({ "state/a": "" }));
    const link = join(dirname(root), `${root.split("/").at(-1)}-link`);
    symlinkSync(root, link);
    onTestFinished(() => rmSync(link));
    vi.stubEnv(name, name === "PULUMI_HOME" ? `${link}/state` : `file://${link}/state?no_tmp_dir=true`);
    const { hints } = await read(root, { sourceDirectory: "." });
    expect(hints.join()).toContain("; excludes state/ (a file of the Pulumi stack)");
  },
);

it("variables that are not declared are named, without those of the service itself", async () => {
  const folder = makeSource({ ".env": "A=canary\nMODEL=canary" });
  const args = { sourceDirectory: folder, secrets: { A: "canary" } };
  const reason =
    "`secrets` does not declare variables of .env, which the service's own command line sends too: MODEL. `up` does not set them. Add them to `secrets`, then set their values with `npx pulumi-deployment-service secrets FILE`";
  expect((await read(dirname(folder), args)).warnings).toEqual([{ property: "sourceDirectory:", reason }]);
  write(folder, { ".env": "LANGSMITH_DEPLOYMENT_NAME=canary\n" });
  expect((await read(dirname(folder), args)).warnings).toEqual([]);
});

it("a path of the graph configuration that is not known yet says nothing of a folder that is not declared", async () => {
  const args = { sourceRevisionConfig: { graphConfigPath: unknownValue } };
  const ofFolder = { ...args, sourceDirectory: "/nowhere" };
  for (const given of [args, { sourceRevisionConfig: unknownValue }])
    expect(await read("/", given)).not.toHaveProperty("content");
  expect(await read("/", ofFolder)).toMatchObject({ content: unknownValue });
});

it("a folder that a dialect does not upload is not read", async () => {
  expect(await read("/", { sourceDirectory: "/nowhere" }, standard)).toMatchObject({
    failures: [],
    hints: [],
  });
});
