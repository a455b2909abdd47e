import type { Bindings } from "./bindings";
import type { Layered, Layers, View } from "./layers";
import type { Report } from "./problem";

/** What the checks of one view get. */
export interface ViewCheck {
  readonly layers: Layers;
  readonly view: View;
  /** Those to check. In stacks that are not selected, those that differ from the base. */
  readonly deployments: readonly Layered[];
  readonly known: Bindings;
  readonly report: Report;
}
