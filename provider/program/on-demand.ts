/**
 * What most programs do without is loaded when it is called, and then all of it: behind these functions modules import what
 * they use. A program that only declares deployments loads no schemas, no YAML and no HTTP.
 */
/* eslint-disable @typescript-eslint/no-require-imports -- a function that is not asynchronous cannot wait for an import */
import type { Deployment } from "./deployment";
import type * as FromManifest from "./from-manifest";
import type * as LookUps from "./look-ups";
import type { ManifestOptions } from "./manifest-options";

/**
 * Registers every deployment of a manifest. A file with a problem registers nothing: all of its problems are shown.
 *
 * @example
 * ```ts
 * const { chat } = fromManifest("deployments.yaml");
 * export const url = chat.url;
 * ```
 *
 * @param file the manifest, relative to the program's folder
 * @returns the resources by their keys in the manifest
 * @throws for an option that is none or of another type, and for a file with a problem
 */
export function fromManifest(file: string, options?: ManifestOptions): Record<string, Deployment> {
  return (require("./from-manifest") as typeof FromManifest).fromManifest(file, options);
}

/** @internal */
export const lookUps = () => require("./look-ups") as typeof LookUps;
