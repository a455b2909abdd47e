/** The command `import`: the files that bring existing deployments into a stack. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { runsOlder } from "../../provider/deployment/service";
import { takenOverUnsettled } from "../../provider/lookup/declared-arguments";
import { bulkFile } from "../import/bulk-file";
import { chooseImports, type ImportChoice } from "../import/choice";
import { commandText, newManifest } from "../import/imported-manifest";
import { withoutCli } from "../terminal/without-cli";
import { shellWord } from "../terminal/shell-word";
import type { Settings } from "../../provider/settings/settings";
import { namespace, settingsTable } from "../../provider/settings/table";
import { jsonOf, sanitize } from "../../provider/text/sanitize";
import { UsageError, type Command, type Io } from "../command";
import { targetAt, write, type TargetFile } from "../files/written-file";
import { filtersIn, missingIds } from "../deployments/filter-flags";
import { usualManifest } from "../files/manifest-file";
import { collect, connectionOf } from "../connection/service-connection";
import { stackWords } from "../connection/stack-configuration";
import { stackInUse } from "../connection/stack-deployments";

const defaultOut = "import.json";

export const importCommand: Command = async (args, io) => {
  const { out: outFile = defaultOut, manifest: manifestFile = usualManifest } = args.flags;
  const filters = filtersIn(args);
  const [out, manifest] = newFiles(outFile, manifestFile, io);
  const { client, settings, ...connection } = await connectionOf(args, io);
  const [found, inUse] = await Promise.all([collect(client.list(filters)), stackInUse(connection.stack, io)]);
  const missing = missingIds(filters, found);
  if (missing !== undefined) throw new Error(missing);
  const { name: stack, managed = [] } = inUse ?? {};
  const choice = chooseImports(found, settings.dialect, managed);
  const { imported } = choice;
  const ids = managed.map(({ id }) => id);
  const isManaged = ({ id }: { readonly id: string }) => ids.includes(id.toLowerCase());
  const done = choice.skipped.filter(isManaged);
  const skipped = choice.skipped.filter((each) => !isManaged(each));
  if (done.length > 0) {
    const names = done.map(({ name }) => sanitize(name)).join(", ");
    io.stderr.write(`skipped: ${done.length} already in the stack: ${names}\n`);
  }
  for (const each of notes({ imported, skipped })) io.stderr.write(`${sanitize(each)}\n`);
  const isEmpty = imported.length === 0;
  if (isEmpty && done.length === 0) throw new Error("there is nothing to import: no deployment matches");
  if (!isEmpty) {
    write(
      [out, jsonOf(bulkFile(imported, settings.dialect, settings.baseUrl))],
      [manifest, newManifest(imported, settings.dialect, stack)],
    );
  }
  const files = { out: outFile, manifest: manifestFile };
  if (args.switches.has("json"))
    io.stdout.write(jsonOf({ ...(!isEmpty && files), ...reportOf(choice, stack) }));
  else if (isEmpty) io.stdout.write("there is nothing to import: nothing was written\n");
  else {
    // A stack that has deployments already has its settings.
    const settingLines = done.length > 0 ? [] : settingCommands(settings, stack);
    // As `init --yaml` writes it.
    const isJavaScript = existsSync(join(io.cwd, "index.js"));
    io.stdout.write(nextSteps(choice, files, settingLines, stack, isJavaScript).join("\n"));
  }
};

/** Throws if one of the files exists or cannot be written. */
function newFiles(out: string, manifest: string, io: Io): readonly [out: TargetFile, manifest: TargetFile] {
  const files = [targetAt(out, io), targetAt(manifest, io)] as const;
  if (files[0].path === files[1].path) throw new UsageError("--out and --manifest are the same file");
  const problems = [
    existsSync(files[0].path) &&
      `${sanitize(out)} exists: choose another name with --out, or delete the file`,
    existsSync(files[1].path) &&
      `${sanitize(manifest)} exists: choose another name with --manifest, or delete the file if it is only the sample of \`init\``,
  ].filter((problem) => problem !== false);
  if (problems.length > 0) throw new UsageError(`nothing is overwritten. ${problems.join("; ")}`);
  return files;
}

/** What is not as one would expect. */
function notes({ imported, skipped }: ImportChoice): string[] {
  return [
    ...skipped.map(({ id, name, reason }) => `skipped: ${name} (${id}) ${reason}`),
    // The service shows the values of the newest revision, and nothing else shows that another one runs.
    ...imported
      .filter(({ observed }) => runsOlder(observed))
      .map(({ key, observed }) => `${key}: ${takenOverUnsettled(observed)}`),
  ];
}

function nextSteps(
  { imported }: ImportChoice,
  { out, manifest }: { readonly out: string; readonly manifest: string },
  settingLines: readonly string[],
  stack: string | undefined,
  isJavaScript: boolean,
): string[] {
  const count = imported.length === 1 ? "1 deployment" : `${imported.length} deployments`;
  const secrets = imported.flatMap(({ key, secrets }) => secrets.map((secret) => ({ ...secret, key })));
  const [first] = secrets;
  const unmanaged = secrets.length === 1 ? "1 secret stays" : `${secrets.length} secrets stay`;
  const steps = [
    [
      `Make the program read the manifest, in ${isJavaScript ? "index.js" : "index.ts"}, instead of the sample if \`init\` wrote one:`,
      isJavaScript
        ? `  const { fromManifest } = require("pulumi-deployment-service");`
        : `  import { fromManifest } from "pulumi-deployment-service";`,
      `  fromManifest(${JSON.stringify(manifest)});`,
    ],
    settingLines.length > 0 && [
      "Give the stack the settings that this command used, unless it has them:",
      ...settingLines,
    ],
    [
      "Import the deployments into the stack (Pulumi CLI 3.254 or newer), and check that nothing changes:",
      `  pulumi import --file ${shellWord(out)} --generate-code=false --protect=false${stackWords(stack)}`,
      `  pulumi preview${stackWords(stack)}`,
    ],
    first && [
      `${unmanaged} unmanaged. To take one over, set its value, then uncomment its name in ${manifest}, where a comment has ` +
        "each command:",
      `  ${commandText(first, stack)}  # ${shellWord(first.name.replaceAll("'", ""))} of ${first.key}`,
    ],
  ].filter((step) => step !== undefined && step !== false);
  return [
    `${count}: ${out} for the stack's state, ${manifest} for the program.`,
    "",
    ...steps.flatMap(([title, ...commands], index) => [
      `${index + 1}. ${title}`,
      ...commands.map((line) => `   ${line}`),
    ]),
    withoutCli,
    "",
  ];
}

/** Stores what came from the environment or a login. Never the key. */
function settingCommands({ origins, dialect, ...settings }: Settings, stack: string | undefined): string[] {
  return (["baseUrl", "allowHttp", "tenantId", "dialect"] as const).flatMap((name) => {
    const origin = origins[name];
    if (!origin?.isVendors && origin?.text !== settingsTable[name].env) return [];
    const value = name === "dialect" ? dialect.name : String(settings[name]);
    return [`  pulumi config set ${namespace}:${name} ${shellWord(value)}${stackWords(stack)}`];
  });
}

function reportOf({ imported, skipped }: ImportChoice, stack: string | undefined) {
  return {
    imported: imported.map(({ key, observed, secrets, leftOut }) => ({
      key,
      id: observed.id,
      name: observed.name,
      secrets: secrets.map((secret) => ({ ...secret, command: commandText(secret, stack) })),
      leftOut,
    })),
    skipped,
  };
}
