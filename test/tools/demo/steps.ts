/** The life of one deployment, as the demo plays it. */
import type { Emulator, JsonObject } from "../../../emulator";

/** A change of the program, as someone would type it. */
export type Edit = readonly [from: string, to: string];

export interface Step {
  readonly title: string;
  readonly explanation: string;
  readonly edits?: readonly Edit[];
  /** Something that happens on the service, outside the program. */
  readonly outside?: (emulator: Emulator) => void;
  readonly commands: readonly (readonly string[])[];
}

const up = ["up", "--yes", "--skip-preview"];
const previewThenUp = [["preview", "--diff"], up];

export const steps: readonly Step[] = [
  {
    title: "Preview",
    explanation: "Nothing exists yet. A preview checks the arguments and the settings, and sends no request.",
    commands: [["preview"]],
  },
  {
    title: "Create",
    explanation: "One POST; then it waits until the first revision is active.",
    commands: [up],
  },
  {
    title: "A change that makes a revision",
    explanation:
      "Another image is a new revision: `generation` counts up in the preview. One PATCH, then it waits.",
    edits: [["chat:1.4.2", "chat:1.5.0"]],
    commands: previewThenUp,
  },
  {
    title: "A change of settings",
    explanation: "More replicas need no revision: `generation` stays, and there is nothing to wait for.",
    edits: [["maxScale: 3", "maxScale: 5"]],
    commands: previewThenUp,
  },
  {
    title: "Drift",
    explanation: "Someone gives it more CPU by hand. A refresh sees it, the next up puts it right.",
    outside: (emulator) => {
      emulator.change("chat", ({ source_config }) => {
        (source_config["resource_spec"] as JsonObject)["cpu"] = 4;
      });
    },
    commands: [["refresh", "--yes", "--skip-preview", "--diff"], ...previewThenUp],
  },
  {
    title: "A replacement",
    explanation:
      "A name can never be changed: a deployment of the new name is created, then the old one is deleted.",
    edits: [['new Deployment("chat", {', 'new Deployment("chat", {\n  name: "assistant",']],
    commands: previewThenUp,
  },
  {
    title: "Destroy",
    explanation: "One DELETE, then polls until the service has deleted it.",
    commands: [["destroy", "--yes", "--skip-preview"]],
  },
];
