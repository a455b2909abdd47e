/** The types of arguments that are objects. A program may pass each as it is, or as a promise or an output. */
import type { Output as PulumiOutput, OutputInstance } from "@pulumi/pulumi";

/** @typeParam L the class of its outputs */
export type ObjectInput<T, L> = T | Promise<T> | L;

/** A string that must be given. Whether a promise or an output has a value shows only when the program runs. */
export type RequiredString = string | Promise<string | undefined> | OutputInstance<string | undefined>;

/**
 * An output of an object, as the type of an argument. Editors do not offer the keys of a class that has a private member, so
 * that `apply` and `get` are not offered as keys of the object. That needs a class without type parameters. The member is
 * optional, so any output of the right type can be assigned. It has none of the object's keys: an editor shows the text of a key
 * only if one member of the union has it.
 */
export declare class Later<T> implements OutputInstance<T> {
  private readonly later?: never;
  get(): T;
  apply<U>(func: (value: T) => Promise<U>): PulumiOutput<U>;
  apply<U>(func: (value: T) => OutputInstance<U>): PulumiOutput<U>;
  apply<U>(func: (value: T) => U): PulumiOutput<U>;
}
