/** `npm run archives -- --out FOLDER [--tag v1.2.3] [--repository OWNER/NAME]`: the files that a release on GitHub has. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { packageVersion, writeRelease } from "./archive";
import { packInto } from "./pack";

const root = resolve(__dirname, "../../..");

const { values } = parseArgs({
  options: { out: { type: "string" }, tag: { type: "string" }, repository: { type: "string" } },
});
const { out, tag, repository } = values;
if (out === undefined) throw new Error("--out FOLDER says where the files go");
const wanted = `v${packageVersion(root)}`;
if (tag !== undefined && tag !== wanted)
  throw new Error(`The tag is ${tag}, but package.json makes it ${wanted}: change one of them`);

const folder = mkdtempSync(join(tmpdir(), "release-"));
try {
  const files = writeRelease({
    packed: packInto(folder).folder,
    out,
    ...(repository !== undefined && { repository }),
  });
  process.stdout.write(`${files.join("\n")}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
