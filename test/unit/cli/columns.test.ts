import { expect, it } from "vitest";
import { table } from "../../../cli/terminal/text-table";

const rows = [
  { name: "search", image: "registry.example.com/acme/search-chat:1.2.0", url: "https://search" },
];

it("a table that leaves columns out says so once, with the flag that shows them, and cuts none", () => {
  const columns = [
    { heading: "NAME", text: ({ name }: (typeof rows)[0]) => name },
    { heading: "URL", text: ({ url }: (typeof rows)[0]) => url },
    { heading: "RUNS", text: ({ image }: (typeof rows)[0]) => image, optional: true },
  ] as const;
  const narrow = "NAME    URL\nsearch  https://search\n\nToo narrow for RUNS: --json shows all.\n";
  for (const width of [30, 10]) expect(table(rows, columns, width)).toBe(narrow);
  expect(table(rows, columns)).toMatch(/^NAME +URL +RUNS\nsearch .*\/search-chat:1\.2\.0\n$/);
});
