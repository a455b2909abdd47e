/** Parses `urn:pulumi:STACK::PROJECT::PARENT$TYPE::NAME`. The name can contain anything, even the separator. */

/** The logical name of a resource. Returns other texts unchanged. */
export function logicalName(urn: string): string {
  return urn.split("::").slice(3).join("::") || urn;
}

export function typeIn(urn: string): string {
  return (urn.split("::")[2] ?? "").split("$").at(-1)!;
}

/** The stack of a resource; undefined if the text is a name. */
export function stackIn(urn: string): string | undefined {
  return isUrn(urn) ? urn.split("::")[0]!.split(":").at(-1) : undefined;
}

/** Whether a text is a URN rather than a name. */
export function isUrn(text: string): boolean {
  return text.startsWith("urn:");
}
