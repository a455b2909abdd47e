/** The options of `fromManifest`, which are checked at run time for JavaScript programs. */
import * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { problemsOf } from "../../schema/problems";
import { formatPath, isObject } from "../../schema/tree";
import { InputError } from "./input-error";

export interface ManifestOptions {
  /** Stack that selects the overlay, and value of `${stack}`. Default: the program's stack. */
  stack?: string;
  /** Value of `${project}`, and namespace of `${config.…}`. Default: the program's project. */
  project?: string;
  /** Values of `${config.…}` by key. Default: the stack's configuration. */
  config?: Readonly<Record<string, pulumi.Input<string>>>;
  /** Values of `${env.…}`. Default: the process's environment. */
  env?: Readonly<Record<string, string | undefined>>;
}

const isLater = (value: unknown) => pulumi.Output.isInstance(value) || value instanceof Promise;
const known = z.custom((value) => !isLater(value), "must be known at once, and is an output");
const text = known.pipe(z.string().min(1)).optional();
const textOrLater = z.custom(
  (value) => value === undefined || typeof value === "string" || isLater(value),
  "expected a string or an output of one",
);
const Options = z.strictObject({
  stack: text,
  project: text,
  config: known.pipe(z.record(z.string(), textOrLater)).optional(),
  env: known.pipe(z.record(z.string(), z.string().optional())).optional(),
});

/** @throws if an option is unknown or of the wrong type */
export function checkManifestOptions(options: unknown): void {
  if (!isObject(options)) throw new InputError("fromManifest expects its options as an object");
  const [problem] = problemsOf(Options, options);
  if (problem === undefined) return;
  const { path, message, rule } = problem;
  throw new InputError(`fromManifest: ${rule === "unknown-key" ? "" : `${formatPath(path)}: `}${message}`);
}
