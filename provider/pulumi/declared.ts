/**
 * With `--target` the engine asks no provider process about what it leaves as it is. So the program itself tells this
 * run's processes which deployments it declares: none of them is deleted under the former name of a resource.
 */
import * as pulumi from "@pulumi/pulumi";
import type { Claims } from "../deployment/claims";
import { optionsKey, type InternalOptions } from "../internal-inputs";
import { claimsOfProgram } from "./shared-claims";
import { withoutDependencies } from "./without-dependencies";

interface Declared extends pulumi.CustomResource {
  readonly createdAt: pulumi.Output<string | null>;
  readonly generation: pulumi.Output<number | undefined>;
  readonly [optionsKey]?: pulumi.Output<InternalOptions | undefined>;
}

let claims: Claims | undefined;

/**
 * Once the engine has said what stands for the resource. Not for an inline program, whose process outlives the run,
 * nor in a preview, which deletes nothing.
 */
export function claimDeclared(resource: pulumi.CustomResource): void {
  const engine = process.env["PULUMI_NODEJS_ENGINE"];
  if (engine === undefined || pulumi.runtime.isDryRun()) return;
  void claim(resource as Declared, engine);
}

async function claim(resource: Declared, engine: string): Promise<void> {
  const [id, createdAt, generation, context] = await Promise.all([
    withoutDependencies(resource.id),
    withoutDependencies(resource.createdAt),
    withoutDependencies(resource.generation),
    resource[optionsKey] && withoutDependencies(resource[optionsKey]),
  ]);
  // What is only read has no generation.
  if (generation === undefined || context?.urn === undefined) return;
  claims ??= claimsOfProgram(engine);
  claims.add({ id: id.toLowerCase(), createdAt: createdAt ?? null, resource: context.urn, hold: "declares" });
}
