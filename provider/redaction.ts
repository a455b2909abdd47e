/** Takes secrets out of a text, in clear and in the forms in which a service may echo them. */
export function redact(text: string, secrets: Iterable<string>): string {
  const forms = new Set([...secrets].flatMap(formsOf));
  // The longest first, so that a secret that contains another does not leave its rest behind.
  const ordered = [...forms].sort((a, b) => b.length - a.length);
  const whole = ordered.reduce((result, form) => result.split(form).join("[secret]"), text);
  return whole
    .split("…")
    .map((part, at, parts) => (at < parts.length - 1 ? withoutStart(part, ordered) : part))
    .join("…");
}

/** A text that was cut short may end within a secret. */
function withoutStart(text: string, forms: readonly string[]): string {
  const lengths = forms.map((form) => {
    const longest = Math.min(form.length - 1, text.length);
    return Array.from({ length: longest }, (_, at) => longest - at).find((length) =>
      text.endsWith(form.slice(0, length)),
    );
  });
  const length = Math.max(0, ...lengths.map((found) => found ?? 0));
  return length < 3 ? text : `${text.slice(0, -length)}[secret]`;
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const base64 = bytes.toString("base64");
  // Half a character has no form in an address; the bytes that are sent have.
  const address = encodeURIComponent(bytes.toString());
  const json = JSON.stringify(secret).slice(1, -1);
  const line = presentable(secret, Infinity);
  const forms = [secret, line, json, address, base64, base64.replace(/=+$/, "")];
  // One or two characters stand in every text; taking them out would say more than leaving them.
  return secret.length < 3 ? [] : forms.filter(({ length }) => length >= 3);
}

const control = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** A text of the service made fit for a terminal: no control characters, one line, not endless. */
export function presentable(text: string, limit = 500): string {
  const line = text.replace(/\s+/g, " ").replace(control, "").trim();
  return line.length <= limit ? line : `${line.slice(0, limit)}…`;
}
