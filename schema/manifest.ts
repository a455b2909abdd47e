/** The schema of the manifest: adds stacks, defaults and resource options to the fields of the resource. */
import { z } from "zod";
import { objectOf } from "./deployment";
import type { optionNames } from "./enums";
import { deployment, duration } from "./fields";
import { outputNames } from "./outputs";

export const manifestVersion = 1;

/** A key under `deployments`, which is the logical name of the resource. */
export const deploymentKey = /^[A-Za-z][A-Za-z0-9_.-]*$/;
const DeploymentKey = z
  .string()
  .regex(deploymentKey, 'a key must begin with a letter and contain only letters, digits, "_", "-" and "."');
/** A stack's name, or a pattern with `*`. */
const StackName = z
  .string()
  .regex(
    /^[A-Za-z0-9_.*-]{1,100}$/,
    'a stack name can contain only letters, digits, "_", "-" and ".", and "*" for any part of a name',
  );
const flag = (doc: string) => z.boolean().nullish().describe(doc);
const words = (item: string, doc: string) => z.array(z.string().describe(item)).nullish().describe(doc);
const time = (doc: string) => duration.nullish().describe(doc);

/** The resource option of that name. */
export const CustomTimeouts = z.strictObject({
  create: time("The longest time for a creation, such as `45m`. Default: 30m."),
  update: time("The longest time for an update, such as `45m`. Default: 30m."),
  delete: time("The longest time for a deletion, such as `20m`. Default: 10m."),
});

const part = (doc: string) => z.string().min(1).nullish().describe(doc);

/** The former identity. Omitted parts have not changed. */
export const Alias = z.strictObject({
  name: part("The former key, or the former logical name in a program."),
  type: part("The former type, for example `deployment-service:index:Deployment`."),
  stack: part("The stack that the deployment was in."),
  project: part("The project that the deployment was in."),
});

/** A former key of the deployment, or a full URN. */
const formerKey = z
  .string()
  .regex(
    /^(?!urn:).+$|^urn:pulumi:[^:]+::[^:]+::[^:]+(?::[^:]+)*::.+$/,
    "expected a former key, or a URN: urn:pulumi:STACK::PROJECT::TYPE::NAME",
  );

/** The Pulumi resource options. */
export const Options = z.strictObject({
  protect: flag("Refuse to delete this deployment. Default: false."),
  retainOnDelete: flag("Leave the deployment on the service when it leaves the stack. Default: false."),
  deleteBeforeReplace: flag(
    "When replacing, delete the old deployment first. Default: true if the name stays the same.",
  ),
  ignoreChanges: words("`sourceRevisionConfig.imageUri`", "Paths of fields whose changes are ignored."),
  replaceOnChanges: words("`sourceConfig.repoUrl`", "Paths of fields whose changes replace the deployment."),
  dependsOn: words(
    "A key under `deployments`.",
    "Deployments that must be ready before this one is created.",
  ),
  customTimeouts: CustomTimeouts.nullish().describe("Time limits of operations."),
  aliases: z
    .array(
      z.union([
        formerKey.describe("A former key, or the URN that the resource had: `urn:pulumi:…`."),
        Alias.describe("The parts of the former identity that differ."),
      ]),
    )
    .nullish()
    .describe(
      "Former keys: a renamed deployment stays the same resource. Its `name` defaults to the key, so set it to the old one.",
    ),
} satisfies Record<(typeof optionNames)[number], z.ZodType>);

/** Defaults and overlays are merged, so every field is optional, and can be `null` unless it is required. */
export const ManifestDeployment = objectOf(deployment, [], (type) => type.nullish()).extend({
  source: deployment.source.type.optional().describe(deployment.source.doc),
  options: Options.nullish().describe("Pulumi resource options."),
});

/** A deployment after merging, which needs a source. */
export const MergedDeployment = ManifestDeployment.extend({ source: deployment.source.type });

const deployments = z.record(DeploymentKey, ManifestDeployment.nullable());

export function isPattern(stackKey: string): boolean {
  return stackKey.includes("*");
}

export const Stack = z.strictObject({
  deployments: deployments
    .nullish()
    .describe(
      "Changes to deployments in this stack, key by key, and deployments of this stack alone. `null` removes one.",
    ),
});

/** The names of the dialects; their data is in `provider/dialects`. */
export const dialectNames = ["standard", "langsmith"] as const;

export const Manifest = z.strictObject({
  version: z.literal(manifestVersion).describe("Version of the manifest's format: 1."),
  dialect: z
    .enum(dialectNames)
    .nullish()
    .describe(
      "The dialect whose rules are checked. A stack's connection must use the same one. Default: the connection's.",
    ),
  defaults: ManifestDeployment.nullish().describe("Default values for every deployment."),
  deployments: deployments
    .nullish()
    .describe("The deployments by key. The key is the logical name of the resource."),
  stacks: z
    .record(StackName, Stack.nullable())
    .nullish()
    .describe(
      "Differences by stack name. A name with `*` (`pr-*`) applies to stacks without their own key. If " +
        "several match, the first one with the longest literal part applies. " +
        "Stacks that match no key have no differences.",
    ),
});

/** The outputs that `${deployments.KEY.…}` can name. */
export const referable = ["id", "name", ...outputNames] as const;
export type Referable = (typeof referable)[number];
