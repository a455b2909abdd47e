/**
 * Modules that most programs do not need are loaded when they are first called, with everything that they import. A program that
 * only declares deployments loads no schemas, no YAML parser and no HTTP library.
 */
/* eslint-disable @typescript-eslint/no-require-imports -- a synchronous function cannot wait for an import */
import type { Deployment } from "./deployment";
import type * as FromManifest from "./from-manifest";
import type { ManifestOptions } from "./from-manifest";
import type * as Lookups from "./lookups";

/**
 * Registers every deployment of a manifest. If the file has a problem, registers nothing and reports all problems.
 *
 * @example
 * ```ts
 * const { chat } = fromManifest("deployments.yaml");
 * export const url = chat.url;
 * ```
 *
 * @typeParam K the keys, so that editors complete them: `fromManifest<"chat" | "search">(…)`
 * @param file the manifest, relative to the program's folder
 * @returns the resources by their keys in the manifest
 * @throws if the file has a problem
 */
export function fromManifest<K extends string = string>(
  file: string,
  options?: ManifestOptions,
): Record<K, Deployment> {
  return (require("./from-manifest") as typeof FromManifest).fromManifest(file, options);
}

/** @internal */
export const lookups = () => require("./lookups") as typeof Lookups;
