/** The files of a new project. */

export type Kind = "typescript" | "manifest" | "folder";

/** By their names. With the stack `dev` the project runs against the emulator as it is. */
export function projectFiles(name: string, kind: Kind, version: string): Record<string, string> {
  return {
    "Pulumi.yaml": `name: ${JSON.stringify(name)}
runtime: nodejs
description: Deployments, declared with pulumi-deployment-service.
`,
    "Pulumi.dev.yaml": stackConfig(name, kind),
    ...filesOf[kind],
    "package.json": packageJson(name, kind, version),
    ".gitignore": "node_modules/\n",
  };
}

/** Arguments of the emulator: only the public service takes uploads. */
export const emulatorFlags: Readonly<Record<Kind, string>> = {
  typescript: "",
  manifest: "",
  folder: " --dialect langsmith",
};

const stackConfig = (
  name: string,
  kind: Kind,
) => `# The stack dev talks to the emulator: npx pulumi-deployment-service emulator${emulatorFlags[kind]}
# For the real service, make a stack of its own:
#   pulumi stack init prod
#   pulumi config set deployment-service:baseUrl https://deployments.example.com
#   pulumi config set --secret deployment-service:apiKey
#   pulumi config set --secret modelApiKey
config:
  # Wins over DEPLOYMENT_SERVICE_URL: change it here where the emulator has another port.
  deployment-service:baseUrl: http://127.0.0.1:8787
  # In clear, because the emulator guards nothing. Keys of a service are set with --secret.
  deployment-service:apiKey: emulator-key${kind === "folder" ? "\n  deployment-service:dialect: langsmith" : ""}
  ${JSON.stringify(`${name}:modelApiKey`)}: not-a-real-key
`;

const typescript: Record<string, string> = {
  "index.ts": `import * as pulumi from "@pulumi/pulumi";
import { Deployment } from "pulumi-deployment-service";

const config = new pulumi.Config();

const chat = new Deployment("chat", {
  source: "external_container",
  sourceConfig: { resourceSpec: { minScale: 1, maxScale: 3, cpu: 0.5, memoryMb: 1024 } },
  sourceRevisionConfig: { imageUri: "registry.example.com/chat:1.4.2" },
  secrets: { MODEL_API_KEY: config.requireSecret("modelApiKey") },
});

export const { status, url } = chat;
`,
  "tsconfig.json": `{
  "compilerOptions": {
    "strict": true,
    "target": "es2022",
    "module": "node16",
    "moduleResolution": "node16",
    "noEmit": true
  },
  "files": ["index.ts"]
}
`,
};

const manifest: Record<string, string> = {
  "deployments.yaml": `# yaml-language-server: $schema=./node_modules/pulumi-deployment-service/schema/manifest.schema.json
version: 1
deployments:
  chat:
    source: external_container
    sourceConfig:
      resourceSpec: { minScale: 1, maxScale: 3, cpu: 0.5, memoryMb: 1024 }
    sourceRevisionConfig:
      imageUri: registry.example.com/chat:1.4.2
    secrets:
      MODEL_API_KEY: \${config.modelApiKey}
`,
  "index.js": `const { fromManifest } = require("pulumi-deployment-service");

const { chat } = fromManifest("deployments.yaml");

exports.status = chat.status;
exports.url = chat.url;
`,
};

const folder: Record<string, string> = {
  ...typescript,
  "index.ts": `import * as pulumi from "@pulumi/pulumi";
import { Deployment } from "pulumi-deployment-service";

const config = new pulumi.Config();

const agent = new Deployment("agent", {
  source: "internal_source",
  sourceConfig: { deploymentType: "dev_zero" },
  sourceDirectory: "./agent",
  sourceRevisionConfig: { graphConfigPath: "langgraph.json" },
  secrets: { MODEL_API_KEY: config.requireSecret("modelApiKey") },
});

export const { status, url } = agent;
`,
  "agent/langgraph.json": `{
  "dependencies": ["."],
  "graphs": { "agent": "./agent.py:graph" }
}
`,
  "agent/agent.py": `from typing import TypedDict

from langgraph.graph import END, START, StateGraph


class State(TypedDict):
    question: str
    answer: str


def answer(state: State) -> dict[str, str]:
    return {"answer": f"You asked: {state['question']}"}


graph = (
    StateGraph(State)
    .add_node("answer", answer)
    .add_edge(START, "answer")
    .add_edge("answer", END)
    .compile()
)
`,
  "agent/requirements.txt": "langgraph\n",
};

const filesOf: Readonly<Record<Kind, Readonly<Record<string, string>>>> = { typescript, manifest, folder };

function packageJson(name: string, kind: Kind, version: string): string {
  const content = {
    name,
    version: "0.0.0",
    private: true,
    main: kind === "manifest" ? "index.js" : "index.ts",
    dependencies: { "@pulumi/pulumi": "^3.216.0", "pulumi-deployment-service": `^${version}` },
    // The compiler that Pulumi brings is older than what tsconfig.json asks for.
    ...(kind !== "manifest" && { devDependencies: { typescript: "^5.0.0" } }),
  };
  return `${JSON.stringify(content, undefined, 2)}\n`;
}
