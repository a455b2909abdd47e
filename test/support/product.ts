/** A stack on the real CLI, and its service: what tests, documents, the demo and the benchmark run. */
import { resolve } from "node:path";
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

export interface ProductOptions extends StackOptions {
  readonly emulator?: EmulatorOptions;
}

export class Product {
  private constructor(
    readonly stack: Stack,
    readonly emulator: Emulator,
  ) {}

  static async start({ emulator: service = {}, env = {}, ...options }: ProductOptions): Promise<Product> {
    const emulator = await startEmulator(service);
    try {
      const stack = await createStack({
        keeps: "everything",
        ...options,
        env: { ...connectionTo(emulator), ...env },
      });
      return new Product(stack, emulator);
    } catch (error) {
      await emulator.close();
      throw error;
    }
  }

  async end(): Promise<void> {
    await this.stack.dispose();
    await this.emulator.close();
  }

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

/** The built command. */
export const builtCommand = resolve(__dirname, "../../dist/cli/main.js");

/** Variables that connect to the emulator and poll quickly. */
export function connectionTo({ url, apiKey }: Emulator): Record<string, string> {
  return {
    DEPLOYMENT_SERVICE_URL: url,
    DEPLOYMENT_SERVICE_API_KEY: apiKey,
    DEPLOYMENT_SERVICE_POLL_INTERVAL: "100ms",
  };
}

/** Variables of a connection that nothing asks for: a preview of what does not exist yet sends no request. */
export const nowhere = {
  DEPLOYMENT_SERVICE_URL: "http://127.0.0.1:9",
  DEPLOYMENT_SERVICE_API_KEY: "key",
};
