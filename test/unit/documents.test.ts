import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { pages, pathOf, read, stories } from "../docs/documents";
import { anchorsIn, fencesIn, proseIn, isOfAgent } from "../docs/markdown";
import { check } from "./manifest/checked";

const { scripts } = JSON.parse(read("package.json")) as { scripts: Readonly<Record<string, string>> };

describe.each(pages)("%s", (page) => {
  const text = read(page);
  const fences = fencesIn(text);

  it("links only to headings and files of the repository and to the web", () => {
    const links = [...proseIn(text).matchAll(/\]\(([^)]+)\)/g)].map(([, target]) => target!);
    expect(links.filter((target) => !/^https:/.test(target) && !leadsSomewhere(page, target))).toEqual([]);
  });

  it("has no two headings of the same name: a link to the second would lead to the first", () => {
    const anchors = anchorsIn(text);
    expect(anchors.filter((anchor, at) => anchors.indexOf(anchor) < at)).toEqual([]);
  });

  it("names only files and folders that exist", () => {
    const named = [
      ...proseIn(text).matchAll(/`((?:docs|emulator|examples|provider|schema|test)(?:\/[\w.-]+)+)`/g),
    ];
    const exists = (name: string) =>
      [".", dirname(page)].some((from) => existsSync(pathOf(join(from, name))));
    expect(named.map(([, name]) => name!).filter((name) => !exists(name))).toEqual([]);
  });

  it("has only manifests without a problem", () => {
    const manifests = fences.filter(
      ({ language, text }) => language === "yaml" && /^version: 1$/m.test(text),
    );
    const problems = manifests.flatMap(({ text }) => check(text).problems.map(({ message }) => message));
    expect(problems).toEqual([]);
  });

  it("is at most two screens long, tables to search in not counted", () => {
    const read = text.split("\n").filter((line) => !line.startsWith("|"));
    if (page.startsWith("docs/")) expect(read.length).toBeLessThanOrEqual(101);
  });

  it("names only scripts that exist", () => {
    const shell = fences.filter(({ language }) => language === "sh").map(({ text }) => text);
    const named = [...shell.join("").matchAll(/^npm (?:run )?(?!install)([\w:]+)/gm)];
    expect(named.map(([, script]) => script!).filter((script) => !(script in scripts))).toEqual([]);
  });

  it("shows the output of commands only if a story runs them", () => {
    const isShown = fences.some(
      (fence) => fence.language === "console" && fence.role !== "not run" && !isOfAgent(fence),
    );
    if (isShown) expect(stories.flatMap((story) => story.pages)).toContain(page);
  });
});

it("the README can be read at once", () => {
  expect(read("README.md").trimEnd().split("\n").length).toBeLessThanOrEqual(80);
});

it("docs/README.md lists every page", () => {
  const listed = [...read("docs/README.md").matchAll(/\]\(((?:recipes\/)?[\w-]+\.md)\)/g)].map(
    ([, name]) => name!,
  );
  const others = pages.filter((page) => page.startsWith("docs/") && page !== "docs/README.md");
  expect(listed.map((name) => join("docs", name)).sort()).toEqual([...others].sort());
});

function leadsSomewhere(page: string, target: string): boolean {
  const [file = "", anchor] = target.split("#");
  const linked = file === "" ? page : join(dirname(page), file);
  if (!existsSync(pathOf(linked))) return false;
  return anchor === undefined || anchorsIn(read(linked)).includes(anchor);
}
