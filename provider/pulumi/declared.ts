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

/** Of each engine that this process ran a program for. */
const claims = new Map<string, Pick<Claims, "add">>();

/** Once the engine has said what stands for the resource. Not in a preview, which deletes nothing. */
export function claimDeclared(resource: pulumi.CustomResource): void {
  const engine = engineAddress();
  if (engine === undefined || pulumi.runtime.isDryRun()) return;
  void claim(resource as Declared, engine);
}

/** Undefined where a test stands in for the engine. */
function engineAddress(): string | undefined {
  const engine = pulumi.runtime.getEngine() as { getChannel?(): { getTarget(): string } } | undefined;
  // `dns:127.0.0.1:40000`, as the gRPC library calls it.
  return engine
    ?.getChannel?.()
    .getTarget()
    .replace(/^\w+:\/*(?=.*:)/, "");
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
  let ofRun = claims.get(engine);
  if (ofRun === undefined) claims.set(engine, (ofRun = claimsOfProgram(engine, host())));
  ofRun.add({ id: id.toLowerCase(), createdAt: createdAt ?? null, resource: context.urn, hold: "declares" });
}

/** What lives as long as the run: the language host, which outlives the program, or the process of an inline program. */
function host(): number {
  return process.env["PULUMI_NODEJS_ENGINE"] === undefined ? process.pid : process.ppid;
}
