/** A policy that remediates changes the inputs after the check, and the engine stores them as the policy left them. */
import { expect, it, vi } from "vitest";
import { createProvider } from "../../../provider/dynamic/provider";
import { providerText } from "../../../provider/deployment/internal-inputs";
import type { Values } from "../../../schema/tree";

const urn = "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/deployment-service:Deployment::chat";
const sidecar = (key: string) => ({
  resourceSpec: { sidecars: [{ name: "log", image: "log:1", env: [{ name: "LOG_API_KEY", value: key }] }] },
});
const declared: Values = {
  ...{ name: "chat", source: "external_container" },
  sourceRevisionConfig: { imageUri: "registry.example.com/chat:1" },
  __provider: providerText,
  __options: { urn },
};

/** What the comparison says of inputs that a policy has changed. */
async function toldOf(change: (inputs: Values) => Values, more: Values = {}): Promise<string> {
  const provider = createProvider();
  const config: Record<string, string> = {
    "deployment-service:baseUrl": "https://one.example.com",
    "deployment-service:apiKey": "key-for-tests",
  };
  await provider.configure!({ config: { get: (key: string) => config[key] } as never });
  const { inputs } = await provider.check!({}, { ...declared, ...more });
  const old = inputs as Values;
  const __madeWith = { address: "https://one.example.com", dialect: "standard" };
  const __private = JSON.stringify({ version: 1, shown: {} });
  const outputs = { ...old, generation: 1, status: "READY", __madeWith, __private };
  const checked = (await provider.check!(old, { ...declared, ...more })).inputs as Values;
  const spies = [
    ...[process.stdout, process.stderr].map((stream) => vi.spyOn(stream, "write").mockReturnValue(true)),
    ...(["log", "info", "warn", "error"] as const).map((name) => vi.spyOn(console, name).mockReturnValue()),
  ];
  try {
    await provider.diff!("d1", outputs, change(checked));
    return spies.flatMap(({ mock }) => mock.calls.map(String)).join("\n");
  } finally {
    vi.restoreAllMocks();
  }
}

const told = /came after the check, from a policy that remediates: the engine may store it in plain text/;

it("secrets where the program declares none are told, and without their values", async () => {
  const text = await toldOf((inputs) => ({ ...inputs, secrets: { TEAM_TOKEN: "sesame-0pens" } }));
  expect(text).toMatch(told);
  expect(text).toContain("secrets.TEAM_TOKEN");
  expect(text).not.toContain("sesame");
});

it("credentials of containers in a changed configuration are told", async () => {
  const text = await toldOf((inputs) => ({ ...inputs, sourceConfig: sidecar("sesame-0pens") }));
  expect(text).toMatch(told);
  expect(text).toContain("sourceConfig.resourceSpec.sidecars[0].env[0].value");
  expect(text).not.toContain("sesame");
});

it("nothing is told of what a policy leaves as it is", async () => {
  const more = { secrets: { KEY: "abc" }, sourceConfig: sidecar("sesame-0pens") };
  expect(await toldOf((inputs) => inputs, more)).not.toMatch(told);
  expect(await toldOf((inputs) => ({ ...inputs, triggers: 1 }), more)).not.toMatch(told);
});
