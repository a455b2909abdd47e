/** By itself, for tools that run without Vitest. */
export const packageName = "pulumi-deployment-service";
