/** Credentials of containers are secrets whoever added them: those that others set on the service are in no program. */
import { isWithin, type Path, valueAt, type Values, withValueAt } from "../../schema/tree";
import { sealed } from "../text/signatures";
import { credentialPathsOf } from "../text/credential";

/** @param secretPaths what is marked as a whole already */
export function withSealedCredentials(values: Values, secretPaths: readonly Path[] = []): Values {
  return credentialPathsOf(values)
    .filter((path) => !secretPaths.some((secret) => isWithin(path, secret)))
    .reduce((all, path) => withValueAt(all, path, sealed(valueAt(all, path))), values);
}
