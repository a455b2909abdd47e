import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { ErrorKind } from "../../provider/errors";
import { pathOf, read } from "../docs/documents";
import { fencesIn } from "../docs/markdown";
import { filledIn, messageTextsIn } from "../support/message-texts";

const page = read("docs/troubleshooting.md");

/** What the page says of each kind: a message of it, or a status. */
const explained: Readonly<Record<ErrorKind, string>> = {
  unreachable: "could not reach …",
  timeout: "got no response within …s",
  invalid: "Correct what the service reports",
  unauthorized: "`refresh` and `destroy` use the value of the last `pulumi up`",
  forbidden: "The key lacks the permission",
  "not-found": "It does not exist, or this connection cannot see it",
  conflict: "This may be temporary",
  "rate-limited": "the service asks to slow down",
  unavailable: "502, 503, 504",
  redirected: "…, a redirect to …",
  unreadable: "with JSON that is truncated or damaged",
  foreign: "A proxy or gateway may have answered instead",
  untrusted: "refused the certificate of …",
  proxy: "could not reach the proxy …",
  "out-of-time": "got no response in time",
  interrupted: "The deployment exists and its rollout continues",
};

const sources = ["provider", "cli"].flatMap((folder) =>
  readdirSync(pathOf(folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .flatMap((name) => messageTextsIn(pathOf(`${folder}/${name}`))),
);

/** In blocks below headings, and at the head of list items. */
const shown = [
  ...fencesIn(page)
    .filter(({ language }) => language === "text")
    .flatMap(({ text }) => text.trim().split("\n")),
  ...[...page.matchAll(/^- ((?:``.+?``|`[^`]+`|[^`:\n])+): /gm)].flatMap(([, head]) =>
    [...head!.matchAll(/(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)/g)].map(([, , text]) => text!),
  ),
];

/** The messages that the page shows, without what is filled in at their ends. */
const quotes = shown.map((line) =>
  line.replace(new RegExp(`^[${filledIn}\\s]+|[${filledIn}\\s]+$`, "g"), ""),
);

describe("the page on what fails", () => {
  it("explains every kind of error", () => {
    expect(Object.values(explained).filter((text) => !page.includes(text))).toEqual([]);
  });

  it("shows messages as the code puts them together", () => {
    expect(quotes.length).toBeGreaterThan(40);
    expect(quotes.filter((quote) => !sources.some((text) => text.includes(quote)))).toEqual([]);
  });
});
