import type { Command } from "./command";
import { schema } from "./schema";

/** All commands, in the order in which the help shows them. */
export const commands: readonly Command[] = [schema];
