/** Everything that an `up` may be doing when it is killed, but for the deletions at its end: each operation, at each of its requests. */
import type { How, When } from "../../emulator";
import { nameOf, type Spec } from "../model/support/program";

/** A write stops before the service does it, or afterwards without a response. A wait never ends. */
export type Moment = "before" | "after" | "during";

type Request = "POST" | "PATCH" | "DELETE" | "rollout" | "deletion";

interface Operation {
  readonly requests: readonly Request[];
  /** Declared before it. Undefined if it does not exist yet. */
  readonly from?: Spec;
  /** Declared from then on. */
  readonly to: Spec;
}

const first: Spec = { source: "external_container", edition: 0, version: 0, cpu: 1, secrets: { ALPHA: 0 } };

const operations: Readonly<Record<string, Operation>> = {
  create: { requests: ["POST", "rollout"], to: first },
  "update-settings": { requests: ["PATCH"], from: first, to: { ...first, cpu: 2 } },
  "update-revision": { requests: ["PATCH", "rollout"], from: first, to: { ...first, version: 1 } },
  "replace-deleting-first": {
    requests: ["DELETE", "deletion", "POST", "rollout"],
    from: first,
    to: { ...first, tier: "dev" },
  },
  "replace-creating-first": { requests: ["POST", "rollout"], from: first, to: { ...first, edition: 1 } },
};

/** Both providers, used in the same run. */
const adapters = ["dynamic", "packaged"] as const;

export interface FaultCase {
  readonly adapter: (typeof adapters)[number];
  /** The logical name of its deployment. */
  readonly name: string;
  readonly slot: number;
  readonly request: Request;
  readonly moment: Moment;
  /** Whether the operation makes a deployment. */
  readonly creates: boolean;
  readonly from: Spec | undefined;
  readonly to: Spec;
  /** The names of its deployment on the service, before and from then on. */
  readonly names: { readonly from: string | undefined; readonly to: string };
}

export const cases: readonly FaultCase[] = Object.entries(operations)
  .flatMap(([operation, { requests, ...of }]) =>
    requests.flatMap((request) => {
      const isWait = request === "rollout" || request === "deletion";
      const moments: readonly Moment[] = isWait ? ["during"] : ["before", "after"];
      const all = moments.flatMap((moment) => adapters.map((adapter) => ({ moment, adapter })));
      return all.map(({ moment, adapter }) => ({
        adapter,
        name: `${adapter}-${operation}-${moment}-${request.toLowerCase()}`,
        request,
        moment,
        creates: requests.includes("POST"),
        from: of.from,
        to: of.to,
      }));
    }),
  )
  .map((faultCase, slot) => {
    const { from, to } = faultCase;
    return { ...faultCase, slot, names: { from: from && nameOf(slot, from), to: nameOf(slot, to) } };
  });

/** Whether the service created a deployment that the killed run did not record. */
export function isMadeAndUnknown({ creates, request, moment }: FaultCase): boolean {
  return creates && (request === "rollout" || (request === "POST" && moment === "after"));
}

/** How its request is stopped. Undefined if it waits anyway. */
export function stopFor(
  faultCase: FaultCase,
  idOf: (name: string) => string,
): { when: When; how: How } | undefined {
  if (faultCase.moment === "during") return undefined;
  const how: How = { hang: true, work: faultCase.moment === "after" };
  if (faultCase.request !== "POST") {
    return { when: { method: faultCase.request, path: `/v2/deployments/${idOf(faultCase.name)}` }, how };
  }
  const isOfName = (body: unknown) => (body as { name?: unknown } | undefined)?.name === faultCase.names.to;
  return { when: { method: "POST", body: isOfName }, how };
}
