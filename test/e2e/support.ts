import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll } from "vitest";
import { builtCommand, connectionTo, Product, type ProductOptions } from "../support/product";

export { connectionTo, Product, type ProductOptions, type Run, type Write } from "../support/product";

/** Starts a stack and a service for the tests of a file or `describe`, and ends them afterwards. */
export function useProduct(options: ProductOptions): Product {
  let started: Product | undefined;
  beforeAll(async () => {
    started = await Product.start(options);
  });
  afterAll(() => started?.end());
  // Tests refer to it before it has started.
  return new Proxy({} as Product, {
    get(_, name: keyof Product) {
      if (started === undefined) throw new Error("The product has not started");
      const value: unknown = started[name];
      return typeof value === "function" ? (value.bind(started) as unknown) : value;
    },
  });
}

/** `deployment-service WORDS`, in the folder of the stack's program. Throws if the command fails. */
export function deploymentService({ emulator, stack }: Product, words: readonly string[], env = {}) {
  return promisify(execFile)(process.execPath, [builtCommand, ...words], {
    cwd: stack.folder,
    env: { PATH: process.env["PATH"], ...connectionTo(emulator), ...env },
  });
}

/** The files of a program with that code, in JavaScript, which starts twice as fast. */
export function program(code: string): Record<string, string> {
  const opening = [
    `const pulumi = require("@pulumi/pulumi");`,
    `const { Deployment, Provider } = require("pulumi-deployment-service");`,
  ];
  return { "index.js": [...opening, code, ""].join("\n") };
}

/** A program that declares these deployments, by their logical names. */
export function declaring(deployments: Record<string, object>, more = ""): Record<string, string> {
  const lines = Object.entries(deployments).map(
    ([name, args]) => `new Deployment(${JSON.stringify(name)}, ${JSON.stringify(args)});`,
  );
  return program([...lines, more].join("\n"));
}
