/** The question in a preview whether a new deployment is one that the stack has under another logical name. */
import * as pulumi from "@pulumi/pulumi";
import { expect, it, vi } from "vitest";
import { Deployment } from "../../../provider";
import { typeToken } from "../../../provider/internal-inputs";

const urn = (name: string) => `urn:pulumi:dev::shop::${typeToken}::${name}`;
const image = (name: string) => ({ imageUri: `registry.example.com/${name}:1` });
const argsOf = (name: string) => ({
  source: "external_container" as const,
  name,
  sourceRevisionConfig: image(name),
});

interface Stack {
  /** Deployments that the stack has, by their logical names. */
  readonly has?: Readonly<Record<string, object>>;
  readonly outputs?: object;
  readonly isPreview?: boolean;
}

/** The warnings of a program in this stack, and the functions of the engine that it called. */
async function warningsOf(program: () => void, stack: Stack = {}) {
  const { has = { old: argsOf("old") }, outputs = { region: "eu" }, isPreview = true } = stack;
  const called: string[] = [];
  const resources = Object.fromEntries(
    Object.entries(has).map(([name, inputs]) => [urn(name), { type: typeToken, outputs: inputs }]),
  );
  await pulumi.runtime.setMocks(
    {
      newResource: ({ name, inputs }) => ({ id: has[name] ? `${name}-id` : "", state: inputs as object }),
      call: ({ token }) => {
        called.push(token.split(":").at(-1)!);
        return { outputs: token.endsWith("readStackOutputs") ? outputs : resources };
      },
    },
    "shop",
    "dev",
    isPreview,
    "organization",
  );
  const warn = vi.spyOn(pulumi.log, "warn").mockResolvedValue();
  await pulumi.runtime.runInPulumiStack(() => {
    program();
    return Promise.resolve();
  });
  // The question begins once the resource is registered.
  for (let turn = 0; turn < 20; turn++) {
    await (pulumi.runtime as unknown as { waitForRPCs(): Promise<void> }).waitForRPCs();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const warnings = warn.mock.calls.map(([text]) => text);
  warn.mockRestore();
  return { warnings, called };
}

const isRename = [expect.stringContaining("old is deleted and new is created") as string];
const declare = (args: ReturnType<typeof argsOf>, options = {}) => {
  return () => void new Deployment("new", args, options);
};
const sameImage = { ...argsOf("new"), sourceRevisionConfig: image("old") };

it.each([
  ["the image", sameImage],
  ["the name on the service", { ...argsOf("new"), name: "old" }],
])("a preview asks about a new deployment with %s of one that is no longer declared", async (_, args) => {
  expect((await warningsOf(declare(args))).warnings).toEqual(isRename);
});

it.each<[string, () => void, Stack?]>([
  ["neither image nor name are the same", declare(argsOf("new"))],
  ["its former name is an alias", declare(sameImage, { aliases: [{ name: "old" }] })],
  [
    "the other one is still declared",
    () => {
      new Deployment("old", argsOf("old"));
      declare(sameImage)();
    },
  ],
  ["it is an `up`", declare(sameImage), { isPreview: false }],
  ["nothing shows that the stack was ever deployed", declare(sameImage), { outputs: {} }],
  ["the stack has only resources of other types", declare(sameImage), { has: {} }],
])("nothing is asked if %s", async (_, program, stack) => {
  expect((await warningsOf(program, stack)).warnings).toEqual([]);
});

it("a preview reads the resources of the stack once, and only if the program creates a deployment", async () => {
  const has = { old: argsOf("old"), there: argsOf("there") };
  const reads = ["readStackOutputs", "readStackResourceOutputs"];
  const create = () => {
    declare(sameImage)();
    new Deployment("other", argsOf("other"));
  };
  expect((await warningsOf(create, { has })).called).toEqual(reads);
  expect((await warningsOf(() => void new Deployment("there", argsOf("there")), { has })).called).toEqual([]);
});
