/** The command `doctor`: one line for each thing that a connection needs. */
import type { Settings, SettingsProblem } from "../../provider/settings/settings";
import { namespace, plainKeyMessage, settingsTable } from "../../provider/settings/table";
import { tokenProblem } from "../../provider/settings/token";
import { jsonOf, longestText, sanitize } from "../../provider/text/sanitize";
import { exitCodes, UsageError, type Command, type Io } from "../command";
import { addressOfStack, readConnection } from "../connection/service-connection";
import type { Finding } from "../doctor/finding";
import { good, inTwo, wrong } from "../doctor/finding";
import { certificates, cliVersion, engineProxy, nodeVersion, proxyOf } from "../doctor/machine-checks";
import { askService } from "../doctor/service-checks";

/** Everything together may take 30 seconds; milliseconds. */
const timeOfCli = 8_000;
const timeOfService = 18_000;

export const doctorCommand: Command = async ({ flags, switches }, io) => {
  const [cli, read] = await Promise.all([cliVersion(io, timeOfCli), settingsOf(flags["stack"], io)]);
  const findings = [nodeVersion(), cli, ...read.findings];
  if (read.settings !== undefined) {
    const proxy = proxyOf(read.settings, io.env);
    const certificate = certificates(read.settings, io.env);
    if (certificate.ok)
      findings.push(...(await askService(read.settings, timeOfService, { proxy, certificate })));
    else findings.push(good("address", read.settings.baseUrl), proxy, certificate);
  }
  findings.push(engineProxy(io.env));
  io.stdout.write(switches.has("json") ? jsonOf(findings) : findings.map(line).join(""));
  return findings.every(({ ok }) => ok) ? exitCodes.done : exitCodes.problems;
};

/** Without settings if nothing can be asked with them. */
async function settingsOf(
  stack: string | undefined,
  io: Io,
): Promise<{ settings?: Settings; findings: readonly Finding[] }> {
  try {
    const { configuration, result } = await readConnection(stack, io, timeOfCli);
    const { settings, problems, rules } = result;
    const key = configuration?.values.get(`${namespace}:apiKey`);
    const plain = key?.secret === false ? plainKeyMessage(configuration!.stack, key.value) : undefined;
    const findings = plain === undefined ? [] : [wrong("configuration", ...inTwo(plain))];
    const other = addressOfStack(configuration, rules?.baseUrl, io);
    if (other !== undefined) findings.push(overridden(other, configuration!.stack));
    if (settings === undefined) {
      const isValid = rules?.baseUrl !== undefined && problems.every(({ setting }) => setting !== "baseUrl");
      if (isValid) findings.push(good("address", rules.baseUrl));
      return { findings: [...findings, ...problems.map(settingProblem)] };
    }
    const problem = await tokenProblem(settings);
    if (problem !== undefined) return { findings: [...findings, wrong("key", ...inTwo(problem))] };
    return { settings, findings };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { findings: [wrong("configuration", ...inTwo(error.message))] };
  }
}

function overridden(address: string, stack: string): Finding {
  const { env } = settingsTable.baseUrl;
  return wrong(
    "configuration",
    `${env} overrides the address of stack ${stack} in commands, but not in programs, which use ${address}`,
    `Unset ${env} to check that address.`,
  );
}

const checks: Readonly<Record<string, string>> = { baseUrl: "address", apiKey: "key", tenantId: "workspace" };

function settingProblem({ setting, message }: SettingsProblem): Finding {
  const check = setting ?? "proxy";
  return wrong(checks[check] ?? check, ...inTwo(message));
}

function line({ check, ok, text, todo }: Finding): string {
  const found = sanitize(todo === null ? text : `${text} -> ${todo}`, longestText);
  return `${ok ? "ok   " : "WRONG"}  ${check.padEnd(13)}  ${found}\n`;
}
