/** The table of commands. */
import type { Command } from "./command";
import { doctorCommand } from "./doctor/doctor";
import { emulatorCommand } from "./emulator";
import { generateCommand } from "./generate";
import { importCommand } from "./import";
import { initCommand } from "./init";
import { interruptCommand } from "./interrupt";
import { listCommand } from "./list";
import { integrationsCommand, listenersCommand } from "./listings";
import { logsCommand } from "./logs";
import { reposCommand } from "./repos";
import { schemaCommand } from "./schema";
import { statusCommand } from "./status";
import { summaryCommand } from "./summary";
import { validateCommand } from "./validate";

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
  statusCommand,
  logsCommand,
  interruptCommand,
  summaryCommand,
];
