import type { Fault, How } from "../http/faults";
import { CommandError } from "./options";

/** Kinds of failure by their word on the command line. */
const words: Readonly<Record<string, How>> = {
  reset: { reset: "before" },
  lost: { reset: "after" },
  hang: { hang: true },
  truncate: { truncate: true },
  html: { html: true },
  empty: { emptyBody: true },
};

export const failHelp = [
  "[METHOD] [/PATH] HOW [xTIMES | always], separated by commas; once by default.",
  `HOW is a status, such as 503, or one of ${Object.keys(words).join(", ")}:`,
  "the connection is cut before or after the work is done; no response; half of one; a gateway's page; an empty body.",
];

const methods = ["GET", "POST", "PATCH", "DELETE", "PUT"];

/** Reads a text such as `POST 503 x2, GET /v2/deployments reset always`. */
export function readFaults(text: string): Fault[] {
  return text.split(",").map((part) => readFault(part.trim()));
}

function readFault(text: string): Fault {
  const wrong = (what: string) => new CommandError(`--fail: ${what}; write it like "POST 503 x2, GET reset"`);
  let [method, path, how, times]: [string?, string?, How?, (number | "always")?] = [];
  for (const word of text.split(/\s+/)) {
    const count = /^x([1-9]\d*)$/.exec(word)?.[1];
    if (methods.includes(word.toUpperCase())) method = word.toUpperCase();
    else if (word.startsWith("/")) path = word;
    else if (/^[2-5]\d\d$/.test(word)) how = { status: Number(word) };
    else if (Object.hasOwn(words, word)) how = words[word];
    else if (word === "always") times = word;
    else if (count !== undefined) times = Number(count);
    else throw wrong(`${JSON.stringify(word)} is not a method, path, status, kind of failure or count`);
  }
  if (how === undefined) throw wrong(`${JSON.stringify(text)} does not say how to fail`);
  return { when: { method, path }, times: times ?? 1, how };
}
