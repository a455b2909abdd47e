/** A service in virtual time that answers by a function. Every request takes a while. */
import { onTestFinished, vi } from "vitest";
import { Client } from "../../provider/control-plane/client";
import { NotSentError } from "../../provider/control-plane/connection";
import { Http } from "../../provider/control-plane/http";
import { type ApiCall, Transport } from "../../provider/control-plane/transport";
import { standard } from "../../provider/dialects/standard";
import type { Dialect } from "../../provider/dialects";
import { VirtualClock } from "./clock";
import { settingsAt } from "./http";

export interface Reply {
  readonly status: number;
  readonly retryAfter?: string;
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The connection is lost in place of the response. */
  readonly isLost?: boolean;
  /** The connection is refused: the request does not arrive. */
  readonly isRefused?: boolean;
}

export interface Sent {
  /** When it arrived, in milliseconds since the beginning. */
  readonly at: number;
  readonly call: ApiCall;
  readonly status: number;
}

/** How long a request takes, in milliseconds; half of it on its way to the service. */
export const latency = 40;

type Answer = (call: ApiCall, at: number, count: number) => Reply | "never";

interface VirtualService {
  readonly dialect?: Dialect;
  readonly maxConcurrency?: number;
}

export function serveInVirtualTime(
  reply: Answer,
  { dialect = standard, maxConcurrency = 8 }: VirtualService = {},
) {
  const clock = new VirtualClock();
  const began = clock.now();
  const sent: Sent[] = [];
  const spy = vi.spyOn(Transport.prototype, "send").mockImplementation(async (call, signal, answered) => {
    if (signal.aborted) throw signal.reason;
    await clock.sleep(latency / 2);
    const at = clock.now() - began;
    const answer = reply(call, at, sent.length + 1);
    if (answer === "never") {
      sent.push({ at, call, status: 0 });
      return new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
      });
    }
    const { status, retryAfter, headers, body = {}, isLost, isRefused } = answer;
    if (isRefused) throw new NotSentError(Object.assign(new Error("refused"), { code: "ECONNREFUSED" }));
    sent.push({ at, call, status });
    await clock.sleep(latency / 2);
    if (isLost) throw Object.assign(new Error("lost"), { code: "ECONNRESET" });
    answered(status);
    return { status, headers: { "retry-after": retryAfter, ...headers }, text: JSON.stringify(body) };
  });
  onTestFinished(() => spy.mockRestore());
  const more = { dialect, maxConcurrency, requestTimeout: 30_000, pollInterval: 2_000 };
  const http = new Http(settingsAt("https://deployments.example.com", more), { clock });
  const client = new Client(http);
  return { clock, http, client, sent };
}
