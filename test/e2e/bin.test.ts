import { execFile } from "node:child_process";
import { describe, expect, it } from "vitest";
import { start } from "../support/emulator";
import { authority, tlsBefore } from "../support/tls";
import { builtCommand } from "../support/product";

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function runBin(words: readonly string[], stdin = "", more: object = {}): Promise<Ended> {
  return new Promise((done) => {
    const env = { PATH: process.env["PATH"], ...more };
    const child = execFile(process.execPath, [builtCommand, ...words], { env }, (_, stdout, stderr) =>
      done({ code: child.exitCode, stdout, stderr }),
    );
    child.stdin!.end(stdin);
  });
}

/** Through a shell, which provides a closed pipe and a full disk. */
function runShell(line: string, before = ""): Promise<Ended> {
  return new Promise((done) => {
    const command = `set -o pipefail; ${before} ${process.execPath} ${builtCommand} ${line}`;
    const child = execFile("bash", ["-c", command], (_, stdout, stderr) =>
      done({ code: child.exitCode, stdout, stderr }),
    );
  });
}

describe("the built command", () => {
  it("reads a file, or standard input to its end", async () => {
    const file = "examples/03-ci/deployments.yaml";
    expect(await runBin(["validate", file])).toEqual({
      code: 0,
      stdout: `${file}: no problems\n`,
      stderr: "",
    });
    const long = `version: 1\ndeployments:\n${"# a long comment\n".repeat(6_000)}  chat: {}\n`;
    const { code, stdout } = await runBin(["validate", "-", "--json"], long);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ problems: [{ file: "<stdin>", line: 6_003, column: 3 }] });
  });

  it("ends with 2 and the way to the help when it is called wrongly", async () => {
    expect(await runBin(["valdate"])).toEqual({
      code: 2,
      stdout: "",
      stderr:
        'deployment-service: unknown command "valdate"; did you mean "validate"?\nrun `npx pulumi-deployment-service --help` for usage\n',
    });
  });

  it("trusts the authority in NODE_EXTRA_CA_CERTS, and no unknown one", async () => {
    const { url, apiKey } = await start();
    const env = {
      DEPLOYMENT_SERVICE_URL: await tlsBefore(url, "trusted"),
      DEPLOYMENT_SERVICE_API_KEY: apiKey,
    };
    const trusting = { ...env, NODE_EXTRA_CA_CERTS: authority };
    expect(await runBin(["list"], "", trusting)).toMatchObject({ code: 0 });
    const { code, stderr } = await runBin(["list"], "", env);
    expect({ code, stderr }).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("certificate") as string,
    });
  });

  it("says in one sentence that its output cannot be written, and ends with 2", async () => {
    const { code, stderr } = await runShell(`schema > /dev/full`);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: "deployment-service: cannot write standard output: ENOSPC: no space left on device\n",
    });
  });

  it("keeps its exit code if its reader closes the pipe early", async () => {
    expect(await runShell("schema | head -c 1")).toEqual({ code: 0, stdout: "{", stderr: "" });
    const problems = `awk 'BEGIN { for (i = 0; i < 2000; i++) print "k" i ": 1" }' |`;
    const piped = await runShell("validate - | head -c 1; exit ${PIPESTATUS[1]}", problems);
    expect(piped).toEqual({ code: 1, stdout: "<", stderr: "" });
    expect(await runShell("valdate 2> /dev/full")).toMatchObject({ code: 2, stdout: "" });
  });
});
