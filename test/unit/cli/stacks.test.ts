/** `list --stacks`: what the service has besides what the stacks of a backend manage. */
import { join } from "node:path";
import { writeFileSync } from "node:fs";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Emulator } from "../../../emulator";
import { FakeMachine } from "../../support/fake-machine";
import { ask, create, start } from "./service-commands";

let machine: FakeMachine;
beforeEach(() => void (machine = new FakeMachine()));
afterEach(() => machine.dispose());

const gone = "00000000-0000-4000-8000-0000000000aa";
const elsewhere = "00000000-0000-4000-8000-0000000000bb";

interface Resource {
  readonly id: string;
  readonly more?: object;
  readonly outputs?: object;
}

/** A Pulumi CLI with these stacks, which answers as the real one does. */
function withStacks(stacks: Readonly<Record<string, readonly Resource[] | "broken">>) {
  const names = Object.keys(stacks);
  const write = (file: string, content: unknown) =>
    writeFileSync(join(machine.root, file), JSON.stringify(content));
  write(
    "stacks.json",
    names.map((name) => ({ name, current: false, resourceCount: 2 })),
  );
  const cases = Object.entries(stacks).map(([name, resources], index) => {
    if (resources === "broken") return `*"--stack ${name} "*) echo "error: locked" >&2; exit 1;;`;
    write(`${index}.json`, {
      version: 3,
      deployment: {
        resources: [
          { urn: "urn:pulumi:prod::app::pulumi:pulumi:Stack::app-prod", custom: false },
          ...resources.map(({ id, outputs, more }, at) => ({
            urn: `urn:pulumi:prod::app::deployment-service:index:Deployment::r${at}`,
            id,
            outputs,
            ...more,
          })),
        ],
      },
    });
    return `*"--stack ${name} "*) cat ${machine.root}/${index}.json;;`;
  });
  const script = `
    PATH=/usr/bin:/bin
    case "$*" in
      "stack ls --all --json"*) cat ${machine.root}/stacks.json;;
      ${cases.join("\n")}
    esac`;
  return { PATH: machine.folder("bin", { pulumi: script }) };
}

const madeAt = (address: string) => ({ __private: { madeWith: { address } } });

const listed = async (emulator: Emulator, stacks: Parameters<typeof withStacks>[0], words: string[] = []) =>
  ask(emulator, ["list", "--stacks", ...words], { env: withStacks(stacks) });

it("`list --stacks` shows the stack of each deployment, those without one, and what several stacks manage", async () => {
  const emulator = await start();
  const [alone, shared, free] = ["alone", "shared", "free"].map((name) => create(emulator, name));
  const { code, stdout, stderr } = await listed(emulator, {
    "acme/app/dev": [{ id: alone! }, { id: shared!.toUpperCase() }],
    "acme/app/prod": [{ id: shared! }, { id: gone, outputs: { name: "old", ...madeAt(emulator.url) } }],
  });
  expect(code).toBe(0);
  const cells = stdout.split("\n").map((line) => line.split(/ {2,}/));
  const rows = cells.map((each) => [...each.slice(0, 3), each.at(-1)]);
  expect(rows.slice(1, 5)).toEqual([
    ["alone", "acme/app/dev (r0)", "ready", alone],
    ["free", "-", "ready", free],
    ["shared", "acme/app/dev (r1) and acme/app/prod (r0)", "ready", shared],
    ["old", "acme/app/prod (r1)", "missing", gone],
  ]);
  expect(stderr).toBe(
    "deployments managed by exactly one stack: 1; managed by no stack: 1; managed by more than one resource (remove it from all " +
      "states but one): 1; in a state, but not on the service (`pulumi refresh` removes it from the state): 1\n",
  );
});

it("`list --stacks` names the resource only if the deployment has another name, and no placeholder of an organization", async () => {
  const emulator = await start();
  const [same, other] = ["r0", "other"].map((name) => create(emulator, name));
  const { stdout } = await listed(emulator, { "organization/app/prod": [{ id: same! }, { id: other! }] });
  expect(stdout).toMatch(/^other +app\/prod \(r1\) +ready/m);
  expect(stdout).toMatch(/^r0 +app\/prod +ready/m);
});

it("`list --stacks` has room for the stack in 80 columns", async () => {
  const emulator = await start();
  const id = create(emulator, "support-chat-of-the-team-for-billing");
  const stacks = withStacks({ "acme/app/prod": [{ id }] });
  const { stdout } = await ask(emulator, ["list", "--stacks"], { env: stacks, columns: 80 });
  expect(stdout).toContain("acme/app/prod (r0)");
  expect(stdout).toContain("--json shows all.");
});

it("`list --stacks --json` has the owners of each deployment, and what is missing", async () => {
  const emulator = await start();
  const id = create(emulator, "chat");
  const stacks = { "acme/app/prod": [{ id }, { id: gone }] };
  const { stdout } = await listed(emulator, stacks, ["--json"]);
  expect(JSON.parse(stdout)).toMatchObject([
    { id, name: "chat", stacks: [{ stack: "acme/app/prod", resource: "r0" }] },
    { id: gone, name: null, state: "missing", stacks: [{ stack: "acme/app/prod", resource: "r1" }] },
  ]);
});

it.each<[string, Resource, string[]]>([
  ["another service", { id: elsewhere, outputs: madeAt("https://other.example.com") }, []],
  ["another tenant", { id: elsewhere, outputs: { tenantId: "00000000-0000-4000-8000-0000000000cc" } }, []],
  ["a lookup", { id: elsewhere, more: { external: true } }, []],
  ["a replaced resource", { id: elsewhere, more: { delete: true } }, []],
  ["a filtered listing", { id: gone }, ["--name-contains", "chat"]],
])("`list --stacks` does not take a deployment of %s as missing", async (_, resource, words) => {
  const emulator = await start();
  const id = create(emulator, "chat");
  const { stdout } = await listed(emulator, { "acme/app/prod": [{ id }, resource] }, ["--json", ...words]);
  expect(JSON.parse(stdout)).toMatchObject([{ id }]);
  expect(JSON.parse(stdout)).toHaveLength(1);
});

it("`list --stacks` warns of a stack that it cannot read, and compares the others", async () => {
  const emulator = await start();
  const id = create(emulator, "chat");
  const { code, stderr } = await listed(emulator, { "acme/app/dev": "broken", "acme/app/prod": [{ id }] });
  expect(code).toBe(0);
  expect(stderr).toBe(
    "warning: not compared, because they cannot be read: acme/app/dev\ndeployments managed by exactly one stack: 1\n",
  );
});

it("`list --stacks` without a Pulumi CLI ends with 2 and says so", async () => {
  const emulator = await start();
  const env = { PATH: machine.folder("empty", {}) };
  const { code, stdout, stderr } = await ask(emulator, ["list", "--stacks"], { env });
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain("the stacks cannot be listed: there is no `pulumi` on the PATH");
});
