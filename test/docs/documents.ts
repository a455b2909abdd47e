/** All documents, and the stories that are played. */
import { readFileSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Keeps } from "../engine";
import type { Setting } from "./story";

const root = resolve(__dirname, "../..");

/** Pages that share a stack and a service. Each continues where the page before ends. */
export interface Story {
  /** The example whose Pulumi.yaml the stack has. */
  readonly project: string;
  readonly pages: readonly string[];
  /** The example that it tells about. `test/contract/examples` plays it in a copy of the packed example. */
  readonly example?: string;
  /** The program that is already deployed. */
  readonly before?: string;
  /** Which processes are kept between commands. Default: all. */
  readonly keeps?: Keeps;
}

const example = (name: string): Story & { readonly example: string } => ({
  example: name,
  project: `examples/${name}`,
  pages: [`examples/${name}/README.md`],
});

/** Stories that show the output of commands. */
const recipes = [
  "going-back",
  "renaming",
  "components",
  "nightly-drift",
  "upgrading",
  "own-state",
  "moving-between-stacks",
  "stop-managing",
];

/** What the recipes begin with. */
const chat = `import { Deployment } from "pulumi-deployment-service";

const chat = new Deployment("chat", {
  source: "external_container",
  sourceConfig: { resourceSpec: { cpu: 2 } },
  sourceRevisionConfig: { imageUri: "registry.example.com/chat:1.5.0" },
});

export const url = chat.url;
`;

/** What the other pages begin with. */
const hello = chat.replace("{ cpu: 2 }", "{ minScale: 1, maxScale: 3 }");

export const stories: readonly Story[] = [
  { project: "examples/01-hello", before: hello, pages: ["docs/manifest.md", "docs/existing.md"] },
  ...recipes.map((name) => ({
    project: "examples/01-hello",
    pages: [`docs/recipes/${name}.md`],
    before: chat,
  })),
  { project: "examples/11-folder", pages: ["docs/recipes/resizing.md"] },
  example("01-hello"),
  example("02-yaml-to-program"),
  example("04-adopt"),
  example("05-repositories"),
  example("06-public-service"),
  { ...example("09-promote"), keeps: "provider" },
  example("11-folder"),
];

export const ofRecipes = ({ pages }: Story): boolean =>
  pages.every((page) => page.startsWith("docs/recipes/"));

/** Pages whose programs are compiled and whose links are followed: all Markdown files outside of the tests, and test/README.md. */
export const pages: readonly string[] = [
  ...markdownIn(""),
  ...["docs", "emulator", "examples", "provider", "skills"].flatMap((folder) => markdownBelow(folder)),
  ...markdownIn("test"),
];

export function read(page: string): string {
  return readFileSync(join(root, page), "utf8");
}

/** The setting of a story. */
export function settingOf({ project, before, keeps }: Story): Setting {
  return { project: read(`${project}/Pulumi.yaml`), before, keeps };
}

export function pathOf(page: string): string {
  return join(root, page);
}

function markdownIn(folder: string): string[] {
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(folder, name));
}

function markdownBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md") && !name.split("/").includes("node_modules"))
    .map((name) => join(folder, name));
}
