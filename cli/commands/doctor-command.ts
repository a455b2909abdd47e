/** The command `doctor`: one line for each thing that a connection needs. */
import { dialects } from "../../provider/dialects";
import type { SettingsResult } from "../../provider/settings/reading";
import type { Settings, SettingsProblem } from "../../provider/settings/settings";
import { namespace, plainKeyMessage, settingsTable } from "../../provider/settings/table";
import { tokenProblem } from "../../provider/settings/token";
import { jsonOf, longestText, sanitize } from "../../provider/text/sanitize";
import { exitCodes, UsageError, type Command, type Io } from "../command";
import { readConnection } from "../connection/service-connection";
import { wrap } from "../terminal/text-table";
import { stackFlag } from "../connection/stack-configuration";
import type { Finding } from "../doctor/finding";
import { good, inTwo, wrong } from "../doctor/finding";
import { certificates, cliVersion, engineProxy, nodeVersion, proxyOf } from "../doctor/machine-checks";
import { askService } from "../doctor/service-checks";

/** Everything together may take 30 seconds; milliseconds. */
const timeOfCli = 8_000;
const timeOfService = 18_000;

export const doctorCommand: Command = {
  name: "doctor",
  summary: "Check everything that a connection needs, and say what to do",
  positionals: [],
  flags: [stackFlag],
  examples: {
    "npx pulumi-deployment-service doctor": "one line for each check; changes nothing",
    "npx pulumi-deployment-service doctor --stack prod": "with the settings of a stack",
  },
  async run({ flags, switches }, io) {
    const [cli, read] = await Promise.all([cliVersion(io, timeOfCli), settingsOf(flags["stack"], io)]);
    const connection = read.settings === undefined ? [] : await checkConnection(read.settings, io);
    const findings = [nodeVersion(), cli, ...read.findings, ...connection, engineProxy(io.env)];
    io.stdout.write(
      switches.has("json") ? jsonOf(findings) : findings.map((each) => line(each, io)).join(""),
    );
    return findings.every(({ ok }) => ok) ? exitCodes.done : exitCodes.problems;
  },
};

interface Read {
  /** Undefined if nothing can be asked with them. */
  readonly settings?: Settings;
  readonly findings: readonly Finding[];
}

async function settingsOf(stack: string | undefined, io: Io): Promise<Read> {
  try {
    const { configuration, result } = await readConnection(stack, io, timeOfCli);
    const plain = configuration?.isPlain(`${namespace}:apiKey`)
      ? [wrong("configuration", ...inTwo(plainKeyMessage(configuration.stack)))]
      : [];
    if (result.settings === undefined)
      return { findings: [...plain, ...result.problems.map(settingProblem), ...otherDialects(result)] };
    const problem = await tokenProblem(result.settings);
    if (problem !== undefined) return { findings: [...plain, wrong("key", ...inTwo(problem))] };
    return { settings: result.settings, findings: plain };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { findings: [wrong("configuration", ...inTwo(error.message))] };
  }
}

/** What else would do if neither address nor key is set: the variables and the login of another dialect's vendor. */
function otherDialects({ problems, dialect }: SettingsResult): Finding[] {
  const isUnset = ["baseUrl", "apiKey"].every((name) => problems.some(({ setting }) => setting === name));
  if (!isUnset || dialect === undefined || dialect.vendor !== undefined) return [];
  return Object.values(dialects).flatMap(({ name, vendor }) => {
    if (vendor === undefined) return [];
    const variable = `${settingsTable.dialect.env}=${name}`;
    const todo = `With ${variable}, it is enough to set ${vendor.usualApiKey}, or to run \`${vendor.profile.login}\`.`;
    return [good("dialect", dialect.name, todo)];
  });
}

const checks: Readonly<Record<string, string>> = { baseUrl: "address", apiKey: "key", tenantId: "workspace" };

function settingProblem({ setting, message }: SettingsProblem): Finding {
  const check = setting ?? "proxy";
  return wrong(checks[check] ?? check, ...inTwo(message));
}

async function checkConnection(settings: Settings, io: Io): Promise<Finding[]> {
  const proxy = proxyOf(settings, io.env);
  const certificate = certificates(settings, io.env);
  if (!certificate.ok) return [good("address", settings.baseUrl), proxy, certificate];
  return askService(settings, timeOfService, { proxy, certificate });
}

function line({ check, ok, text, todo }: Finding, { columns }: Io): string {
  const found = sanitize(todo === null ? text : `${text} -> ${todo}`, longestText);
  const start = `${ok ? "ok   " : "WRONG"}  ${check.padEnd(13)}  `;
  const lines = wrap(found, (columns || Infinity) - start.length);
  return `${start}${lines.join(`\n${" ".repeat(start.length)}`)}\n`;
}
