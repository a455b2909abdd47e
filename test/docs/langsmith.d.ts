/** The part that a document uses of the package that Pulumi generates from the vendor's Terraform provider. */
declare module "@pulumi/langsmith" {
  import { CustomResource, type Input } from "@pulumi/pulumi";

  /** Arguments and example: docs/resources/alert_rule.md of langchain-ai/terraform-provider-langsmith. */
  export class AlertRule extends CustomResource {
    constructor(
      name: string,
      args: {
        sessionId: Input<string>;
        name: Input<string>;
        type: Input<string>;
        attribute: Input<string>;
        aggregation: Input<string>;
        windowMinutes: Input<number>;
        operator: Input<string>;
        threshold: Input<number>;
        filter?: Input<string>;
        actions: Input<{ target: Input<string>; urlEnv?: Input<string>; configJson?: Input<string> }>[];
      },
    );
  }
}
