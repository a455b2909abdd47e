import { systemClock } from "../clock";
import { connect, type Connection } from "../connection";
import { waitingText, type Limits } from "../limits";
import { sanitize } from "../text/sanitize";
import { readSettings } from "../settings";
import { UsageError, type Io } from "./command";

/** The connection that the environment describes: outside of a stack there is no other configuration. */
export function connectionOf({ env, stderr }: Io): Connection {
  const { settings, problems = [] } = readSettings(undefined, env);
  if (settings === undefined) throw new UsageError(problems.map(({ message }) => message).join("; "));
  const tell: Limits["tell"] = (...said) => stderr.write(`${sanitize(waitingText(...said))}\n`);
  return connect(settings, systemClock, tell, true);
}
