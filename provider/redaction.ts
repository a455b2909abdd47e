/** Takes secrets out of a text, in clear and in the forms in which a service may echo them. */
export function redact(text: string, secrets: Iterable<string>): string {
  const forms = new Set<string>();
  for (const secret of secrets) {
    // One or two characters stand in every text; taking them out would say more than leaving them.
    if (secret.length < 3) continue;
    for (const form of formsOf(secret)) forms.add(form);
  }
  // The longest first, so that a secret that contains another does not leave its rest behind.
  const ordered = [...forms].sort((a, b) => b.length - a.length);
  return ordered.reduce((result, form) => result.split(form).join("[secret]"), text);
}

function formsOf(secret: string): string[] {
  const base64 = Buffer.from(secret).toString("base64");
  const json = JSON.stringify(secret).slice(1, -1);
  return [secret, json, encodeURIComponent(secret), base64, base64.replace(/=+$/, "")];
}

const control = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** A text of the service made fit for a terminal: no control characters, one line, not endless. */
export function presentable(text: string, limit = 500): string {
  const line = text.replace(/\s+/g, " ").replace(control, "").trim();
  return line.length <= limit ? line : `${line.slice(0, limit)}…`;
}
