import { asObject, textsIn } from "../../schema/tree";

/** Matches `api_key`, `apiKey`, and common compounds such as `APIKEY`, but not `monkey`. */
const key = "(?:(?<![a-z])|access|api|app|auth|client|encryption|license|master|pass|private|signing|ssh)KEY";
const name = `(?:${key}|TOKEN|SECRET|PASSWORD)(?![a-z])`;

const credential = new RegExp(name, "i");

/** Names of secrets whose values are credentials: `MODEL_API_KEY`, `DB_PASSWORD`, but not `MAX_TOKENS`. */
export function isCredentialName(text: string): boolean {
  return credential.test(partedBeforeKey(text));
}

function partedBeforeKey(text: string): string {
  return text.replace(/[a-z](?=Key)/g, "$&_");
}

/** The values of `secrets` that are secret whatever they look like, because their names are those of credentials. */
export function credentialsIn(secrets: unknown): string[] {
  return Object.entries(asObject(secrets)).flatMap(([name, value]) =>
    isCredentialName(name) ? textsIn(value) : [],
  );
}
