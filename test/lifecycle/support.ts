import { afterAll, beforeAll } from "vitest";
import { startEmulator, type Emulator, type EmulatorOptions, type Json } from "../emulator";
import {
  createStack,
  type ChangeOptions,
  type PreviewJson,
  type PreviewOptions,
  type Result,
  type Stack,
  type StackOptions,
} from "../engine";

/** What one run of the CLI did: on the screen, and at the service. */
export interface Run extends Result {
  /** The output without what differs from run to run. */
  readonly screen: string;
  /** `"POST /v2/deployments 201"`, ids left out. */
  readonly requests: string[];
  /** Everything that was to change something, in the order of arrival. */
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

/** A stack of the real CLI and the service it talks to. */
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
      writes: emulator.requests
        .filter(({ method }) => method !== "GET")
        .map(({ method, body }) => ({ method, ...(body !== undefined && { body }) })),
    };
  }
}

/** Starts a product for the tests of a file or of a `describe`, and ends it after them. */
export function useProduct({ emulator: service = {}, env = {}, ...options }: ProductOptions): Product {
  let started: Product | undefined;
  beforeAll(async () => {
    const emulator = await startEmulator(service);
    started = new Product(
      await createStack({ ...options, env: { ...connectionTo(emulator), ...env } }),
      emulator,
    );
  });
  afterAll(async () => {
    await started?.stack.dispose();
    await started?.emulator.close();
  });
  // What the tests hold before anything has started.
  return new Proxy({} as Product, {
    get(_, name: keyof Product) {
      if (started === undefined) throw new Error("The product has not started");
      const value: unknown = started[name];
      return typeof value === "function" ? (value.bind(started) as unknown) : value;
    },
  });
}

/** The connection by environment, quick enough for tests. */
export function connectionTo({ url, apiKey }: Emulator): Record<string, string> {
  return {
    DEPLOYMENT_SERVICE_URL: url,
    DEPLOYMENT_SERVICE_API_KEY: apiKey,
    DEPLOYMENT_SERVICE_POLL_INTERVAL: "100ms",
  };
}

/** The files of a program with that code. JavaScript, because it starts in half the time. */
export function program(code: string): Record<string, string> {
  const opening = [
    `const pulumi = require("@pulumi/pulumi");`,
    `const { Deployment, Provider } = require("pulumi-deployment-service");`,
  ];
  return { "index.js": [...opening, code, ""].join("\n") };
}

/** A program that declares these deployments, by their logical names. */
export function declaring(deployments: Record<string, object>): Record<string, string> {
  const lines = Object.entries(deployments).map(
    ([name, args]) => `new Deployment(${JSON.stringify(name)}, ${JSON.stringify(args)});`,
  );
  return program(lines.join("\n"));
}

const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

export function withoutIds(text: string): string {
  return text.replace(uuid, "<id>");
}

/** Lines that tell how far the run is: which of them there are is a matter of time. */
const passing =
  /^@ |\b(creating|updating|deleting|refreshing|replacing)\b.*\(\d+s\)|^(waiting |revision \S+ is active|deployment-service: )/;
/** The stack's own lines, addresses, times, and what the CLI says after every run. */
const noise =
  /^[ +~-]*pulumi:pulumi:Stack\b(?! \()|\[(urn|id)=|^Duration:|^The resources in the stack|^If you want to remove/;
/** The line of a resource, which is printed again with each piece of news. */
const row = /^ *[-+~<>=]* +(\S+:\S+ \S+) (?!\()/;

/** What the CLI says of its own accord after a run that was killed. */
const pending = / *warning: Attempting to deploy [^]*?CREATE operations\.\n/;

/** Output as a person reads it, without what differs from run to run. */
export function screenOf(output: string, serviceUrl: string): string {
  const lines = withoutIds(output)
    .replaceAll(serviceUrl, "<service>")
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => line !== "" && !passing.test(line) && !noise.test(line))
    .map((line) =>
      line
        .replace(/(\*\*\w+ failed\*\*).*/, "$1")
        .replace(/<\{%.*?%\}>/g, "")
        .replace(/ \(\d+\.\d+s\)( \[diff: [^\]]*\])?.*/, "$1")
        .replace(/\((\d+(\.\d+)?(ms|s|m))+\)/g, "(<time>)")
        .replace(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"<time>"')
        .replace(/-[0-9a-f]{8}\.apps\./g, "-<hash>.apps."),
    );
  const subjects = lines.map((line) => row.exec(line)?.[1]);
  const last = lines.filter((_, at) => !subjects[at] || subjects.lastIndexOf(subjects[at]) === at);
  return withSortedDiagnostics(last.join("\n"));
}

/** The CLI shows the messages of the resources in no order, and its own among them. */
function withSortedDiagnostics(screen: string): string {
  return screen.replace(/^Diagnostics:\n((?: .*\n)*)/m, (_, text: string) => {
    const sections = text
      .split(/^(?= {2}\S)/m)
      .map((section) => section.replace(/^ *error: (update|preview) failed\n/m, "").replace(pending, ""))
      .filter((section) => section.trim().includes("\n"));
    return ["Diagnostics:\n", ...sections.sort()].join("");
  });
}
