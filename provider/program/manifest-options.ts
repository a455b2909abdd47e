/** The options of `fromManifest`, which are checked at run time for JavaScript programs. */
import * as pulumi from "@pulumi/pulumi";
import { typeName, unknownKeyMessage } from "../../schema/problems";
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

const isText = (value: unknown) => typeof value === "string";
const isLater = (value: unknown) => pulumi.Output.isInstance(value) || value instanceof Promise;
const isTextOrLater = (value: unknown) => isText(value) || isLater(value);

type Check = (place: string, value: unknown) => void;

const checks: Record<keyof ManifestOptions, Check> = {
  stack: checkName,
  project: checkName,
  config: (place, value) => checkEach(place, value, isTextOrLater, "a string or an output of one"),
  env: (place, value) => checkEach(place, value, isText, "a string"),
};

/** @throws if an option is unknown or of the wrong type */
export function checkManifestOptions(options: unknown): void {
  if (!isObject(options)) throw new InputError("fromManifest expects its options as an object");
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(checks, name)) {
      throw new InputError(`fromManifest: ${unknownKeyMessage(name, Object.keys(checks))}`);
    }
    if (value !== undefined) checks[name as keyof ManifestOptions](name, value);
  }
}

function checkName(place: string, value: unknown): void {
  if (!isText(value)) throw expected(place, "a string", value);
  if (value === "") throw new InputError(`fromManifest: ${place}: must not be empty`);
}

function checkEach(place: string, value: unknown, isRight: (value: unknown) => boolean, what: string): void {
  if (!isObject(value)) throw expected(place, "an object", value);
  for (const [key, each] of Object.entries(value)) {
    if (each !== undefined && !isRight(each)) throw expected(`${place}.${key}`, what, each);
  }
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isLater(value);
}

function expected(place: string, what: string, value: unknown): InputError {
  const got = isLater(value) ? "an output" : typeName(value);
  return new InputError(`fromManifest: ${place}: expected ${what}, got ${got}`);
}
