import { checkManifest, type CheckedManifest } from "../../../provider/manifest/check-manifest";
import type { Bindings } from "../../../provider/manifest/bindings";
import { SourceText } from "../../../provider/manifest/source";

export function check(text: string, known: Bindings = {}): CheckedManifest & { source: SourceText } {
  const source = new SourceText("deployments.yaml", text);
  return { source, ...checkManifest(source, known) };
}
