import { check } from "../../../provider/deployment/check";
import { diff } from "../../../provider/deployment/diff";
import { dialects } from "../../../provider/dialects";
import { medianTime, type Benchmark } from "./benchmark";

const count = 1000;
const dialect = dialects["standard"]!;

const args = {
  name: "chat",
  source: "external_container",
  sourceConfig: {
    resourceSpec: {
      minScale: 1,
      maxScale: 3,
      cpu: 0.5,
      memoryMb: 1024,
      labels: { "app.example.com/part": "chat" },
    },
  },
  sourceRevisionConfig: { imageUri: "registry.example.com/chat:1.4.2" },
  secrets: Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`NAME_${index}`, `value ${index}`])),
};

/** What the engine asks for each resource, one after the other, in every preview. */
export const checkAndDiff: Benchmark = {
  name: "check-and-diff",
  async run() {
    const { inputs } = check(undefined, args, dialect);
    const value = await medianTime(5, () => {
      for (let index = 0; index < count; index++) {
        check(inputs, args, dialect);
        diff(inputs, inputs, dialect);
      }
    });
    return [{ what: `check and diff of ${count} deployments`, value, unit: "ms" }];
  },
};
