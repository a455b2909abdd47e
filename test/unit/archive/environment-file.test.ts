import { describe, expect, it } from "vitest";
import { parseEnvironment } from "../../../provider/agent/environment-file";

describe("an environment file", () => {
  it.each([
    ["PLAIN=a#b", "PLAIN", "a#b"],
    ["COMMENT=a #b", "COMMENT", "a"],
    ["NBSP=\u00a0a", "NBSP", "a"],
    ["COMMENTED=  # b", "COMMENTED", ""],
    ["HASH=#x", "HASH", "#x"],
    ['QUOTED="x y" # c', "QUOTED", "x y"],
    ["'KEY'=v", "KEY", "v"],
    ["ORG-ID=v", "ORG-ID", "v"],
    ["spring.key=v", "spring.key", "v"],
    ["2FA_SEED=v", "2FA_SEED", "v"],
    ["  export SPACED = v", "SPACED", "v"],
    ["SIGNS==x", "SIGNS", "=x"],
    ['LINES="a\\nb"', "LINES", "a\nb"],
    ["ESCAPED='it\\'s'", "ESCAPED", "it's"],
    ['BACKSLASH="a\\\\"', "BACKSLASH", "a\\"],
    ['SEVERAL="of\nthem"', "SEVERAL", "of\nthem"],
    ['WINDOWS="of\r\nthem"\r', "WINDOWS", "of\nthem"],
    ["MARK=\ufeffx", "MARK", "x"],
    ["INHERITED=${constructor}x", "INHERITED", "x"],
    ["MISSING=${NONE:-d}", "MISSING", "d"],
    ["HOMELY=${HOME}/x", "HOMELY", "/home/me/x"],
    ["__proto__=x", "__proto__", "x"],
    ["A=1\nA=2", "A", "2"],
    ["A=1\nA=${A}2", "A", "12"],
  ])("is read as the service's own command line reads it: %j", (line, name, value) => {
    const { values, empty, ignored } = parseEnvironment(`\ufeff${line}\n`, { HOME: "/home/me" });
    expect(ignored).toEqual([]);
    if (value === "") expect(empty).toEqual([name]);
    else expect(Object.entries(values)).toEqual([[name, value]]);
  });

  it.each([
    ['JOINED="a""b"', "JOINED"],
    ['OPEN="a', "OPEN"],
    ["TWO WORDS=a", "line 3"],
    ["no value at all", "line 3"],
    ["export FOO", "line 3"],
    ["export =a", "line 3"],
    ["C=1\nC", "line 4"],
    ["=a", "line 3"],
    ["MIIEvQIBADANBgkqhkiG9w0BAQEFAASC", "line 3"],
    ["MIIEvQIBADANBgkqhkiG9w0BAQEFAASCw==", "line 3"],
    ["MIIEvQIBADANBgkqhkiG9w0BAQEFAASCw=", "line 3"],
    ["MIIEvQIBA/+DANBgkqhkiG9w0BAQEFAASC=", "line 3"],
  ])("reports a line that sets nothing, %j, without text that may be a part of a value", (line, shown) => {
    const { values, ignored } = parseEnvironment(`# first\n\n${line}\nB=1\n`, {});
    expect({ values, ignored }).toEqual({ values: { B: "1" }, ignored: [shown] });
  });

  it.each([
    ["a quote that stays open in each line", 'A="\n'.repeat(20_000)],
    ["a long name", "A".repeat(100_000)],
    ["spaces in front of a value", `A=${" ".repeat(100_000)}x`],
    ["spaces in a value", `A=b${" ".repeat(100_000)}c`],
    ["spaces after a name", `A${" ".repeat(100_000)}x`],
    ["beginnings of references", `A=x${"${".repeat(50_000)}`],
    ["beginnings of references in one", `A=x${"${".repeat(50_000)}:x}`],
    ["beginnings of references with a default", `A=x${"${a:-".repeat(20_000)}`],
    ["lines that set nothing", "A B\n".repeat(25_000)],
  ])("is read in a time that grows with its length: %s", (_, text) => {
    const started = performance.now();
    parseEnvironment(text, {});
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
