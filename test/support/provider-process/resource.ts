/** A resource as the engine passes it to the process, and as states hold it. */
import type { Values } from "./grpc";

export const providerText =
  'exports.handler=()=>{let n="pulumi-deployment-service/provider",m=module;try{require.resolve(n)}catch{m=m.parent}return m.require(n).provider};';
export const typeToken = "pulumi-nodejs:dynamic/deployment-service:Deployment";

export const urn = (name: string): string => `urn:pulumi:dev::shop::${typeToken}::${name}`;

const signature = "4dabf18193072939515e22adb298388d";
const secretSignature = "1b47061264138c4ac30d75fd1eb44270";

/** What the engine takes for a secret. */
export function secret(value: unknown): Values {
  return { [signature]: secretSignature, value };
}

/** The engine opens what is secret before it hands it to a process that says it takes none. */
export function opened(values: Values): Values {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, openedValue(value)]));
}

function openedValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(openedValue);
  if (typeof value !== "object" || value === null) return value;
  const inner = value as Values;
  return inner[signature] === secretSignature ? openedValue(inner["value"]) : opened(inner);
}

/** What a state remembers, which is one secret text. */
export function memoryOf(state: Values): Values {
  return JSON.parse(opened(state)["__private"] as string) as Values;
}

/** The state, with something else in what it remembers. */
export function remembering(state: Values, more: Values): Values {
  return { ...state, __private: secret(JSON.stringify({ ...memoryOf(state), ...more })) };
}
