const shownNames = 5;

/** The first few names, and how many more there are: `a.py, b.py and 3 more`. */
export function firstOf(names: readonly string[]): string {
  const shown = names.slice(0, shownNames).join(", ");
  return names.length > shownNames ? `${shown} and ${names.length - shownNames} more` : shown;
}
