/** The engine's endpoint for messages of the provider process. */
import { Server, ServerCredentials } from "@grpc/grpc-js";
import { EngineService, type IEngineServer } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";

export interface Message {
  readonly severity: string;
  readonly text: string;
  readonly urn: string;
  /** Shown during the operation only. */
  readonly ephemeral: boolean;
}

export interface FakeEngine {
  readonly address: string;
  readonly messages: Message[];
  stop(): void;
}

export async function startFakeEngine(): Promise<FakeEngine> {
  const messages: Message[] = [];
  const server = new Server();
  const log: IEngineServer["log"] = ({ request }, answer) => {
    const [severity = "?"] =
      Object.entries(LogSeverity).find(([, value]) => value === request.getSeverity()) ?? [];
    messages.push({
      severity: severity.toLowerCase(),
      text: request.getMessage(),
      urn: request.getUrn(),
      ephemeral: request.getEphemeral(),
    });
    answer(null, new Empty());
  };
  server.addService(EngineService, { log });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  return { address: `127.0.0.1:${port}`, messages, stop: () => server.forceShutdown() };
}
