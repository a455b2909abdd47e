/** Writes what `pulumi stack init` and `pulumi config set` write. The CLI would take half a second for each. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseDocument } from "yaml";
import { projectName } from "./program";
import { keySettings } from "./key-service";
import { seal } from "./sealed";

export type ConfigValue = string | { secret: string };

export interface EmptyStack {
  /** The folder of the program. */
  program: string;
  /** The folder of the states. */
  backend: string;
  name: string;
  config: Record<string, ConfigValue>;
}

/** What the program's folder has of the stack's configuration stays. */
export function makeEmptyStack({ program, backend, name, config }: EmptyStack): void {
  const project = projectName(program);
  const stacks = join(backend, ".pulumi", "stacks", project);
  mkdirSync(stacks, { recursive: true });
  writeFileSync(join(backend, ".pulumi", "meta.yaml"), "version: 1\n");
  const checkpoint = { stack: `organization/${project}/${name}` };
  writeFileSync(join(stacks, `${name}.json`), JSON.stringify({ version: 3, checkpoint }));

  const file = join(program, `Pulumi.${name}.yaml`);
  const settings = parseDocument(existsSync(file) ? readFileSync(file, "utf8") : "");
  for (const [name, value] of Object.entries(keySettings)) settings.set(name, value);
  for (const [key, value] of Object.entries(config)) {
    const written = typeof value === "string" ? value : { secure: seal(value.secret) };
    settings.setIn(["config", key.includes(":") ? key : `${project}:${key}`], written);
  }
  writeFileSync(file, settings.toString());
}
