/** The listeners that run deployments on the customer's own clusters, and the advice for a deployment that must name one. */
import { WireListeners } from "../../schema/wire";
import type { Listener } from "../deployment/repository";
import type { Dialect } from "../dialects";
import { ControlPlaneError } from "../errors";
import type { Limits } from "../time/limits";
import { sanitize } from "../text/sanitize";
import type { Http } from "./http";
import { pageSize } from "./pagination";
import { fetchParsed } from "./parse";
import { listingPath } from "./translate";

export async function readListeners(http: Http, dialect: Dialect, limits?: Limits): Promise<Listener[]> {
  const request = {
    path: listingPath(dialect, "listeners", "listeners"),
    query: { limit: String(pageSize) },
  };
  const { resources } = await fetchParsed(http, WireListeners, request, limits);
  return resources.map(({ id, compute_id, compute_config }) => ({
    id,
    computeId: compute_id,
    namespaces: compute_config?.k8s_namespaces ?? [],
  }));
}

/** Whether the service refused a deployment because it names no listener. */
export function lacksListener(error: unknown, { advice }: Dialect): error is ControlPlaneError {
  if (!(error instanceof ControlPlaneError) || error.advice === undefined) return false;
  return advice.some(({ text, choices }) => choices === "listeners" && text === error.advice);
}

/** The same error with the listeners to choose from, and with the lines to paste if there is only one choice. */
export function withChoices(error: ControlPlaneError, listeners: readonly Listener[]): ControlPlaneError {
  const [only, ...others] = listeners.flatMap(({ id, namespaces }) =>
    namespaces.map((namespace) => ({ id, namespace })),
  );
  if (listeners.length === 1 && only !== undefined && others.length === 0) {
    const advice = `There is only one, with one namespace. Add to \`sourceConfig\`:`;
    return new ControlPlaneError(error.message, { ...error, advice, toPaste: linesFor(only) });
  }
  const choices = listeners.map(({ id, computeId, namespaces }) =>
    sanitize(`${id} (${computeId}: ${namespaces.join(", ") || "no namespaces"})`),
  );
  const list = choices.length === 0 ? "" : ` To choose from: ${choices.join("; ")}.`;
  return new ControlPlaneError(error.message, { ...error, advice: `${error.advice}${list}` });
}

function linesFor({ id, namespace }: { readonly id: string; readonly namespace: string }): string {
  const text = (value: string) => JSON.stringify(sanitize(value));
  return `  listenerId: ${text(id)},\n  listenerConfig: { k8sNamespace: ${text(namespace)} },`;
}
