import { expect, it } from "vitest";
import { UnfinishedError } from "../../../provider/deployment/state";
import { parseState } from "../../../provider/stored/stored";
import { operationError, grpcStatus } from "../../../provider/plugin/grpc-status";

it("a resource that failed after its creation is in the error once, since the engine limits the size of that header", () => {
  const secrets = { KEY: "k".repeat(100_000) };
  const state = parseState({ name: "chat", source: "external_container", generation: 1, secrets });
  const resource = { values: {}, options: {} };
  const error = operationError("create", resource, new UnfinishedError("not ready", "d1", state));
  const details = grpcStatus(error).metadata!.get("grpc-status-details-bin") as Buffer[];
  expect(details).toHaveLength(1);
  expect(details[0]!.length).toBeLessThan(1.1 * secrets.KEY.length);
});
