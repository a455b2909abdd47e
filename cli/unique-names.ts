/**
 * Returns a function that makes names unique, by adding a number.
 *
 * @param separator before the number
 */
export function uniqueNames(
  taken: Iterable<string> = [],
  separator = "-",
): (wanted: string, otherwise?: string) => string {
  const used = new Set(taken);
  return (wanted, otherwise = wanted) => {
    let name = used.has(wanted) ? otherwise : wanted;
    for (let number = 2; used.has(name); number++) name = `${otherwise}${separator}${number}`;
    used.add(name);
    return name;
  };
}
