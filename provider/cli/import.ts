import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Observed } from "../deployment/service";
import { bulkFile } from "../import/bulk-file";
import { commandFor, manifestOf } from "../import/manifest";
import { planImport, type ImportPlan } from "../import/plan";
import { jsonOf, presentable } from "../presentable";
import { exitCodes, UsageError, type Command, type Io } from "./command";
import { filterFlags, filtersIn } from "./filters";
import { collect } from "./progress";
import { connectionOf } from "./service";

interface Files {
  readonly out: string;
  readonly manifest: string;
}

const defaultManifest = "deployments.yaml";

export const importDeployments: Command = {
  name: "import",
  summary: "Write the files that bring existing deployments into a stack",
  positionals: [],
  flags: [
    { name: "out", value: "FILE", doc: "Where to write the file for `pulumi import --file`" },
    { name: "manifest", value: "FILE", doc: `Where to write the manifest (default: ${defaultManifest})` },
    ...filterFlags,
  ],
  examples: [
    ["deployment-service import --out import.json", "all deployments"],
    ["deployment-service import --name-contains chat --out import.json", "some of them, by their names"],
  ],
  async run(args, io) {
    const { out, manifest = defaultManifest } = args.flags;
    if (out === undefined) throw new UsageError("--out FILE is missing");
    if (resolve(io.cwd, out) === resolve(io.cwd, manifest)) {
      throw new UsageError("--out and --manifest name the same file");
    }
    const filters = filtersIn(args);
    const { client, settings } = connectionOf(io);
    const found = await collect(client.list(filters), "deployments", io);
    refuseMissing(filters.deploymentIds ?? [], found);
    const plan = planImport(found, settings.dialect);
    warn(plan, io);
    if (plan.imported.length === 0) throw new Error("there is nothing to import: no deployment fits");

    const files = { out, manifest };
    keepOld(manifest, manifestOf(plan.imported), io);
    write(manifest, manifestOf(plan.imported), io);
    write(out, jsonOf(bulkFile(plan.imported, settings.dialect)), io);
    io.stdout.write(args.switches.has("json") ? asJson(plan, files) : nextSteps(plan, files));
    return exitCodes.done;
  },
};

function refuseMissing(ids: readonly string[], found: readonly Observed[]): void {
  const missing = ids.filter((id) => !found.some((each) => each.id.toLowerCase() === id.toLowerCase()));
  if (missing.length > 0) throw new Error(`the service has no deployment with the id ${missing.join(", ")}`);
}

/** A manifest is edited by hand after it was written: what is there is moved aside and never lost. */
function keepOld(file: string, text: string, { cwd, stderr }: Io): void {
  const path = resolve(cwd, file);
  if (!existsSync(path)) return;
  const old = readFileSync(path, "utf8");
  if (old.trim() === "" || old === text) return;
  renameSync(path, `${path}.old`);
  stderr.write(`${file} was there already: it is ${file}.old now\n`);
}

function write(file: string, text: string, { cwd }: Io): void {
  try {
    writeFileSync(resolve(cwd, file), text);
  } catch (error) {
    throw new UsageError(`cannot write ${file} (${(error as NodeJS.ErrnoException).code ?? String(error)})`);
  }
}

function warn({ imported, skipped }: ImportPlan, { stderr }: Io): void {
  for (const { id, name, reason } of skipped) {
    stderr.write(
      `left out: ${presentable(name ?? "a deployment")} (${presentable(id)}) ${presentable(reason)}\n`,
    );
  }
  for (const { key, leftOut } of imported) {
    for (const path of leftOut) {
      stderr.write(`${key}: ${path} has a value that cannot be declared; it stays as it is, unmanaged\n`);
    }
  }
}

function nextSteps({ imported }: ImportPlan, { out, manifest }: Files): string {
  const lines = [
    `${imported.length} ${imported.length === 1 ? "deployment" : "deployments"}: ${out} for the stack's state, ${manifest} for the program.`,
    "",
    "1. Make the program create what the manifest declares:",
    `     import { fromManifest } from "pulumi-deployment-service";`,
    `     fromManifest(${JSON.stringify(manifest)});`,
    "2. Take the deployments into the stack, as they are (Pulumi CLI 3.254 or newer), and see that nothing changes:",
    `     pulumi import --file ${out} --generate-code=false --protect=false`,
    "     pulumi preview",
  ];
  const commands = imported.flatMap(({ key, secrets }) =>
    secrets.map((secret) => `     ${commandFor(secret)}  # ${quoted(secret.name)} of ${key}`),
  );
  if (commands.length > 0) {
    lines.push(
      "3. Secrets stay as they are until you manage them, one by one: set the value, and take the name out of its",
      `   comment in ${manifest}:`,
      ...commands,
    );
  }
  return `${lines.join("\n")}\n`;
}

/** Lines are pasted into shells, and not every shell skips what stands behind a `#`. */
function quoted(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : `'${presentable(name).replaceAll("'", "")}'`;
}

function asJson({ imported, skipped }: ImportPlan, files: Files): string {
  const report = {
    ...files,
    imported: imported.map(({ key, observed, secrets, leftOut }) => ({
      key,
      id: observed.id,
      name: observed.name,
      secrets: secrets.map((secret) => ({ ...secret, command: commandFor(secret) })),
      leftOut,
    })),
    skipped,
  };
  return jsonOf(report);
}
