/** The file for `pulumi import --file`: each deployment with the state that the next preview compares the program with. */
import { madeBy } from "../deployment/identity";
import { stateOf } from "../deployment/state";
import { writeInputs, writeState } from "../deployment/stored";
import { isObject, type Values } from "../../schema/tree";
import type { Dialect } from "../dialects";
import { providerKey, providerText, typeToken } from "../internal-inputs";
import type { Imported } from "./plan";

/** @param address of the service, which the deployments belong to from then on */
export function bulkFile(imported: readonly Imported[], dialect: Dialect, address?: string) {
  return { resources: imported.map((each) => resourceOf(each, dialect, address)) };
}

function resourceOf({ key, observed, args }: Imported, dialect: Dialect, address: string | undefined) {
  const declared = { arguments: args, generation: 1 };
  const state = stateOf(
    declared,
    observed,
    { dialect },
    {
      takenOver: true,
      unmanagedSecrets: Object.keys(observed.secrets ?? {}).sort(),
      ...(address !== undefined && { madeWith: madeBy({ address, dialect }, observed) }),
    },
  );
  const provider: Values = { [providerKey]: providerText };
  return {
    type: typeToken,
    name: key,
    id: observed.id,
    inputs: { ...writeInputs(state), ...provider },
    outputs: { ...writeState(state), ...provider },
  };
}

/** The names in a file that an import wrote; undefined for any other file. */
export function namesInBulkFile(text: string): string[] | undefined {
  const { resources, ...others } = (parsed(text) ?? {}) as Record<string, unknown>;
  if (!Array.isArray(resources) || Object.keys(others).length > 0) return undefined;
  const isOurs = (resource: unknown) => isObject(resource) && resource["type"] === typeToken;
  return resources.every(isOurs) ? resources.map(({ name }: { name: unknown }) => String(name)) : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
