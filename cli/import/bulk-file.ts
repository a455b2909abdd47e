/** Writes the file for `pulumi import --file`, with the state that the next preview compares with the program. */
import { firstRollout } from "../../provider/deployment/awaited-revision";
import { madeBy } from "../../provider/deployment/identity";
import { outputsFrom, type State } from "../../provider/deployment/state";
import { writeInputs, writeState } from "../../provider/stored/stored";
import type { Values } from "../../schema/tree";
import type { Dialect } from "../../provider/dialects";
import { serviceWord, withWords } from "../../provider/dialects/words";
import { providerKey, providerText, typeToken } from "../../provider/stored/internal-inputs";
import type { Imported } from "./choice";

/** @param address the address of the service, recorded in the state */
export function bulkFile(imported: readonly Imported[], dialect: Dialect, address?: string) {
  return { resources: imported.map((each) => resourceOf(each, dialect, address)) };
}

function resourceOf({ key, observed, args }: Imported, dialect: Dialect, address: string | undefined) {
  const declared = { arguments: withWords(args, serviceWord, dialect), generation: 1 };
  const madeWith = address === undefined ? undefined : madeBy({ address, dialect });
  // The engine keeps the file's values in plain text until the next `up`, and does not look for the deployment: so the state holds
  // nothing of what the service shows, and the first preview reads it.
  const state: State = {
    ...declared,
    observed: outputsFrom(observed),
    private: { madeWith, rollout: firstRollout(observed) },
  };
  const provider: Values = { [providerKey]: providerText };
  return {
    type: typeToken,
    name: key,
    id: observed.id,
    inputs: { ...writeInputs(state), ...provider },
    outputs: { ...writeState(state), ...provider },
  };
}
