/** The command `import`: the files that bring existing deployments into a stack. */
import { existsSync } from "node:fs";
import { runsOlder, type Observed } from "../../provider/deployment/service";
import { takenOverUnsettled } from "../../provider/lookup/declared-arguments";
import { bulkFile } from "../import/bulk-file";
import { chooseImports, type Imported } from "../import/choice";
import { commandText, newManifest } from "../import/imported-manifest";
import { shellWord } from "../terminal/shell-word";
import { jsonOf, sanitize } from "../../provider/text/sanitize";
import { UsageError, type Command, type Io } from "../command";
import { filled } from "../files/package-texts";
import { targetAt, write, type TargetFile } from "../files/written-file";
import { filtersIn, missingIds } from "../deployments/filter-flags";
import { usualManifest } from "../files/manifest-file";
import { collect, connectionOf } from "../connection/service-connection";
import { stackWords } from "../connection/stack-configuration";
import { stackInUse } from "../connection/stack-deployments";
import { sortedByName } from "../terminal/text-table";

export const importCommand: Command = async (args, io) => {
  const filters = filtersIn(args);
  const { out = "import.json", manifest = usualManifest } = args.flags;
  const files = newFiles({ out, manifest }, io);
  const { client, settings, ...connection } = await connectionOf(args, io);
  const [found, inUse] = await Promise.all([collect(client.list(filters)), stackInUse(connection.stack, io)]);
  const missing = missingIds(filters, found);
  if (missing !== undefined) throw new Error(missing);
  const { name: stack, managed = [] } = inUse ?? {};
  const isManaged = ({ id }: Observed) => managed.some((each) => each.id === id.toLowerCase());
  const done = sortedByName(found.filter(isManaged));
  const { imported, skipped } = chooseImports(
    found.filter((each) => !isManaged(each)),
    settings.dialect,
  );
  const doneText = `skipped: ${done.length} already in the stack: ${done.map(({ name }) => name).join(", ")}`;
  const notes = [
    ...(done.length > 0 ? [doneText] : []),
    ...skipped.map(({ id, name, reason }) => `skipped: ${name} (${id}) ${reason}`),
    // The service shows the values of the newest revision, and nothing else shows that another one runs.
    ...imported
      .filter(({ observed }) => runsOlder(observed))
      .map(({ key, observed }) => `${key}: ${takenOverUnsettled(observed)}`),
  ];
  for (const note of notes) io.stderr.write(`${sanitize(note)}\n`);
  const isEmpty = imported.length === 0;
  if (isEmpty && done.length === 0) throw new Error("there is nothing to import: no deployment matches");
  if (!isEmpty) {
    write(
      [files.out, jsonOf(bulkFile(imported, settings.dialect, settings.baseUrl))],
      [files.manifest, newManifest(imported, settings.dialect, stack)],
    );
  }
  if (args.switches.has("json")) {
    const inStack = done.map(({ id, name }) => ({ id, name, reason: "is already in the stack" }));
    const reported = imported.map(({ key, observed: { id, name }, leftOut, ...each }) => {
      const secrets = each.secrets.map((secret) => ({ ...secret, command: commandText(secret, stack) }));
      return { key, id, name, secrets, leftOut };
    });
    const written = isEmpty ? {} : { out, manifest };
    io.stdout.write(jsonOf({ ...written, imported: reported, skipped: [...inStack, ...skipped] }));
  } else if (isEmpty) io.stdout.write("there is nothing to import: nothing was written\n");
  else io.stdout.write(nextSteps(imported, { out, manifest }, stack));
};

type Names = Readonly<Record<"out" | "manifest", string>>;

/** Throws if one of the files exists or cannot be written. */
function newFiles({ out, manifest }: Names, io: Io): Readonly<Record<keyof Names, TargetFile>> {
  const files = { out: targetAt(out, io), manifest: targetAt(manifest, io) };
  if (files.out.path === files.manifest.path) throw new UsageError("--out and --manifest are the same file");
  const problems = Object.entries(files)
    .filter(([, { path }]) => existsSync(path))
    .map(
      ([flag, { file }]) =>
        `${sanitize(file)} exists: choose another name with --${flag}, or delete the file`,
    );
  if (problems.length > 0) throw new UsageError(`nothing is overwritten. ${problems.join("; ")}`);
  return files;
}

function nextSteps(imported: readonly Imported[], { out, manifest }: Names, stack?: string): string {
  const secrets = imported.flatMap(({ key, secrets }) => secrets.map((secret) => ({ ...secret, key })));
  const [first] = secrets;
  return filled("cli/import/templates/next-steps.txt", {
    count: imported.length === 1 ? "1 deployment" : `${imported.length} deployments`,
    out,
    outWord: shellWord(out),
    manifest,
    manifestText: JSON.stringify(manifest),
    stack: stackWords(stack),
    unmanaged: secrets.length === 1 ? "1 secret stays" : `${secrets.length} secrets stay`,
    setSecret:
      first && `${commandText(first, stack)}  # ${shellWord(first.name.replaceAll("'", ""))} of ${first.key}`,
  });
}
