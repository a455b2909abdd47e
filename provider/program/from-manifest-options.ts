/** The options of `fromManifest`, which are checked at run time for JavaScript programs. */
import * as pulumi from "@pulumi/pulumi";
import { typeName, unknownKeyMessage } from "../../schema/wording";
import { asObject, isObject } from "../../schema/tree";
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

type Expected = readonly [isRight: (value: unknown) => boolean, what: string];

const isLater = (value: unknown) => pulumi.Output.isInstance(value) || value instanceof Promise;
const anObject: Expected = [(value) => isObject(value) && !isLater(value), "an object"];
const aString: Expected = [(value) => typeof value === "string", "a string"];
const aStringOrLater: Expected = [
  (value) => typeof value === "string" || isLater(value),
  "a string or an output of one",
];
const values: Partial<Record<string, Expected>> = { config: aStringOrLater, env: aString };

/** @throws if an option is unknown or of the wrong type */
export function checkManifestOptions(options: unknown): void {
  if (!isObject(options)) throw new InputError("fromManifest expects its options as an object");
  for (const [name, value] of Object.entries(options)) {
    const known = ["stack", "project", ...Object.keys(values)];
    if (!known.includes(name)) throw new InputError(`fromManifest: ${unknownKeyMessage(name, known)}`);
    if (value === undefined) continue;
    expect(name, value, values[name] ? anObject : aString);
    if (value === "") throw new InputError(`fromManifest: ${name}: must not be empty`);
    for (const [key, each] of Object.entries(asObject(value)))
      if (each !== undefined) expect(`${name}.${key}`, each, values[name]!);
  }
}

function expect(place: string, value: unknown, [isRight, what]: Expected): void {
  if (isRight(value)) return;
  const got = isLater(value) ? "an output" : typeName(value);
  throw new InputError(`fromManifest: ${place}: expected ${what}, got ${got}`);
}
