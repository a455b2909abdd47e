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

/** All commands, in the order of the help. */
export const commands: readonly Command[] = [
  validateCommand,
  generateCommand,
  schemaCommand,
  doctorCommand,
  listCommand,
  integrationsCommand,
  listenersCommand,
  reposCommand,
  importCommand,
  emulatorCommand,
  initCommand,
  secretsCommand,
  statusCommand,
  logsCommand,
  interruptCommand,
  summaryCommand,
];
