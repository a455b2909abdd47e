/** Folders of source code, and the contents of their archives. */
import { gunzipSync } from "node:zlib";
import { scratch } from "./folders";

export const config = JSON.stringify({ dependencies: ["."], graphs: { agent: "./agent.py:graph" } });

/** The smallest folder that can be deployed, with these files next to it. */
export const makeSource = (files: Readonly<Record<string, string>> = {}): string =>
  scratch({ "langgraph.json": config, "agent.py": "graph = 1\n", ...files });

export interface Entry {
  readonly text: string;
  readonly mode: number;
}

/** The files of a gzipped tar by their paths; throws where the format is broken. */
export function entriesOf(archive: Uint8Array): Record<string, Entry> {
  const bytes = gunzipSync(archive);
  const entries: Record<string, Entry> = {};
  let path: string | undefined;
  for (let at = 0; bytes[at] !== 0;) {
    const header = bytes.subarray(at, at + 512);
    const field = (from: number, length: number) =>
      header.toString("utf8", from, from + length).replace(/\0.*$/s, "");
    const sum = header.reduce((all, byte, index) => all + (index >= 148 && index < 156 ? 32 : byte), 0);
    if (parseInt(field(148, 8), 8) !== sum) throw new Error(`the checksum of ${field(0, 100)} is wrong`);
    const size = parseInt(field(124, 12), 8);
    const body = bytes.subarray(at + 512, at + 512 + size);
    if (field(156, 1) === "x") path = /^\d+ path=(.*)\n$/s.exec(body.toString())![1];
    else {
      entries[path ?? field(0, 100)] = { text: body.toString(), mode: parseInt(field(100, 8), 8) };
      path = undefined;
    }
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return entries;
}

/** Their paths and texts alone. */
export function textsOf(archive: Uint8Array): Record<string, string> {
  return Object.fromEntries(Object.entries(entriesOf(archive)).map(([path, { text }]) => [path, text]));
}
