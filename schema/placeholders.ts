/** What CI systems leave in the place of a variable that they do not know: `$(NAME)`, `%NAME%`, `${NAME}`, `${{ … }}`. */

const form = "\\$\\([^()]*\\)|\\$\\{[^{}]*\\}|\\$\\{\\{[^{}]*\\}\\}";
const whole = new RegExp(`^\\s*(?:${form}|%\\w[\\w.]*%)\\s*$`);
const part = new RegExp(form);
const named = /%\w[\w.]*%/;
/** A per cent sign that escapes no character of an address. */
const strayPercent = /%(?![0-9a-f]{2})/i;

export const unreplacedText =
  "contains a variable that nothing has replaced, such as $(NAME), %NAME%, ${NAME} or ${{ … }}: check the CI system that sets it";

export function isPlaceholder(text: string): boolean {
  return whole.test(text);
}

export function hasPlaceholder(text: string): boolean {
  return part.test(text) || isPlaceholder(text) || (named.test(text) && strayPercent.test(text));
}
