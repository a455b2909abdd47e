/** The SDK's own stand-in for the engine, and what programs register with it. */
import * as pulumi from "@pulumi/pulumi";

export interface Registered {
  readonly name: string;
  readonly inputs: unknown;
  readonly options: unknown;
}

const registered: Registered[] = [];

/** Once in a file, before anything is registered. */
export function standInForTheEngine(): void {
  void pulumi.runtime.setMocks(
    {
      newResource: ({ name, inputs }) => ({
        id: `${name}-id`,
        state: { ...(inputs as object), url: `https://${name}.example.com`, generation: 1 },
      }),
      call: () => ({}),
    },
    "shop",
    "dev",
  );
  const monitor = (pulumi.runtime as unknown as { getMonitor(): Monitor }).getMonitor();
  const register = monitor.registerResource.bind(monitor);
  monitor.registerResource = (request, done) => {
    const { name, object, ...rest } = request.toObject();
    const { __options: internal, ...declared } = request.getObject().toJavaScript() as Inputs;
    // All programs of a test count as one.
    const inputs = { ...declared, __options: { ...internal, declared: undefined } };
    registered.push({ name: String(name), inputs, options: optionsIn({ ...rest, object }) });
    return register(request, done);
  };
}

interface Inputs {
  readonly __options?: object;
}

interface Request {
  toObject(): Record<string, unknown>;
  getObject(): { toJavaScript(): unknown };
}

interface Monitor {
  registerResource(request: Request, done: unknown): unknown;
}

function optionsIn(request: Record<string, unknown>): unknown {
  const names = [
    ...["protect", "retainondelete", "deletebeforereplace", "ignorechangesList", "replaceonchangesList"],
    ...["customtimeouts", "dependenciesList", "propertydependenciesMap", "aliasesList", "aliasurnsList"],
  ];
  return Object.fromEntries(names.map((name) => [name, request[name]]));
}

/** What a program registers, in the order of names, or what it is refused with. */
export async function outcomeOf(program: () => unknown): Promise<Registered[] | Error> {
  registered.length = 0;
  let refusal: Error | undefined;
  const { stackTraceLimit } = Error;
  // The SDK asks for a stack with each of its promises, and what maps them to our sources takes most of the time.
  Error.stackTraceLimit = 0;
  try {
    program();
  } catch (error) {
    refusal = error as Error;
  }
  // All that the SDK has begun: not in its types, and there for its own tests.
  await (pulumi.runtime as unknown as { waitForRPCs(): Promise<void> }).waitForRPCs();
  Error.stackTraceLimit = stackTraceLimit;
  return refusal ?? [...registered].sort((a, b) => (a.name < b.name ? -1 : 1));
}

export async function registrationsOf(program: () => unknown): Promise<Registered[]> {
  const outcome = await outcomeOf(program);
  if (outcome instanceof Error) throw outcome;
  return outcome;
}
