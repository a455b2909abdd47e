/**
 * Many stacks that share one key, in virtual time: `npx tsx test/tools/rate-limit.ts`. Each creates a deployment whose rollout takes ten
 * minutes. The service accepts 2,000 requests per minute of the key, in fixed windows, and does not say how long to wait.
 */
import { Client } from "../../provider/control-plane/client";
import { Http } from "../../provider/control-plane/http";
import { Transport } from "../../provider/control-plane/transport";
import { langsmith } from "../../provider/dialects/langsmith";
import { VirtualClock } from "../support/clock";

const [stacks, perMinute, rollout, latency] = [300, 2_000, 600_000, 100];

async function simulate(requestsPerMinute: number | undefined) {
  const clock = new VirtualClock(0);
  clock.random = () => Math.random();
  const windows = new Map<number, number>();
  const created = new Map<string, number>();
  let [sent, refused] = [0, 0];
  Transport.prototype.send = async ({ method, path, query, body }, signal, answered) => {
    await clock.sleep(latency, signal);
    sent++;
    const window = Math.floor(clock.now() / 60_000);
    const count = (windows.get(window) ?? 0) + 1;
    windows.set(window, count);
    const [status, response] = count > perMinute ? [429, {}] : [200, answerTo()];
    if (status === 429) refused++;
    answered(status);
    return { status, headers: {}, text: JSON.stringify(response) };

    function answerTo(): object {
      if (path.includes("/revisions/")) return { id: "r", status: "BUILDING" };
      const id = method === "POST" ? (body as { name: string }).name : query!["deployment_ids"]!;
      if (method === "POST") created.set(id, clock.now());
      const isDone = clock.now() - (created.get(id) ?? Infinity) >= rollout;
      const row = { id, name: id, source: "external_docker", status: "READY", latest_revision_id: `${id}-r` };
      const deployment = { ...row, active_revision_id: isDone ? `${id}-r` : null };
      return method === "POST" ? deployment : { resources: [deployment], offset: 1 };
    }
  };
  const delays: number[] = [];
  let failed = 0;
  const stack = async (id: string) => {
    await clock.sleep(Math.random() * 10_000);
    const options = {
      maxConcurrency: 8,
      requestTimeout: 30_000,
      requestsPerMinute,
      headers: {},
      secrets: () => [],
    };
    const http = new Http({ ...options, baseUrl: "https://x.example.com", advice: [], clock });
    const limits = { deadline: clock.now() + 1_800_000, timeout: 1_800_000, tell: () => undefined };
    const client = new Client({ http, dialect: langsmith, pollInterval: 2_000 }).within(limits);
    const deployment = { name: id, source: "external_container", sourceConfig: {}, sourceRevisionConfig: {} };
    await client.create({ ...deployment, secrets: {} } as never);
    for (;;) {
      const seen = await client.poll(id).catch(() => undefined);
      if (seen?.activeRevisionId) break;
    }
    delays.push(clock.now() - created.get(id)! - rollout);
  };
  const all = Array.from({ length: stacks }, (_, at) => stack(`d-${at}`).catch(() => void failed++));
  await clock.run(Promise.all(all));
  const seconds = (ms = NaN) => Math.round(ms / 1_000);
  delays.sort((a, b) => a - b);
  const share = `${((100 * refused) / sent).toFixed(1)}%`;
  const late = {
    "seen late, median (s)": seconds(delays[delays.length >> 1]),
    "at most (s)": seconds(delays.at(-1)),
  };
  return { requestsPerMinute: requestsPerMinute ?? "none", requests: sent, refused, share, ...late, failed };
}

async function main(): Promise<void> {
  const rows = [];
  for (const limit of [undefined, 12, 6]) rows.push(await simulate(limit));
  for (const row of rows) process.stdout.write(`${JSON.stringify(row)}\n`);
}

void main();
