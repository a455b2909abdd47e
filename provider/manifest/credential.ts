/** Names of secrets whose values are credentials: `MODEL_API_KEY`, `DB_PASSWORD`, but not `MAX_TOKENS`. */
export const credential = /(?:KEY|TOKEN|SECRET|PASSWORD)(?![A-Za-z])/i;

const assignment = /(?:KEY|TOKEN|SECRET|PASSWORD)(?![A-Za-z])["']?\s*[=:\s]\s*\S/i;
const user = /\/\/\S*@/;

/** Whether a text that is no secret as a whole may hold one: `https://USER:PASSWORD@HOST`, `--token=…`. */
export function mayHoldCredential(text: string): boolean {
  return user.test(text) || assignment.test(text);
}
