/** The command `schema`: the JSON Schema of the manifest. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageFolder } from "../../provider/files/version";
import { exitCodes, type Command } from "../command";

export const schemaCommand: Command = {
  name: "schema",
  summary: "Print the JSON Schema of the manifest",
  positionals: [],
  flags: [],
  examples: {
    "npx pulumi-deployment-service schema > manifest.schema.json":
      "save a copy for an editor without network access",
  },
  async run(_args, { stdout }) {
    stdout.write(readFileSync(join(packageFolder() ?? "", "schema/manifest.schema.json"), "utf8"));
    return exitCodes.done;
  },
};
