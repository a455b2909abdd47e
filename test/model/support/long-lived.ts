/**
 * A provider process that lives long: hundreds of operations, well and badly ended, and after each round what is left of
 * them in the process. It ends by itself, or something keeps it.
 */
import { provider } from "../../../provider/dynamic/provider";
import { providerText, urn } from "../../support/provider-process/resource";
import { open, type Values } from "./wire";

export interface Round {
  readonly operations: number;
  readonly failures: number;
  /** What would keep the process alive, by kind. */
  readonly resources: readonly string[];
  /** Bytes. */
  readonly heap: number;
}

/** A failure may carry the resource that exists all the same. */
interface Failed extends Error {
  readonly id?: string;
  readonly properties?: Values;
}

/** Of each round. */
export const deployments = 26;
export const stuckDeployments = 6;

const rounds = Number(process.argv[2]);
const ballast = "x".repeat(20_000);

function inputsOf(name: string, version: number): Values {
  const isStuck = name.startsWith("stuck");
  return {
    name,
    source: "external_container",
    sourceConfig: { resourceSpec: { labels: { ballast: `${name}${ballast}` } } },
    sourceRevisionConfig: { imageUri: `registry.example.com/app:${version}` },
    secrets: { KEY: `key-of-${name}` },
    generation: version,
    __options: {
      urn: urn(name),
      timeouts: isStuck ? { create: "300ms", update: "300ms", delete: "300ms" } : {},
    },
    __provider: providerText,
  };
}

async function playRound(round: number): Promise<Round> {
  let operations = 0;
  let failures = 0;
  const counted = async <T>(work: Promise<T>): Promise<T | Failed> => {
    operations++;
    return work.catch((error: Failed) => {
      failures++;
      return error;
    });
  };
  const live = async (name: string) => {
    const first = inputsOf(name, 1);
    const made = await counted(provider.create(first));
    const { id, outs } = made instanceof Error ? { id: made.id, outs: made.properties } : made;
    if (id === undefined) return;
    const state = open(outs as Values);
    await counted(provider.update!(id, state, inputsOf(name, 2)));
    await counted(provider.read!(id, state));
    await counted(provider.delete!(id, state));
  };
  const names = Array.from(
    { length: deployments - 1 },
    (_, at) => `${at < stuckDeployments - 1 ? "stuck" : "app"}-${round}-${at}`,
  );
  await Promise.all(names.map(live));
  // The last one gives up on a poll that is not due yet.
  await live(`stuck-calm-${round}`);
  const resources = await remaining();
  await collectGarbage();
  return { operations, failures, resources, heap: process.memoryUsage().heapUsed };
}

/** What the process still holds once it had the turns that it takes to close a connection, also on a busy machine. */
async function remaining(): Promise<string[]> {
  let resources: string[] = [];
  for (let turn = 0; turn < 100_000; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    resources = process.getActiveResourcesInfo();
    if (!resources.some((each) => /TCP|Immediate/.test(each))) break;
  }
  return resources;
}

async function collectGarbage(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    global.gc?.();
  }
}

async function main(): Promise<void> {
  process.on("warning", ({ name, message }) =>
    process.stdout.write(`${JSON.stringify({ warning: `${name}: ${message}` })}\n`),
  );
  for (let round = 0; round < rounds; round++) {
    process.stdout.write(`${JSON.stringify(await playRound(round))}\n`);
  }
}

if (require.main === module) void main();
