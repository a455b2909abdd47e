/** The table of commands. */
import type { Command } from "../command";
import { doctorCommand } from "./doctor-command";
import { emulatorCommand } from "./emulator-command";
import { generateCommand } from "./generate-command";
import { importCommand } from "./import-command";
import { initCommand } from "./init-command";
import { interruptCommand } from "./interrupt-command";
import { listCommand } from "./list-command";
import { integrationsCommand, listenersCommand } from "./listing-commands";
import { logsCommand } from "./logs-command";
import { reposCommand } from "./repos-command";
import { schemaCommand } from "./schema-command";
import { secretsCommand } from "./secrets-command";
import { statusCommand } from "./status-command";
import { summaryCommand } from "./summary-command";
import { validateCommand } from "./validate-command";

/** By name. */
export const commands: Readonly<Record<string, Command>> = {
  validate: validateCommand,
  generate: generateCommand,
  schema: schemaCommand,
  doctor: doctorCommand,
  list: listCommand,
  integrations: integrationsCommand,
  listeners: listenersCommand,
  repos: reposCommand,
  import: importCommand,
  emulator: emulatorCommand,
  init: initCommand,
  secrets: secretsCommand,
  status: statusCommand,
  logs: logsCommand,
  interrupt: interruptCommand,
  summary: summaryCommand,
};
