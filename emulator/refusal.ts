import type { Problem } from "./shape";

/** A request that the service answers with an error. `detail` is a text, or the list of a 422. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly detail: string | Problem[],
  ) {
    super(
      typeof detail === "string"
        ? detail
        : detail.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`).join("; "),
    );
    this.name = "Refusal";
  }
}

/** Nothing happens when there is nothing to complain about. */
export function refuseIfAny(problems: Problem[]): void {
  if (problems.length > 0) throw new Refusal(422, problems);
}
