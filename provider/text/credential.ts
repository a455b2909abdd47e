/** `api_key` and `apiKey`, and what is often written as one word; but `monkey` is no key. */
const key = "(?:(?<![a-z])|access|api|app|auth|client|encryption|license|master|pass|private|signing|ssh)KEY";
const name = `(?:${key}|TOKEN|SECRET|PASSWORD)(?![a-z])`;

const credential = new RegExp(name, "i");
const assignment = new RegExp(`${name}["']?\\s*[=:]\\s*\\S`, "i");
/** `--token …` and `_authToken …`, but not a sentence with the word: `make token cache`. */
const option = new RegExp(`[\\w-]${name}["']?\\s+\\S`, "i");
const user = /\/\/\S*@/;

/** Names of secrets whose values are credentials: `MODEL_API_KEY`, `DB_PASSWORD`, but not `MAX_TOKENS`. */
export function isCredentialName(text: string): boolean {
  return credential.test(partedBeforeKey(text));
}

/** Whether a text that is no secret as a whole may hold one: `https://USER:PASSWORD@HOST`, `--token=…`. */
export function mayHoldCredential(text: string): boolean {
  const parted = partedBeforeKey(text);
  return user.test(text) || assignment.test(parted) || option.test(parted);
}

function partedBeforeKey(text: string): string {
  return text.replace(/[a-z](?=Key)/g, "$&_");
}
