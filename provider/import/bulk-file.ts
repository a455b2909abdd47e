/** The file for `pulumi import --file`: each deployment with the state that the next preview compares the program with. */
import { stateOf, inputsIn } from "../deployment/state";
import type { Values } from "../deployment/values";
import type { Dialect } from "../dialects";
import { providerKey, providerText, typeToken } from "../pulumi/hidden";
import type { Imported } from "./plan";

export interface BulkFile {
  readonly resources: readonly {
    readonly type: string;
    readonly name: string;
    readonly id: string;
    readonly inputs: Values;
    readonly outputs: Values;
  }[];
}

export function bulkFile(imported: readonly Imported[], dialect: Dialect): BulkFile {
  return { resources: imported.map((each) => resourceOf(each, dialect)) };
}

function resourceOf(
  { key, observed, args, secrets }: Imported,
  dialect: Dialect,
): BulkFile["resources"][number] {
  const declared = { ...args, generation: 1 };
  const unmanagedSecrets = secrets.map(({ name }) => name);
  const state = stateOf(declared, observed, dialect, { unmanagedSecrets });
  const provider = { [providerKey]: providerText };
  return {
    type: typeToken,
    name: key,
    id: observed.id,
    inputs: { ...inputsIn(state), ...provider },
    outputs: { ...state, ...provider },
  };
}
