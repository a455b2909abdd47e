import type { Command } from "./command";
import { emulator } from "./emulator";
import { generate } from "./generate";
import { importDeployments } from "./import";
import { init } from "./init";
import { integrations } from "./integrations";
import { interrupt } from "./interrupt";
import { list } from "./list";
import { logs } from "./logs";
import { repos } from "./repos";
import { schema } from "./schema";
import { status } from "./status";
import { summary } from "./summary";
import { validate } from "./validate";

/** All commands, in the order in which the help shows them. */
export const commands: readonly Command[] = [
  validate,
  generate,
  schema,
  list,
  integrations,
  repos,
  importDeployments,
  emulator,
  init,
  status,
  logs,
  interrupt,
  summary,
];
