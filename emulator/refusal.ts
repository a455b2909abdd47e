import type { Json } from "./json-values";

export type Location = readonly (string | number)[];

/** One entry of a 422. Like real services, `input` repeats what was sent, even if it is a secret. */
export interface Problem {
  readonly type: string;
  readonly loc: Location;
  readonly msg: string;
  readonly input: Json;
}

/** A request that the service answers with an error. `detail` is a text, or the list of a 422. */
export class Refusal extends Error {
  override readonly name = "Refusal";

  constructor(
    readonly status: number,
    readonly detail: string | Problem[],
  ) {
    super(
      typeof detail === "string"
        ? detail
        : detail.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`).join("; "),
    );
  }
}

export function refuseIfAny(problems: Problem[]): void {
  if (problems.length > 0) throw new Refusal(422, problems);
}
