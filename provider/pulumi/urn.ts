/** The URN of a deployment before the engine has said it. */
import * as pulumi from "@pulumi/pulumi";
import { typeToken } from "../internal-inputs";
import { withoutDependencies } from "./without-dependencies";

/** The beginning that all deployments below one parent share, and those of a stack that have none. */
const ofParents = new WeakMap<pulumi.Resource, Promise<string>>();
const ofStacks = new Map<string, Promise<string>>();

/**
 * A promise without dependencies: an output would make the resource depend on its parent, and so, where that is a
 * component, on all the component's children, itself among them.
 */
export async function urnOf(name: string, parent: pulumi.Resource | undefined): Promise<string> {
  return `${await beginningBelow(parent)}${name}`;
}

function beginningBelow(given: pulumi.Resource | undefined): Promise<string> {
  // Of a parent that is no resource the SDK says so itself.
  const parent = pulumi.Resource.isInstance(given) ? given : undefined;
  const stack = `${pulumi.getStack()}::${pulumi.getProject()}`;
  const known = parent === undefined ? ofStacks.get(stack) : ofParents.get(parent);
  if (known !== undefined) return known;
  const beginning = withoutDependencies(pulumi.createUrn("", typeToken, parent));
  if (parent === undefined) ofStacks.set(stack, beginning);
  else ofParents.set(parent, beginning);
  return beginning;
}
