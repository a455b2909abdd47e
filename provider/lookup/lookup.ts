/** What a program can look up: deployments and repositories. Checks the arguments, which any language may have passed. */
import { z } from "zod";
import { DeploymentFilters, RepositoryFilters, type RepositoryHost } from "../../schema/filters";
import { problemsOf } from "../../schema/problems";
import { formatPath, isObject, type Values } from "../../schema/tree";
import { typeName } from "../../schema/wording";
import type { Observed, Service } from "../deployment/service";
import { DeploymentError, MissingError } from "../errors";
import type { Repository } from "./repository";
import { resultOf } from "./result";

/** What lookups ask of a client. */
interface Finder extends Pick<Service, "find"> {
  byIds(ids: readonly string[]): Promise<Observed[]>;
  list(filters: DeploymentFilters): AsyncIterable<Observed[]>;
  readonly listings: {
    repositories(integrationId: string, host: RepositoryHost): Promise<Repository[]>;
  };
}

const Key = z.strictObject({ id: z.guid(), name: z.string().min(1) }).partial();

/** One deployment, by id or by exact name. It is an error if there is none. */
export async function findDeployment(finder: Pick<Finder, "find" | "byIds">, args: unknown): Promise<Values> {
  const { id, name } = checked(Key, args, '{ id: "…" } or { name: "…" }');
  if ((id === undefined) === (name === undefined))
    throw new DeploymentError("expected either an id or a name of a deployment");
  const [observed] = id === undefined ? [(await finder.find(name!)).deployment] : await finder.byIds([id]);
  if (observed === undefined)
    throw new MissingError(id === undefined ? `the name "${name}"` : `the id ${id}`);
  return resultOf(observed);
}

export async function* findDeployments(finder: Finder, args: unknown): AsyncGenerator<Values, void> {
  const filters = checked(DeploymentFilters, args, 'filters such as { nameContains: "chat" }');
  for await (const page of finder.list(filters)) yield* page.map(resultOf);
}

export async function findRepositories({ listings }: Finder, args: unknown): Promise<Repository[]> {
  const { integrationId, host = "codehost" } = checked(RepositoryFilters, args, '{ integrationId: "…" }');
  return listings.repositories(integrationId, host);
}

/** Throws one error with all problems of the arguments. `expected` is an example of valid ones. */
function checked<T extends z.ZodType>(shape: T, args: unknown, expected: string): z.infer<T> {
  if (!isObject(args)) throw new DeploymentError(`expected ${expected}, got ${typeName(args)}`);
  const problems = problemsOf(shape, args);
  if (problems.length === 0) return args as z.infer<T>;
  throw new DeploymentError(
    problems.map(({ path, message }) => `${formatPath(path)}: ${message}`).join("; "),
  );
}
