/** The command `schema`: the JSON Schema of the manifest. */
import type { Command } from "../command";
import { packageText } from "../files/package-texts";

export const schemaCommand: Command = async (_args, { stdout }) => {
  stdout.write(packageText("schema/manifest.schema.json"));
};
