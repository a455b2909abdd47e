import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { ErrorKind } from "../../provider/errors";
import { pathOf, read } from "../docs/documents";
import { fencesIn } from "../docs/markdown";
import { filledIn, messageTextsIn } from "../support/message-texts";

const page = read("docs/troubleshooting.md");

/** By heading. */
const sections = new Map(
  page
    .split(/^### /m)
    .slice(1)
    .map((section) => {
      const end = section.indexOf("\n");
      return [section.slice(0, end), section.slice(end + 1)] as const;
    }),
);

const headings: Readonly<Record<ErrorKind, string>> = {
  unreachable: "The service cannot be reached",
  timeout: "A request is not answered",
  invalid: "The service refuses what was sent",
  unauthorized: "The API key is refused",
  forbidden: "The key lacks a permission",
  "not-found": "It is not found",
  conflict: "A conflict",
  "rate-limited": "The service asks to slow down",
  overloaded: "The service asks to slow down",
  unavailable: "The service does not work",
  redirected: "The response is a redirect",
  unreadable: "The response is damaged",
  foreign: "The response is not the service's",
  untrusted: "The certificate is not trusted",
  proxy: "The proxy",
  "out-of-time": "The time of the operation is over",
  interrupted: "The run was interrupted",
};

const sources = readdirSync(pathOf("provider"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .flatMap((name) => messageTextsIn(pathOf(`provider/${name}`)).map((text) => ({ ...text, name })));

/** The messages that the page shows, without what is filled in at their ends. */
const quotes = fencesIn(page)
  .filter(({ language }) => language === "text")
  .flatMap(({ text }) => text.trim().split("\n"))
  .map((line) => line.replace(new RegExp(`^[${filledIn}\\s]+|[${filledIn}\\s]+$`, "g"), ""));

/** Of what a call was given, told where it is called: the message says all. */
const wrongArguments = [/^expected /, /^fromRepository expects /, / cannot be an id$/];

describe("the page on what fails", () => {
  it("has a heading for every kind of error, with something below it", () => {
    const empty = Object.values(headings).filter((heading) => (sections.get(heading) ?? "").length < 50);
    expect(empty).toEqual([]);
  });

  it("shows messages as the code puts them together", () => {
    expect(quotes.length).toBeGreaterThan(40);
    expect(quotes.filter((quote) => !sources.some(({ text }) => text.includes(quote)))).toEqual([]);
  });

  it("shows every message that names a situation of a deployment or of its service", () => {
    const told = sources.filter(
      ({ name, error, text }) =>
        /^(deployment|control-plane)\//.test(name) &&
        // A text without words is put together from others.
        /\w/.test(text) &&
        // The second text of the latter is advice.
        (error === "DeploymentError" || (error === "ElsewhereError" && !/^[,.:]/.test(text))) &&
        !wrongArguments.some((pattern) => pattern.test(text)),
    );
    expect(told.length).toBeGreaterThan(15);
    const missing = told.filter(({ text }) => !quotes.some((quote) => text.includes(quote)));
    expect(missing.map(({ text }) => text)).toEqual([]);
  });
});
