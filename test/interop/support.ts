import { afterAll, beforeAll } from "vitest";
import {
  deploymentService as commandOf,
  useProduct,
  type Product,
  type ProductOptions,
} from "../e2e/support";
import { Client } from "../interop/client";

const dialect = { DEPLOYMENT_SERVICE_DIALECT: "langsmith" };

/** A stack of ours at a service with the public one's rules, read strictly. */
export function useStack(program: ProductOptions["program"]): Product {
  return useProduct({ program, env: dialect, emulator: { dialect: "langsmith" } });
}

/** A client of strangers at the service of a stack. */
export function useClient(version: string, product: Product): () => Client {
  let client: Client | undefined;
  beforeAll(() => void (client = new Client(version, product.emulator)));
  afterAll(() => client?.dispose());
  return () => client!;
}

/** `deployment-service WORDS`, in the folder of the stack's program. */
export async function deploymentService(product: Product, ...words: string[]): Promise<string> {
  return (await commandOf(product, words, dialect)).stdout;
}

/** A reference by digest, which is all that the client takes. */
export function image(repository: string, digit: number): string {
  return `registry.example.com/${repository}@sha256:${String(digit).repeat(64)}`;
}
