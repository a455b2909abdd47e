/** The part of `@pulumi/policy` that a document uses, with its public shape. */
declare module "@pulumi/policy" {
  export interface ResourceValidationArgs {
    readonly type: string;
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as the package has it
    readonly props: Record<string, any>;
  }

  export interface ResourceValidationPolicy {
    readonly name: string;
    readonly description: string;
    readonly enforcementLevel: "advisory" | "mandatory" | "disabled";
    readonly validateResource: (
      resource: ResourceValidationArgs,
      report: (message: string) => void,
    ) => void | Promise<void>;
  }

  export class PolicyPack {
    constructor(name: string, args: { readonly policies: ResourceValidationPolicy[] });
  }
}
