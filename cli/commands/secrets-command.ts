/** The command `secrets`: the variables of an environment file as secrets of a stack's configuration. */
import { resolve } from "node:path";
import { parse } from "yaml";
import { parseEnvironment, type EnvironmentFile } from "../../provider/agent/environment-file";
import { readGraphConfig } from "../../provider/agent/graph-config";
import { decodeUtf8 } from "../../provider/agent/open-file";
import { projectFileOf } from "../../provider/files/project-folder";
import { readRegularFile } from "../../provider/files/regular-file";
import { readSettings } from "../../provider/settings/reading";
import { jsonOf, sanitize } from "../../provider/text/sanitize";
import { uniqueNames } from "../unique-names";
import { asObject } from "../../schema/tree";
import { exitCodes, UsageError, type Command, type Io } from "../command";
import { configKeyNear } from "../import/keys";
import { readInput } from "../files/manifest-file";
import { declaredSecrets, programTexts, type DeclaredSecret } from "../secrets/declared";
import { pulumi } from "../connection/pulumi-process";
import {
  configurationOf,
  selectedStack,
  stackWords,
  type StackConfiguration,
} from "../connection/stack-configuration";

export const secretsCommand: Command = async ({ positionals: [file = ""], flags, switches }, io) => {
  const projectFile = projectFileOf(io.cwd);
  if (projectFile === undefined)
    throw new UsageError(
      `there is no Pulumi.yaml in ${sanitize(io.cwd)} or above it: run this in a project's folder`,
    );
  const { values, empty, ignored } = await readVariables(file, io);
  const project = String(asObject(parse(readRegularFile(projectFile).toString()))["name"]);
  const stack = flags["stack"] ?? (await selectedStack(io));
  if (stack === undefined)
    throw new UsageError(
      "no stack is selected: `pulumi stack init NAME` creates a stack, --stack NAME chooses one",
    );
  const existing = await configurationOf(stack, io);
  const declared = declaredSecrets(programTexts(projectFile));

  const { reservedSecrets = [] } = readSettings(existing.get, io.env).dialect ?? {};
  const { found, leftOut, unclear } = keysFor(values, declared, reservedSecrets, stack);
  const wanted = found.map(({ name, key, isRead }) => {
    const id = key.includes(":") ? key : `${project}:${key}`;
    const [value, before] = [values[name]!, existing.values.get(id)];
    return { name, key, isRead, id, value, isSet: before?.secret === true && before.value === value };
  });
  refuseTooLarge(existing, wanted);

  const isJson = switches.has("json");
  for (const { name, key, value, isSet, isRead } of wanted) {
    if (!isSet) await setSecret(key, value, stack, io);
    const rest = isRead ? "" : ", which the program does not read yet: add it to `secrets`";
    if (!isJson)
      io.stdout.write(`${isSet ? `${key} is set already` : `set ${key}`} (${sanitize(name)})${rest}\n`);
  }
  const isMissing = ({ name, isComment }: DeclaredSecret) =>
    !isComment && /^[A-Z][A-Z0-9_]*$/.test(name) && !Object.hasOwn(values, name);
  const namesOf = (isSet: boolean) =>
    wanted.filter((each) => each.isSet === isSet).map(({ name, key }) => ({ name, key }));
  const report = {
    set: namesOf(false),
    unchanged: namesOf(true),
    skipped: [
      ...leftOut,
      ...empty.map((name) => ({ name, reason: "it has no value" })),
      ...ignored.map((name) => ({ name, reason: "it is not an assignment" })),
      ...unclear,
    ],
    unread: wanted.flatMap(({ name, isRead }) => (isRead ? [] : [name])),
    missing: [...new Set(declared.filter(isMissing).map(({ name }) => name))],
  };
  if (isJson) io.stdout.write(jsonOf(report));
  const shown = file === "-" ? "standard input" : sanitize(file);
  for (const { name, reason } of report.skipped) io.stderr.write(`skipped ${sanitize(name)}: ${reason}\n`);
  for (const name of report.missing)
    io.stderr.write(`the program declares ${name}, but ${shown} has no value for it\n`);
  return report.missing.length + unclear.length > 0 ? exitCodes.problems : exitCodes.done;
};

/** The key under which the program reads each variable; else one made from its name, if it is free. */
function keysFor(
  values: EnvironmentFile["values"],
  declared: readonly DeclaredSecret[],
  reserved: readonly string[],
  stack: string,
) {
  const read = new Set(declared.map(({ key }) => key));
  const take = uniqueNames(read);
  const setEach = `set each with \`pulumi config set --secret KEY${stackWords(stack)}\`, the value on standard input`;
  const found: { name: string; key: string; isRead: boolean }[] = [];
  const leftOut: { name: string; reason: string }[] = [];
  const unclear: typeof leftOut = [];
  for (const name of Object.keys(values)) {
    const keys = new Set(declared.filter((each) => each.name === name).map(({ key }) => key));
    const [key = configKeyNear(name)] = keys;
    const isRead = keys.size > 0;
    // One value may not fit all deployments that read a variable of this name.
    const conflict =
      keys.size > 1
        ? `it as ${[...keys].join(" and as ")}`
        : !isRead && read.has(key) && `${key} for another name`;
    if (reserved.includes(name)) leftOut.push({ name, reason: "the service sets it itself" });
    else if (conflict) unclear.push({ name, reason: `the program reads ${conflict}: ${setEach}` });
    else found.push({ name, key: isRead ? key : take(key), isRead });
  }
  return { found, leftOut, unclear };
}

/** Variables of an environment file, or those in `env` of a graph configuration. */
async function readVariables(file: string, io: Io): Promise<EnvironmentFile> {
  if (file.endsWith(".json")) {
    const { environment } = readGraphConfig(resolve(io.cwd, file));
    return { values: environment, empty: [], ignored: [] };
  }
  const bytes = Buffer.from(await readInput(file, io));
  return parseEnvironment(decodeUtf8(bytes, sanitize(file)), io.env);
}

/** The engine passes the configuration, and some names, to the program in one environment variable, which Linux limits. */
const longestConfiguration = 127 * 1024;

function refuseTooLarge(
  { values }: StackConfiguration,
  wanted: readonly { readonly name: string; readonly id: string; readonly value: string }[],
): void {
  const before = Array.from(values, ([id, { value = "" }]) => [id, value] as const);
  const all = Object.fromEntries([...before, ...wanted.map(({ id, value }) => [id, value] as const)]);
  // The engine escapes these as `\u003c`.
  const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value).replace(/[<>&]/g, "\\u0000"));
  const size = sizeOf(all);
  if (size <= longestConfiguration) return;
  const [largest] = [...wanted].sort((a, b) => sizeOf(b.value) - sizeOf(a.value));
  const kib = (bytes: number) => `${Math.ceil(bytes / 1024)} KiB`;
  throw new UsageError(
    `nothing was set: the stack's configuration would have ${kib(size)}, and Pulumi can pass less than 128 KiB of it to a program. ` +
      `The largest variable is ${sanitize(largest!.name)} (${kib(sizeOf(largest!.value))}): keep such a value out of the file`,
  );
}

/** A value on standard input is in no file and in no list of processes. The CLI removes one line end. */
async function setSecret(key: string, value: string, stack: string, io: Io): Promise<void> {
  const { failure } = await pulumi(["config", "set", "--secret", key, "--stack", stack], io, 0, `${value}\n`);
  if (failure !== undefined) throw new Error(`cannot set ${key}: ${failure}`);
}
