import { inspect } from "node:util";
import * as pulumi from "@pulumi/pulumi";

/**
 * An error whose text is all that the user is shown. The SDK inspects what nobody handled, which takes a minute for an
 * error that has passed through outputs, and prints stacks: this one has neither a stack nor anything to look into.
 */
export class InputError extends pulumi.RunError {
  constructor(message: string) {
    super(message);
    Object.defineProperty(this, "stack", { get: () => this.message });
  }

  [inspect.custom](): string {
    return this.message;
  }
}
