import { expect, it } from "vitest";
import type { Listener } from "../../../provider/lookup/repository";
import { langsmith } from "../../../provider/dialects/langsmith";
import { connect } from "../../../provider/control-plane/connect";
import { sentencesText } from "../../../provider/errors/advice";
import { readSettings } from "../../../provider/settings/reading";
import { langsmith as rules } from "../../../emulator";
import { start } from "../../support/emulator";
import { failureOf } from "../../support/http";

const [first, second] = [1, 2].map((number) => `22222222-2222-4222-8222-22222222222${number}`) as [
  string,
  string,
];
const detail = (...ids: string[]) =>
  `'source_config.listener_id' is required for workspace with available listener IDs: [${ids.map((id) => `'${id}'`).join(", ")}]`;
const advice = langsmith.advice.find(({ choices }) => choices === "listeners")!.text;

/** What the creation of an image's deployment without a listener comes to. */
async function refused(listeners: Readonly<Record<string, string[]>>, isListed = true) {
  const emulator = await start({ rules, seed: { listeners } });
  if (!isListed) emulator.configure({ missing: ["/v2/listeners"] });
  const environment = {
    DEPLOYMENT_SERVICE_URL: emulator.url,
    DEPLOYMENT_SERVICE_API_KEY: emulator.apiKey,
    DEPLOYMENT_SERVICE_DIALECT: "langsmith",
  };
  const { client } = connect(readSettings(undefined, environment).settings!);
  const error = await failureOf(
    client.create({
      ...{ name: "chat", source: "external_container", sourceConfig: { resourceSpec: {} } },
      sourceRevisionConfig: { imageUri: "registry.example.com/chat:1" },
    }),
  );
  return sentencesText(error);
}

it.each<[what: string, listeners: Record<string, Listener["namespaces"]>, choices: string]>([
  ["nothing else", { [first]: ["agents"] }, `${first} (cluster-1: agents)`],
  ["namespaces", { [first]: ["agents", "tests"] }, `${first} (cluster-1: agents, tests)`],
  [
    "listeners",
    { [first]: ["agents"], [second]: [] },
    `${first} (cluster-1: agents); ${second} (cluster-2: no namespaces)`,
  ],
])("the listeners are listed to choose from, with %s", async (_what, listeners, choices) => {
  const text = await refused(listeners as Record<string, string[]>);
  expect(text).toContain(detail(...Object.keys(listeners)));
  expect(text.endsWith(`${advice} To choose from: ${choices}.`)).toBe(true);
});

it("the refusal is reported even if the listeners cannot be listed", async () => {
  const text = await refused({ [first]: ["agents"] }, false);
  expect(text.endsWith(advice)).toBe(true);
});
