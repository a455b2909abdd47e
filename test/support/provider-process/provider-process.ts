/** The stock process that the engine loads dynamic providers in. */
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { ProviderCalls, startProcess, type Failure } from "./calls";
import { toStruct, unary } from "./grpc";
import { makeProject } from "./project";
import { urn } from "./resource";

/** The property of each failure, or else the first word of its reason. */
export function placesOf(failures: readonly Failure[]): string[] {
  return failures.map(({ property, reason }) => property || (reason.split(/: | /)[0] ?? "")).sort();
}

export class ProviderProcess extends ProviderCalls {
  static async start(sdk: string, env: Readonly<Record<string, string>> = {}): Promise<ProviderProcess> {
    const command = [process.execPath, "node_modules/@pulumi/pulumi/cmd/dynamic-provider"] as const;
    return new ProviderProcess(
      await startProcess(makeProject(sdk), command, { PULUMI_NODEJS_PROJECT: "shop", ...env }),
    );
  }

  urn(name: string): string {
    return urn(name);
  }

  async configure(config: Readonly<Record<string, string>>): Promise<void> {
    const request = new messages.ConfigureRequest().setArgs(toStruct(config));
    await unary<messages.ConfigureResponse>((answer) => this.client.configure(request, answer));
  }
}
