import type { State } from "./state";

/** An error whose text is for the user as it stands. */
export class DeploymentError extends Error {
  override readonly name: string = "DeploymentError";
}

/** Somebody deleted it behind our back. */
export class GoneError extends DeploymentError {
  override readonly name = "GoneError";

  /** @param answer the service's, where it said so */
  constructor(answer?: Error) {
    const told = answer === undefined ? "" : ` (${answer.message})`;
    super(`the deployment is gone: somebody deleted it${told}. Run \`pulumi refresh\`, then \`pulumi up\``);
  }
}

/** Whoever reads a deployment that no program manages needs it to be there. */
export class MissingError extends DeploymentError {
  override readonly name = "MissingError";

  constructor(id: string) {
    super(
      `the service has no deployment with the id ${id}, or the key and tenant of this connection do not see it`,
    );
  }
}

/** The service has the deployment, but it is not as it should be yet. The state must be kept. */
export class UnfinishedError extends DeploymentError {
  override readonly name = "UnfinishedError";

  constructor(
    message: string,
    readonly id: string,
    readonly state: State,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
