import { expect, it } from "vitest";
import { table } from "../../../cli/terminal/text-table";

const rows = [
  { name: "search", image: "registry.example.com/acme/search-chat:1.2.0", url: "https://search" },
];

it("a cut image keeps its end, where versions differ", () => {
  const columns = [
    { heading: "NAME", text: ({ name }: (typeof rows)[0]) => name },
    {
      heading: "RUNS",
      text: ({ image }: (typeof rows)[0]) => image,
      least: 20,
      keepsEnd: true,
    },
  ] as const;
  expect(table(rows, columns, 28)).toMatch(/^NAME +RUNS\nsearch +….*\/search-chat:1\.2\.0\n$/);
});

it("a table that leaves columns out says so once, with the flag that shows them", () => {
  const columns = [
    { heading: "NAME", text: ({ name }: (typeof rows)[0]) => name },
    { heading: "RUNS", text: ({ image }: (typeof rows)[0]) => image, optional: true },
    { heading: "URL", text: ({ url }: (typeof rows)[0]) => url, optional: true },
  ] as const;
  expect(table(rows, columns, 30)).toBe(
    "NAME    URL\nsearch  https://search\n\nToo narrow for RUNS: --json\nshows all.\n",
  );
  expect(table(rows, columns)).not.toContain("--json");
});
