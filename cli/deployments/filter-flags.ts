/** The flags that filter a list of deployments. */
import { z } from "zod";
import { DeploymentFilters, filterFields } from "../../schema/filters";
import { problemsOf } from "../../schema/problems";
import { formatPath } from "../../schema/tree";
import type { Observed } from "../../provider/deployment/service";
import { UsageError, type ParsedArguments } from "../command";

type Name = keyof typeof filterFields;

const names = Object.keys(filterFields) as Name[];

export function filtersIn({ flags }: ParsedArguments): DeploymentFilters {
  const given = names.flatMap((name): [string, unknown][] => {
    const text = flags[flagName(name)] ?? (name === "deploymentIds" ? flags["ids"] : undefined);
    return text === undefined ? [] : [[name, parseFilter(name, text)]];
  });
  const filters = Object.fromEntries(given);
  const [problem] = problemsOf(DeploymentFilters, filters);
  if (problem === undefined) return filters;
  const [name, ...rest] = problem.path;
  throw new UsageError(`--${flagName(name as Name)}${formatPath(rest)}: ${problem.message}`);
}

function parseFilter(name: Name, text: string): unknown {
  const field = filterFields[name];
  if (field instanceof z.ZodBoolean) return text === "true";
  if (name === "status") return text.toUpperCase();
  if (!(field instanceof z.ZodArray)) return text;
  return text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

function flagName(name: Name): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The message about requested ids that the service does not have; undefined if it has all of them. */
export function missingIds(
  { deploymentIds = [], ...others }: DeploymentFilters,
  found: readonly Observed[],
): string | undefined {
  const ids = new Set(found.map(({ id }) => id.toLowerCase()));
  const missing = deploymentIds.filter((id) => !ids.has(id.toLowerCase()));
  if (missing.length === 0) return undefined;
  const also = Object.keys(others).length > 0 ? ", or the other filters exclude it" : "";
  return `the service has no deployment with the id ${missing.join(", ")}${also}`;
}
