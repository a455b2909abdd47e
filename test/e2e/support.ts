import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll } from "vitest";
import { startEmulator, type Emulator, type EmulatorOptions, type Json } from "../../emulator";
import {
  createStack,
  type ChangeOptions,
  type PreviewJson,
  type PreviewOptions,
  type Result,
  type Stack,
  type StackOptions,
} from "../engine";
import { screenOf, withoutIds } from "./screen";

/** What one run of the CLI printed and sent. */
export interface Run extends Result {
  /** The output without times, ids and addresses. */
  readonly screen: string;
  /** `"POST /v2/deployments 201"`, without ids. */
  readonly requests: string[];
  /** Requests other than GET, in the order of arrival. */
  readonly writes: Write[];
  readonly json?: PreviewJson;
}

export interface Write {
  readonly method: string;
  readonly body?: Json;
}

export interface ProductOptions extends Omit<StackOptions, "program"> {
  readonly program: StackOptions["program"];
  readonly emulator?: EmulatorOptions;
}

/** A stack of the real CLI, and its service. */
export class Product {
  constructor(
    readonly stack: Stack,
    readonly emulator: Emulator,
  ) {}

  preview(options: PreviewOptions = {}): Promise<Run> {
    return this.#watch(() => this.stack.preview(options));
  }

  up(options: ChangeOptions = {}): Promise<Run> {
    return this.#watch(() => this.stack.up(options));
  }

  refresh(options: ChangeOptions = {}): Promise<Run> {
    return this.#watch(() => this.stack.refresh(options));
  }

  destroy(options: ChangeOptions = {}): Promise<Run> {
    return this.#watch(() => this.stack.destroy(options));
  }

  /** Any other command. */
  run(...args: Parameters<Stack["run"]>): Promise<Run> {
    return this.#watch(() => this.stack.run(...args));
  }

  async #watch(work: () => Promise<Result & { json?: PreviewJson }>): Promise<Run> {
    const { emulator } = this;
    emulator.clearRequests();
    const result = await work();
    return {
      ...result,
      screen: screenOf(result.output, emulator.url),
      requests: emulator.requestLines().map(withoutIds),
      writes: emulator
        .requests()
        .filter(({ method }) => method !== "GET")
        .map(({ method, body }) => ({ method, ...(body !== undefined && { body }) })),
    };
  }
}

/** Starts a stack and a service for the tests of a file or `describe`, and ends them afterwards. */
export function useProduct({ emulator: service = {}, env = {}, ...options }: ProductOptions): Product {
  let started: Product | undefined;
  beforeAll(async () => {
    const emulator = await startEmulator(service);
    started = new Product(
      await createStack({
        keeps: "everything",
        ...options,
        env: { ...connectionTo(emulator), ...env },
      }),
      emulator,
    );
  });
  afterAll(async () => {
    await started?.stack.dispose();
    await started?.emulator.close();
  });
  // Tests refer to it before it has started.
  return new Proxy({} as Product, {
    get(_, name: keyof Product) {
      if (started === undefined) throw new Error("The product has not started");
      const value: unknown = started[name];
      return typeof value === "function" ? (value.bind(started) as unknown) : value;
    },
  });
}

/** The built command. */
export const main = resolve("dist/cli/main.js");

/** `deployment-service WORDS`, in the folder of the stack's program. Throws if the command fails. */
export function deploymentService({ emulator, stack }: Product, words: readonly string[], env = {}) {
  return promisify(execFile)(process.execPath, [main, ...words], {
    cwd: stack.folder,
    env: { PATH: process.env["PATH"], ...connectionTo(emulator), ...env },
  });
}

/** Variables that connect to the emulator and poll quickly. */
export function connectionTo({ url, apiKey }: Emulator): Record<string, string> {
  return {
    DEPLOYMENT_SERVICE_URL: url,
    DEPLOYMENT_SERVICE_API_KEY: apiKey,
    DEPLOYMENT_SERVICE_POLL_INTERVAL: "100ms",
  };
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
