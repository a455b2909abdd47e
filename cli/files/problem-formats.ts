/** The problems of a manifest for other programs: as JSON, and as annotations for a code host. */
import type { ManifestProblem } from "../../provider/manifest/manifest-problems";
import { locateProblem } from "../../provider/manifest/render";
import type { SourceText } from "../../provider/manifest/source";
import { jsonOf, markUnprintable } from "../../provider/text/sanitize";

export function toJson(source: SourceText, problems: readonly ManifestProblem[]): string {
  return jsonOf({ problems: problems.map((problem) => locateProblem(source, problem)) });
}

/** Workflow commands, which a code host shows next to the line. */
export function toGithub(source: SourceText, problems: readonly ManifestProblem[]): string {
  const escape = (text: string) =>
    markUnprintable(text.replace(/%/g, "%25").replace(/\r/g, "%0D").replace(/\n/g, "%0A"));
  const property = (text: string) => escape(text).replace(/:/g, "%3A").replace(/,/g, "%2C");
  return problems
    .map((problem) => {
      const { file, line, column, severity, rule, message } = locateProblem(source, problem);
      return `::${severity} file=${property(file)},line=${line},col=${column},title=${rule}::${escape(message)}\n`;
    })
    .join("");
}
