/** Names of secrets whose values are credentials: `MODEL_API_KEY`, `DB_PASSWORD`, but not `MAX_TOKENS`. */
export const credential = /(?:KEY|TOKEN|SECRET|PASSWORD)(?![A-Za-z])/i;
