/** What a file says does not depend on the encoding that an editor or a shell gave it. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { decode } from "../../../provider/text/decode";

const wellFormed = fc.string({ unit: "grapheme" }).map((text) => `{${text}`);
const marks = fc.constantFrom("", "\ufeff");

it("reads UTF-8 and both kinds of UTF-16, with and without a byte order mark", () => {
  fc.assert(
    fc.property(wellFormed, marks, (text, mark) => {
      const wide = Buffer.from(mark + text, "utf16le");
      expect(decode(Buffer.from(mark + text))).toEqual({ text, encoding: "utf-8", brokenAt: undefined });
      expect(decode(wide)).toEqual({ text, encoding: "utf-16le", brokenAt: undefined });
      expect(decode(Buffer.from(wide).swap16())).toEqual({ text, encoding: "utf-16be", brokenAt: undefined });
    }),
  );
});

it("reports where UTF-8 is invalid, and accepts a replacement character that is in the file", () => {
  expect(decode(Buffer.from("a\ufffd")).brokenAt).toBeUndefined();
  expect(decode(Buffer.from("ab\u00e9", "latin1")).brokenAt).toBe(2);
  expect(decode(new Uint8Array())).toEqual({ text: "", encoding: "utf-8", brokenAt: undefined });
});
