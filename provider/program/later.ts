/** The types of arguments that are objects. A program may pass each as it is, or as a promise or an output. */
import type { Output, OutputInstance } from "@pulumi/pulumi";

/**
 * Where the class of its outputs has the keys of the object, so does every member of the union: only then does the compiler
 * suggest one for a misspelled key.
 *
 * @typeParam L the class of its outputs
 */
export type ObjectInput<T, L> = T | (Promise<T> & Omit<L, keyof Later<T>>) | L;

/**
 * An output of an object, as the type of an argument. Editors do not offer the keys of a class that has a private member, so
 * that `apply` and `get` are not offered as keys of the object. That needs a class without type parameters. The member is
 * optional, so any output of the right type can be assigned.
 */
export declare class Later<T> implements OutputInstance<T> {
  private readonly later?: never;
  get(): T;
  apply<U>(func: (value: T) => Promise<U>): Output<U>;
  apply<U>(func: (value: T) => OutputInstance<U>): Output<U>;
  apply<U>(func: (value: T) => U): Output<U>;
}
declare class AnyOutput extends Later<unknown> {}

/** The same, with the keys of the object. */
export declare const LaterKeys: new <T>() => Later<T> & {
  readonly [K in keyof NonNullable<T>]?: NonNullable<T>[K] | AnyOutput;
};
