/** The types of arguments that are objects. A program may pass each as it is, or as a promise or an output. */
import type { Output as PulumiOutput, OutputInstance } from "@pulumi/pulumi";

/** @typeParam L the class of its outputs */
export type ObjectInput<T, L> = T | Promised<T> | L;

/** The compiler suggests a key in place of a misspelled one only if each member of the union has it. */
type Keys<T, More = never> = string extends keyof T ? unknown : { readonly [K in keyof T]?: T[K] | More };

type Promised<T> = Promise<T> & Keys<NonNullable<T>>;

/**
 * An output of an object, as the type of an argument. Editors do not offer the keys of a class that has a private member, so
 * that `apply` and `get` are not offered as keys of the object. That needs a class without type parameters. The member is
 * optional, so any output of the right type can be assigned.
 */
export declare class Later<T> implements OutputInstance<T> {
  private readonly later?: never;
  get(): T;
  apply<U>(func: (value: T) => Promise<U>): PulumiOutput<U>;
  apply<U>(func: (value: T) => OutputInstance<U>): PulumiOutput<U>;
  apply<U>(func: (value: T) => U): PulumiOutput<U>;
}
/** Errors show this name. */
declare class Output extends Later<unknown> {}

/** The same, with the keys of the object. */
export declare const LaterKeys: new <T>() => Later<T> & Keys<NonNullable<T>, Output>;
