/** The words of the manifest itself: names of fields, and values that are one of a few. They tell nothing of a secret. */
import { z } from "zod";
import { deployment, type Fields } from "../../schema/fields";
import { Manifest, ManifestDeployment, Options } from "../../schema/manifest";

export const manifestVocabulary: ReadonlySet<string> = new Set([
  ...Object.keys(Manifest.shape),
  ...Object.keys(ManifestDeployment.shape),
  ...Object.keys(Options.shape),
  ...wordsIn(deployment),
  "true",
  "false",
  "null",
]);

function wordsIn(fields: Fields): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (field.kind === "group") return [name, ...wordsIn(field.fields)];
    return field.type instanceof z.ZodEnum ? [name, ...field.type.options.map(String)] : [name];
  });
}
