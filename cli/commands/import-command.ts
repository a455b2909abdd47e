/** The command `import`: the files that bring existing deployments into a stack. */
import { runsOlder } from "../../provider/deployment/service";
import { takenOverUnsettled } from "../../provider/deployment/wait-messages";
import { bulkFile, isBulkFile } from "../import/bulk-file";
import { commandText } from "../import/manifest";
import { chooseImports, type Imported, type ImportChoice } from "../import/choice";
import { typedCommands } from "../terminal/pulumi-cli";
import type { Settings } from "../../provider/settings/settings";
import { namespace, settingsTable } from "../../provider/settings/table";
import { jsonOf, sanitize } from "../../provider/text/sanitize";
import { exitCodes, UsageError, type Command } from "../command";
import { targetAt, textIn, write, type TargetFile } from "../files/target-file";
import { filterFlags, filtersIn, missingIds } from "../deployments/filter-flags";
import { readExisting, textWith } from "../import-manifest";
import { usualManifest } from "../files/manifest-file";
import { wrap } from "../terminal/table";
import { collect, withProgress } from "../terminal/progress";
import { connectionOf } from "../connection/service-connection";
import { stackFlag } from "../connection/stack-configuration";
import { managedIn } from "../connection/stack-deployments";
import {
  handOver,
  handOverJson,
  idsIn,
  keysIn,
  reportMissing,
  terraformFlag,
  terraformIn,
  type Terraform,
} from "../terraform";

interface Files {
  readonly out: string;
  readonly manifest: string;
}

const defaultOut = "import.json";

export const importCommand: Command = {
  name: "import",
  summary: "Write the files that import existing deployments into a stack",
  positionals: [],
  flags: [
    {
      name: "out",
      value: "FILE",
      doc: `The file to write for \`pulumi import --file\` (default: ${defaultOut})`,
    },
    {
      name: "manifest",
      value: "FILE",
      doc: `The manifest to write or extend (default: ${usualManifest})`,
    },
    terraformFlag,
    ...filterFlags,
    stackFlag,
  ],
  examples: {
    "npx pulumi-deployment-service import": "all deployments",
    "npx pulumi-deployment-service import --name-contains chat --out chat.json":
      "only those with chat in their names",
    "terraform show -json | npx pulumi-deployment-service import --terraform - --out import.json":
      "the ones that Terraform manages",
  },
  notes: [
    {
      title: "A project for them, if there is none yet",
      lines: [
        "  npx pulumi-deployment-service init agents --yaml && cd agents && npm install",
        "  rm deployments.yaml                    # the sample",
        "  pulumi stack init prod",
        "  npx pulumi-deployment-service import   # then do what it prints",
      ],
    },
  ],
  async run(args, io) {
    const { out: outFile = defaultOut, manifest: manifestFile = usualManifest } = args.flags;
    const terraform = await terraformIn(args, io);
    const filters = terraform ? { deploymentIds: idsIn(terraform) } : filtersIn(args);
    const { client, clock, settings } = await connectionOf(args, io);
    const [out, target] = [targetAt(outFile, io), targetAt(manifestFile, io)];
    if (out.path === target.path) throw new UsageError("--out and --manifest name the same file");
    checkOverwriting(out);
    const existing = await readExisting(target, settings, io);
    if (existing === undefined) return exitCodes.problems;

    const [found, managed] = await withProgress(io, clock, (progress) =>
      Promise.all([
        collect(client.list(filters), "deployments", progress, filters.deploymentIds?.length),
        // What Terraform has to hand over is listed even if the stack has it.
        terraform ? undefined : managedIn(args.flags["stack"], io),
      ]),
    );
    const missing = terraform ? undefined : missingIds(filters, found);
    if (missing !== undefined) throw new Error(missing);
    if (terraform) reportMissing(terraform, found, io);
    const plan = chooseImports(found, settings.dialect, existing, terraform && keysIn(terraform), managed);
    const all = [...plan.imported, ...plan.kept].sort((a, b) => (a.key < b.key ? -1 : 1));
    const isManaged = ({ id }: { readonly id: string }) => managed?.has(id.toLowerCase()) === true;
    const [done, skipped] = [plan.skipped.filter(isManaged), plan.skipped.filter((each) => !isManaged(each))];
    for (const each of alreadyManaged(done)) io.stderr.write(`${each}\n`);
    for (const each of notes({ ...plan, skipped }, all, manifestFile)) io.stderr.write(`${sanitize(each)}\n`);
    if (all.length === 0 && done.length === 0)
      throw new Error("there is nothing to import: no deployment matches");

    const isNew = !textIn(target)?.trim();
    if (all.length > 0) {
      const text =
        plan.imported.length === 0 ? undefined : textWith(plan.imported, target, existing, settings);
      write(out, jsonOf(bulkFile(all, settings.dialect, settings.baseUrl)));
      if (text !== undefined) write(target, text);
    }
    const files = { out: outFile, manifest: manifestFile };
    if (args.switches.has("json"))
      io.stdout.write(jsonOf({ ...(all.length > 0 && files), ...reportOf(plan, terraform) }));
    else if (all.length === 0) io.stdout.write("there is nothing to import: nothing was written\n");
    else
      io.stdout.write(
        typedCommands(
          nextSteps(plan, files, settings, { isNew, isInUse: done.length > 0 }, terraform),
          io.env,
        ).join("\n"),
      );
    return exitCodes.done;
  },
};

