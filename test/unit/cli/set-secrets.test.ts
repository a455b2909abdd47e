import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { agentIn, Workplace } from "./init-support";

const secret = "sk-in-the-file-0123456789";

/** A project for an agent with these variables. */
async function project(environment: string, words = ""): Promise<Workplace> {
  const place = new Workplace(agentIn("agent", environment));
  expect((await place.init(`infra --from agent ${words}`)).code).toBe(0);
  return place;
}

describe("set-secrets.sh", () => {
  it("passes each value on under its own key, says which, and shows no value", async () => {
    const place = await project(`API_KEY_1=first\nAPI_KEY1=${secret}\nAPI__KEY_1=third\n`);
    const { status, stdout, stderr, calls } = place.setSecrets("infra");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(calls).toEqual([
      `config set --secret apiKey1=${secret}\n`,
      "config set --secret apiKey1-2=first\n",
      "config set --secret apiKey1-3=third\n",
    ]);
    expect(stdout).toBe("set apiKey1 (API_KEY1)\nset apiKey1-2 (API_KEY_1)\nset apiKey1-3 (API__KEY_1)\n");
    for (const each of ["apiKey1", "apiKey1-2", "apiKey1-3"])
      expect(place.read("infra/index.ts")).toContain(`requireSecret("${each}")`);
  });

  it("uses npx where there is no Pulumi CLI", async () => {
    const place = await project("A=1\n");
    const { calls } = place.setSecrets("infra", [], 0, {}, "npx");
    expect(calls).toEqual(["pulumi config set --secret a=1\n"]);
  });

  it("leaves out what the stack has already", async () => {
    const place = await project(`API_KEY=${secret}\nROTATED=3\n`);
    const there = {
      "agent-infra:apiKey": { value: secret, secret: true },
      "deployment-service:rotated": { value: "3", secret: true },
    };
    const { status, stdout, calls } = place.setSecrets("infra", [], 0, there);
    expect({ status, calls }).toEqual({ status: 0, calls: ["config set --secret rotated=3\n"] });
    expect(stdout).toBe("has apiKey (API_KEY) already\nset rotated (ROTATED)\n");
  });

  it("reads the file of Windows without its line ends, and values of several lines", async () => {
    const place = await project('A="of\r\nthem"\r\nexport B=two words\r\n');
    expect(place.setSecrets("infra").calls).toEqual([
      "config set --secret a=of\nthem\n",
      "config set --secret b=two words\n",
    ]);
    expect(place.read("infra/.gitattributes")).toContain("*.sh text eol=lf");
  });

  it("fails after the others if a declared one has no value, and reports new ones and lines that set nothing", async () => {
    const place = await project("A=1\nB=2\nLANGSMITH_PROJECT=p\n");
    place.write({ "agent/.env": `B=2\nLANGSMITH_PROJECT=p\nNEW_KEY=${secret}\nJOINED="a""b"\nA=\n` });
    const { status, stdout, stderr, calls } = place.setSecrets("infra");
    expect({ status, stdout, calls }).toEqual({
      status: 1,
      stdout: "set b (B)\n",
      calls: ["config set --secret b=2\n"],
    });
    expect(stderr.replaceAll(place.cwd, "")).toBe(
      "JOINED in /agent/.env: ignored, because this is not an assignment\n" +
        "NEW_KEY in /agent/.env: not set, because the project does not declare it: add it to its secrets, and to the keys in this script\n" +
        "A in /agent/.env: not set, because there is no value\n",
    );
  });

  it("sets those of a stack, and from another file, seen from where it is called", async () => {
    const place = await project("A=1\n", "--stacks dev,prod");
    place.write({ "prod.env": "A=of-prod\n" });
    expect(place.setSecrets("infra", ["dev"]).calls).toEqual(["config set --secret a --stack dev=1\n"]);
    expect(place.setSecrets("infra", ["prod", "prod.env"]).calls).toEqual([
      "config set --secret a --stack prod=of-prod\n",
    ]);
  });

  it("stops where the CLI fails", async () => {
    const place = await project("A=1\nB=2\n");
    const { status, stdout, calls } = place.setSecrets("infra", [], 1);
    expect({ status, stdout, calls }).toEqual({
      status: 1,
      stdout: "",
      calls: ["config set --secret a=1\n"],
    });
  });

  it("shows nothing of a file that it cannot read", async () => {
    const place = new Workplace(agentIn("agent", undefined, { env: { A: secret } }));
    await place.init("infra --from agent");
    place.write({ "agent/langgraph.json": `{ "env": { "A": ${secret} } }` });
    const { status, stderr } = place.setSecrets("infra");
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringContaining("cannot read ") as string,
    });
    expect(stderr).not.toContain(secret.slice(0, 8));
  });

  it("never runs a file name that looks like a command", async () => {
    const file = "x'\ntouch made\n#/.env";
    const place = new Workplace({
      ...agentIn("agent", undefined, { env: file }),
      [`agent/${file}`]: "A=1\n",
    });
    await place.init("infra --from agent");
    expect(place.setSecrets("infra").calls).toEqual(["config set --secret a=1\n"]);
    expect(place.list()).not.toContain("made");
  });
});

it("the lines of the page on secrets read the file of Windows without its line ends", () => {
  const page = readFileSync("docs/secrets.md", "utf8");
  const [, lines] = /## From a `\.env` file[^]*?```sh\n([^]*?)```/.exec(page)!;
  const place = new Workplace({
    ".env": "A_KEY=sk-1\r\nexport B=two words\r\n# C=3\r\n",
    "bin/pulumi": '#!/bin/sh\nprintf "%s=[%s]\\n" "$4" "$(cat)"\n',
  });
  chmodSync(join(place.cwd, "bin/pulumi"), 0o755);
  const env = { PATH: `${place.cwd}/bin:${process.env["PATH"]}` };
  const { stdout } = spawnSync("sh", ["-c", lines!], { cwd: place.cwd, env, encoding: "utf8" });
  expect(stdout).toBe("A_KEY=[sk-1]\nB=[two words]\n");
});
