/**
 * How many deployments a program declares. Where it is more than one, a key that sees none is the wrong one, and all are not
 * deleted.
 */
import * as pulumi from "@pulumi/pulumi";

/** One process may run several programs, one after the other. */
const counts = new WeakMap<object, number>();
const noStack = {};

/** @returns tells how many there are; to be asked once the program has declared what it declares at a time */
export function countDeclared(): () => number {
  const run = pulumi.runtime.getStackResource() ?? noStack;
  counts.set(run, (counts.get(run) ?? 0) + 1);
  return () => counts.get(run)!;
}
