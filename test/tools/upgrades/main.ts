/**
 * `npx tsx test/tools/upgrades/main.ts --version 1.2.0 [--from FOLDER]` records the stacks that the package in a checkout writes.
 * Default: the package of this checkout.
 */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { writeRecorded, type Adapter } from "../../support/earlier-versions";
import { record } from "./record";

const { values } = parseArgs({
  options: { version: { type: "string" }, from: { type: "string", default: resolve(__dirname, "../../..") } },
});
const { version, from } = values;
if (version === undefined) throw new Error("--version NAME names the folder of the fixtures");
const checkout = resolve(from);
if (!existsSync(join(checkout, "dist/provider")))
  throw new Error(`${checkout} is not built: run \`node test/setup.mjs\` there`);

void main(version);

async function main(version: string): Promise<void> {
  // The packaged provider came later than the dynamic one.
  const adapters: Adapter[] = existsSync(join(checkout, "plugin")) ? ["dynamic", "packaged"] : ["dynamic"];
  for (const adapter of adapters) {
    writeRecorded({ version, adapter }, await record(checkout, adapter));
    process.stdout.write(`${version}: recorded the stack of the ${adapter} provider\n`);
  }
}
