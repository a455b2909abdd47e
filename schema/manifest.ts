/** The JSON Schema of the manifest, as text. */
export function manifestSchema(): string {
  return "{}\n";
}
