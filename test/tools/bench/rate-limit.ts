/** A first `up` of many deployments against a service that takes so many requests a second and no more. */
import type { LoggedRequest } from "../../../emulator";
import type { Benchmark } from "./benchmark";
import { up } from "./phases";
import { programOf } from "./programs";
import { atPlace, measure } from "./stack-run";

const perSecond = 20;

export const rateLimit: Benchmark = {
  name: "rate-limit",
  async run({ quick, tell }) {
    const count = quick ? 100 : 250;
    const place = {
      program: { "index.js": programOf("package", count) },
      emulator: { requestsPerSecond: perSecond, rollout: { afterMs: 1_000 } },
    };
    const requests = await atPlace(place, async (made) => {
      tell(`${count} deployments, ${perSecond} requests a second`);
      await measure(made, [...up, "--parallel", String(count)]);
      return made.emulator.requests();
    });
    const posts = requests.filter(({ method }) => method === "POST");
    const created = posts.filter(({ status }) => status === 201);
    const refused = requests.filter(isRefused);
    const seconds = (lastEndOf(created) - requests[0]!.at) / 1_000;
    return [
      {
        what: `${count} creates, ${perSecond} requests a second: time against the least`,
        value: seconds / (count / perSecond),
        unit: "x",
        atMost: 1.5,
        note: `${seconds.toFixed(1)} s, ${created.length} created`,
      },
      {
        what: "requests that were repeated although they were not refused",
        value: posts.length - created.length - posts.filter(isRefused).length + (created.length - count),
        unit: "",
        atMost: 0,
        note: `${requests.length} requests in all, of which ${refused.length} were refused (429)`,
      },
    ];
  },
};

function isRefused({ status }: LoggedRequest): boolean {
  return status === 429;
}

function lastEndOf(requests: readonly LoggedRequest[]): number {
  return Math.max(...requests.map(({ at, ms }) => at + (ms ?? 0)));
}
