/** Workflows for a project that exists: its stacks and its manifests are in its folder. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { dialects } from "../../provider/dialects";
import { readRegularFile } from "../../provider/files/regular-file";
import { namespace, settingsTable } from "../../provider/settings/table";
import { asObject, isObject, type Values } from "../../schema/tree";
import { UsageError } from "../usage-error";
import { stacksIn } from "../files/stack-files";
import { repositoryOf } from "./git-repository";
import type { Io } from "../command";
import type { NewProject } from "./project";
import { serviceFor } from "./project-service";
import { workflowsFor, type CiService } from "./workflows";

export function projectWorkflows(
  ci: CiService,
  chosen: string | undefined,
  folder: string,
  io: Io,
): NewProject {
  if (!existsSync(join(folder, "package.json")))
    throw new UsageError("--ci writes workflows for npm, and the project has no package.json");
  const read = (file: string) => asObject(parse(readRegularFile(join(folder, file)).toString()));
  const files = readdirSync(folder)
    .filter((file) => statSync(join(folder, file), { throwIfNoEntry: false })?.isFile())
    .sort();
  const stacks = stacksIn(folder);
  if (stacks.length === 0)
    throw new UsageError(
      "--ci found no stack: `pulumi stack init NAME` and `pulumi config set` write Pulumi.NAME.yaml",
    );
  const manifests = files.filter(
    (file) => /\.ya?ml$/.test(file) && !file.startsWith("Pulumi.") && isObject(read(file)["deployments"]),
  );
  const configs = stacks.map((stack) => asObject(read(`Pulumi.${stack}.yaml`)["config"]));
  const without = stacks.filter((_, at) => settingIn(configs[at]!, "baseUrl") === undefined);
  if (without.length > 0)
    io.stderr.write(
      `the workflows read the service's address from the stacks, but ${without.join(", ")} has none: run ` +
        `\`pulumi config set ${namespace}:baseUrl ADDRESS --stack ${without[0]}\`\n`,
    );
  const all = [asObject(read("Pulumi.yaml")["config"]), ...configs];
  const setting = (name: string) => all.flatMap((config) => settingIn(config, name) ?? [])[0];
  const dialect = dialects[chosen ?? setting("dialect") ?? settingsTable.dialect.default]!;
  const { keyVariable } = serviceFor(dialect, { [settingsTable.baseUrl.env]: setting("baseUrl") });
  // They are applied in this order, production last.
  const ordered = [...stacks].sort((a, b) => Number(/^prod/.test(a)) - Number(/^prod/.test(b)));
  const repository = repositoryOf(folder, folder);
  const workflows = workflowsFor({ ci, repository, folder, stacks: ordered, manifests, keyVariable }, io);
  const text =
    "node_modules/pulumi-deployment-service/examples/03-ci/README.md says which environments and secrets they need.\n";
  return { files: workflows, commands: [], text };
}

/** A value of a stack's file, or a default of the project's. */
function settingIn(config: Values, name: string): string | undefined {
  const value = config[`${namespace}:${name}`];
  const text = isObject(value) ? (value["value"] ?? value["default"]) : value;
  return typeof text === "string" ? text : undefined;
}
