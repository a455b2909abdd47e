/**
 * Replacements that the service is certain to refuse, because the old deployment leaves its name taken. Without a refusal before
 * the deletion, nothing would be left.
 */
import { keeperOfName, type Dialect } from "../dialects";
import type { Values } from "../../schema/tree";

/**
 * Why the replacement cannot be created, and the ways out; undefined if it can.
 *
 * @param old the arguments of the deployment that is replaced
 * @param retainOnDelete the engine does not delete it
 */
export function refusalOfReplacement(
  old: Values,
  declared: Values,
  dialect: Dialect,
  retainOnDelete = false,
): string | undefined {
  if (old["name"] !== declared["name"]) return undefined;
  if (retainOnDelete) return refusalBesideRetained(old, declared);
  const keeper = keeperOfName(old, dialect);
  if (keeper === undefined) return undefined;
  const { what, freedBy } = keeper;
  return (
    `the service would refuse to create the replacement after the deletion, because ${what} still uses the name: choose another ` +
    `\`name\`, or first set only \`${freedBy}: true\` and run \`pulumi up\`, so that the replacement deletes it too`
  );
}

/** The replacement can only take over the retained deployment. */
function refusalBesideRetained(old: Values, declared: Values): string | undefined {
  const isSameSource = declared["source"] === old["source"];
  if (isSameSource && declared["adopt"] === true) return undefined;
  const adoption = isSameSource ? ", or set `adopt: true` to take the old one over" : "";
  return (
    "`retainOnDelete` keeps the old deployment and its name, so the service would refuse to create the replacement: " +
    `choose another \`name\`${adoption}`
  );
}
