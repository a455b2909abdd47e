/** What a connection of the program's own is given, and what of it the engine keeps. */
import { inspect } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { Provider, type ProviderArgs } from "../../../provider";
import { isObject } from "../../../schema/tree";
import { readSettings } from "../../../provider/settings/reading";
import { canary, expectNoTrace } from "../../support/canary";

const registered = new Map<string, Record<string, unknown>>();
const address = "https://eu.example.com";

beforeAll(() =>
  pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => {
      registered.set(name, inputs as Record<string, unknown>);
      return { id: `${name}-id`, state: inputs as Record<string, unknown> };
    },
    call: () => ({}),
  }),
);
afterEach(() => registered.clear());

/** What the engine keeps of a provider. */
async function inputsOf(args: ProviderArgs): Promise<Record<string, unknown>> {
  const provider = new Provider("eu", args);
  await new Promise((resolve) => void provider.urn.apply(resolve));
  return registered.get("eu")!;
}

function errorOf(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    return error as Error;
  }
  throw new Error("expected a failure");
}

describe("an argument of a provider", () => {
  it("that is undefined or null, or resolves to that, counts as not given", async () => {
    const outputs = [pulumi.output(undefined), pulumi.output(null), Promise.resolve(undefined)];
    for (const none of [undefined, null, ...outputs] as undefined[]) {
      const inputs = await inputsOf({ baseUrl: address, tenantId: none, apiKey: none, maxConcurrency: none });
      expect(JSON.stringify(inputs)).not.toMatch(/"(undefined|null)"/);
      const environment = { DEPLOYMENT_SERVICE_API_KEY: "key-from-environment" };
      const opened = (key: string) => {
        const value = inputs[key];
        return isObject(value) ? value["value"] : value;
      };
      expect(readSettings(opened, environment).settings).toMatchObject({
        ...{ baseUrl: address, apiKey: "key-from-environment", tenantId: undefined, maxConcurrency: 8 },
      });
    }
  });

  it("with an unknown name is refused with a suggestion, and without its value", async () => {
    const make = (more: object) => () => new Provider("eu", { baseUrl: address, ...more } as ProviderArgs);
    expect(make({ api_key: "sesame", what: 1 })).toThrow(
      /^the arguments of the provider "eu" have an unknown key "api_key"; did you mean "apiKey"\?, an unknown key "what"$/,
    );
    expect(make({ constructor: "x" })).toThrow('unknown key "constructor"');
    expect(await inputsOf({ baseUrl: address, what: undefined } as ProviderArgs)).toBeDefined();
  });

  it("that is wrong reaches no state: the error has its name and not its value", async () => {
    const secret = canary("address").replace(/\s/g, "~");
    const code = encodeURIComponent(secret);
    const wrong = [
      `https://${code}@eu.example.com`,
      `https://user:${code}@eu.example.com`,
      `https://eu.example.com/?token=${code}`,
      `https://eu.example.com/#${code}`,
      `${code}@eu.example.com`,
      `https://user:${code}@eu.example.com:port`,
    ];
    for (const baseUrl of wrong) {
      const make = () => new Provider("eu", { baseUrl, apiKey: "key" });
      expect(make).toThrow(/^`baseUrl` of the provider "eu" must/);
      expectNoTrace(String(errorOf(make)), { secret });
    }
    const make = () => new Provider("eu", { baseUrl: address, apiKey: "two words" });
    expect(make).toThrow(
      /^`apiKey` of the provider "eu" must be printable ASCII without spaces or line ends$/,
    );
    for (const apiKey of ["", " "]) {
      expect(() => new Provider("eu", { baseUrl: address, apiKey })).toThrow(
        /^`apiKey` of the provider "eu" must not be empty: pass a value, or omit it to use DEPLOYMENT_SERVICE_API_KEY$/,
      );
    }
    expect(registered.size).toBe(0);
  });
});

it.each([{ apiKey: "two words" }, { api_key: "x" }])(
  "a wrong argument is an error without a stack, which the SDK prints at once even if it came through an output: %j",
  (more) => {
    const error = errorOf(() => new Provider("eu", { baseUrl: address, ...more } as ProviderArgs));
    expect(pulumi.RunError.isInstance(error)).toBe(true);
    expect([inspect(error), error.stack]).toEqual([error.message, error.message]);
  },
);
