/** Reports what a deployment still lacks after merging defaults and overlay. */
import type { z } from "zod";
import { deployment as fields } from "../../schema/fields";
import { ManifestDeployment } from "../../schema/manifest";
import { didYouMean, problemsOf } from "../../schema/problems";
import { formatPath, type Path } from "../../schema/tree";
import { isNull, type Node, type Span } from "./node";
import type { Findings } from "./problem";
import type { Scope } from "./scopes";
import { missingIn } from "./shape";
import { describeType, unwrap } from "./types";

export function checkComplete({ judged, about }: Scope): void {
  for (const deployment of judged) {
    const { at, node } = deployment;
    if (node.kind !== "map") continue;
    const findings = about(deployment);
    if (!node.entries.has("source")) {
      const [problem] = problemsOf(fields.source.type, undefined);
      findings.add(at, "required", `source ${problem?.message}`);
    }
    checkParts(node, ManifestDeployment, [], at, findings);
  }
}

function checkParts(node: Node, given: z.ZodType, path: Path, holder: Span, findings: Findings): void {
  const type = describeType(unwrap(given).type);
  if (node.kind !== "map") return;
  if (type.kind === "object") {
    for (const { key, message } of missingIn(node, type.shape)) {
      findings.add(holder, "required", `${formatPath([...path, key])} ${message}`);
    }
    for (const [key, entry] of node.entries) {
      const inner = Object.hasOwn(type.shape, key) ? type.shape[key] : undefined;
      if (inner !== undefined) checkParts(entry.value, inner, [...path, key], entry.key, findings);
    }
  } else if (type.kind === "map" && type.removable) {
    for (const [key, entry] of node.entries) {
      const inner = [...path, key];
      checkParts(entry.value, type.values, inner, entry.key, findings);
      if (!isNull(entry.value) || entry.below) continue;
      const others = [...node.entries.keys()].filter((name) => name !== key);
      const hint = didYouMean(key, others);
      for (const { message } of problemsOf(type.values, null)) {
        findings.add(entry.value.at, "type", `${formatPath(inner)}: ${message}${hint}`);
      }
    }
  }
}
