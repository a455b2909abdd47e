/** An error about what a program passes. */
import { inspect } from "node:util";
import * as pulumi from "@pulumi/pulumi";

/**
 * An error that shows the user only its message. The SDK inspects unhandled errors, which takes a minute for an error that has
 * passed through outputs, and prints their stacks. This one has no stack and nothing to inspect.
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
