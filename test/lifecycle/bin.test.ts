import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";

const main = resolve("dist/provider/cli/main.js");

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function runBin(words: readonly string[], stdin = ""): Promise<Ended> {
  return new Promise((done) => {
    const env = { PATH: process.env["PATH"] };
    const child = execFile(process.execPath, [main, ...words], { env }, (_, stdout, stderr) =>
      done({ code: child.exitCode, stdout, stderr }),
    );
    child.stdin!.end(stdin);
  });
}

describe("the built command", () => {
  it("reads a file, or standard input to its end", async () => {
    const file = "examples/03-ci/deployments.yaml";
    expect(await runBin(["validate", file])).toEqual({
      code: 0,
      stdout: `${file}: 1 deployment, no problems\n`,
      stderr: "",
    });
    const long = `version: 1\ndeployments:\n${"# a long comment\n".repeat(50_000)}  chat: {}\n`;
    const { code, stdout } = await runBin(["validate", "-", "--json"], long);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ problems: [{ file: "<stdin>", line: 50_003, column: 3 }] });
  });

  it("ends with 2 and the way to the help when it is called wrongly", async () => {
    expect(await runBin(["valdate"])).toEqual({
      code: 2,
      stdout: "",
      stderr:
        'deployment-service: unknown command "valdate"; did you mean "validate"?\nrun `deployment-service --help` to see what it takes\n',
    });
  });
});
