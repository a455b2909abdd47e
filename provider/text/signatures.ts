/** The provider protocol's encoding of values that JSON cannot represent. It is the same in every version. */

/** The key that marks an object as one of the encoded values below. */
export const signatureKey = "4dabf18193072939515e22adb298388d";

export const secretSignature = "1b47061264138c4ac30d75fd1eb44270";

/** An unknown string. The provider writes it for unknown values of any type. */
export const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The engine writes a different one for each type of value. */
export const unknownTexts: ReadonlySet<string> = new Set([
  unknownText,
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
]);

/** Marks a value as a secret. */
export function sealed<T>(value: T): { readonly [signatureKey]: string; readonly value: T } {
  return { [signatureKey]: secretSignature, value };
}
