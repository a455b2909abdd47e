/** The runs of the CLI in the life of a stack, in this order: each begins where the one before it ended. */
export interface Phase {
  readonly name: string;
  readonly command: readonly string[];
  /** Variables of this run. */
  readonly env?: Readonly<Record<string, string>>;
}

const unattended = ["--yes", "--skip-preview"];
export const up = ["up", ...unattended];
const firstChanged = { FIRST_TAG: "2" };

/** The two that the picture shows. */
export const unchangedPreview = "preview, no change";
export const refresh = "refresh";

export const phases: readonly Phase[] = [
  { name: "first up", command: up },
  { name: unchangedPreview, command: ["preview"] },
  { name: "up, no change", command: up },
  { name: refresh, command: ["refresh", ...unattended] },
  { name: "up, one changed", command: up, env: firstChanged },
  { name: "up, all changed", command: up, env: { TAG: "3" } },
  { name: "destroy", command: ["destroy", ...unattended] },
];