/** Throws for a file that this command did not write. */
function checkOverwriting(out: TargetFile): void {
  const text = textIn(out)?.trim() ?? "";
  if (text === "" || isBulkFile(text)) return;
  throw new UsageError(
    `${sanitize(out.file)} exists and was not written by this command: choose another name with --out, or delete the file`,
  );
}

/** The deployments that the stack has already, in lines for a narrow terminal. */
function alreadyManaged(skipped: ImportChoice["skipped"]): readonly string[] {
  if (skipped.length === 0) return [];
  const names = skipped.map(({ name }) => sanitize(name)).join(", ");
  return wrap(`skipped: ${skipped.length} already in the stack: ${names}`, 80);
}

/** What is not as one would expect. */
function notes(
  { imported, kept, skipped }: ImportChoice,
  all: readonly Imported[],
  manifest: string,
): string[] {
  return [
    ...skipped.map(({ id, name, reason }) => `skipped: ${name} (${id}) ${reason}`),
    ...imported.flatMap(({ key, leftOut }) =>
      leftOut.map(
        (path) => `${key}: ${path} has a value that is not declared; it stays on the service, unmanaged`,
      ),
    ),
    // The service shows the values of the newest revision, and nothing else shows that another one runs.
    ...all
      .filter(({ observed }) => runsOlder(observed))
      .map(({ key, observed }) => `${key}: ${takenOverUnsettled(observed)}`),
    ...kept.map(({ key }) => `${key}: is already in ${manifest} and was not changed there`),
  ];
}

function nextSteps(
  plan: ImportChoice,
  { out, manifest }: Files,
  settings: Settings,
  { isNew, isInUse }: { readonly isNew: boolean; readonly isInUse: boolean },
  terraform?: Terraform,
): string[] {
  const { imported, kept } = plan;
  const count = imported.length + kept.length;
  const secrets = imported.flatMap(({ key, secrets }) => secrets.map((secret) => ({ ...secret, key })));
  const [first] = secrets;
  const unmanaged = secrets.length === 1 ? "1 secret stays" : `${secrets.length} secrets stay`;
  // A stack that has deployments already has its settings, and its program reads the manifest if there is one.
  const settingLines = isInUse ? [] : settingCommands(settings);
  const steps = [
    (!isInUse || isNew) && [
      "Make the program read the manifest, in index.ts (in index.js, with `const { fromManifest } = require(…)`):",
      `  import { fromManifest } from "pulumi-deployment-service";`,
      `  fromManifest(${JSON.stringify(manifest)});`,
    ],
    settingLines.length > 0 && [
      "Give the stack the settings that this command used, unless it has them:",
      ...settingLines,
    ],
    [
      "Import the deployments into the stack (Pulumi CLI 3.254 or newer), and check that nothing changes:",
      `  pulumi import --file ${out} --generate-code=false --protect=false`,
      "  pulumi preview",
    ],
    first && [
      `${unmanaged} unmanaged. To take one over, set its value, then uncomment its name in ${manifest},`,
      "where a comment has each command:",
      `  ${commandText(first)}  # ${quoted(first.name)} of ${first.key}`,
    ],
    terraform && handOver(terraform, plan),
  ].filter((step) => step !== undefined && step !== false);
  const added = imported.map(({ key }) => key).join(", ");
  return [
    `${count} ${count === 1 ? "deployment" : "deployments"}: ${out} for the stack's state, ${manifest} for the program.`,
    ...(isNew || added === "" ? [] : [`Added to ${manifest}: ${added}.`]),
    ...(kept.length === 0
      ? []
      : [`${manifest} already had ${kept.length} of them: a stack that has them too skips them in ${out}.`]),
    "",
    ...steps.flatMap(([title, ...more], index) => [
      `${index + 1}. ${title}`,
      ...more.map((line) => `   ${line}`),
    ]),
    "",
  ];
}

/** Stores what came from the environment or a login. Never the key. */
function settingCommands({ origins, dialect, ...settings }: Settings): string[] {
  return (["baseUrl", "allowHttp", "tenantId", "dialect"] as const).flatMap((name) => {
    const origin = origins[name];
    if (!origin?.isVendors && origin?.text !== settingsTable[name].env) return [];
    const value = name === "dialect" ? dialect.name : String(settings[name]);
    return [`  pulumi config set ${namespace}:${name} ${quoted(value)}`];
  });
}

/** Users paste these lines into shells, and not every shell ignores text after `#`. */
function quoted(text: string): string {
  return /^[\w.:/-]+$/.test(text) ? text : `'${sanitize(text).replaceAll("'", "")}'`;
}

function reportOf(plan: ImportChoice, terraform: Terraform | undefined) {
  const { imported, kept, skipped } = plan;
  return {
    imported: imported.map(({ key, observed, secrets, leftOut }) => ({
      key,
      id: observed.id,
      name: observed.name,
      secrets: secrets.map((secret) => ({ ...secret, command: commandText(secret) })),
      leftOut,
    })),
    kept: kept.map(({ key, observed }) => ({ key, id: observed.id, name: observed.name })),
    skipped,
    ...(terraform && { terraform: handOverJson(terraform, plan) }),
  };
}
