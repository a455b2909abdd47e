/** The parts of `urn:pulumi:STACK::PROJECT::PARENT$TYPE::NAME`; a name may hold anything, the separator too. */

/** What the program calls a resource; what is no URN is said as it is. */
export function logicalName(urn: string): string {
  return urn.split("::").slice(3).join("::") || urn;
}

export function typeIn(urn: string): string {
  return (urn.split("::")[2] ?? "").split("$").at(-1)!;
}

/** Whether a text is a URN, and not a name. */
export function isUrn(text: string): boolean {
  return text.startsWith("urn:");
}
