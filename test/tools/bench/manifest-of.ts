/** The manifest of so many deployments: within each ten, each refers to the one before it; every tenth is changed in a stack. */
export function manifestOf(size: number): string {
  const numbers = Array.from({ length: size }, (_, index) => index);
  const deployments = numbers.flatMap((index) => [
    `  app-${index}:`,
    `    source: external_container`,
    `    sourceConfig:`,
    `      resourceSpec: { minScale: 1, maxScale: 3, cpu: 0.5, memoryMb: 1024, labels: { team: a${index} } }`,
    `    sourceRevisionConfig: { imageUri: "registry.example.com/app-${index}:1.0.0" }`,
    `    secrets:`,
    `      MODEL_API_KEY: \${config.modelApiKey}`,
    `      REGION: \${env.REGION:-eu}`,
    ...(index % 10 > 0 ? [`      PEER_URL: \${deployments.app-${index - 1}.url}`] : []),
    ...(index % 10 > 0 ? [`    options: { dependsOn: [app-${index - 1}] }`] : []),
  ]);
  const changed = numbers
    .filter((index) => index % 10 === 0)
    .map((index) => `      app-${index}: { sourceConfig: { resourceSpec: { minScale: 2 } } }`);
  return [
    "version: 1",
    "defaults:",
    "  sourceConfig: { buildOnPush: false, resourceSpec: { cpuLimit: 1, memoryLimitMb: 2048 } }",
    "deployments:",
    ...deployments,
    "stacks:",
    `  ${stack}:`,
    "    deployments:",
    ...changed,
    "",
  ].join("\n");
}

export const stack = "prod";
