/** For commands that are read on machines with and without the Pulumi CLI. */
export const withoutCli = "If the Pulumi CLI is not installed, write `npx pulumi` instead of `pulumi`.";
