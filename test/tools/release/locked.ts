/** What npm would install beside the package in production, as package-lock.json has it. */

export interface Locked {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}

/** By place: `node_modules/undici`; the package itself is at `""`. */
export type Lock = Readonly<Record<string, Locked>>;

/** The places of all that the package at `""` needs to run, and of what each of them needs. */
export function neededPackages(lock: Lock): string[] {
  const needed = new Set<string>();
  const addNeedsOf = (place: string): void => {
    for (const name of namesNeededBy(lock[place]!)) {
      const found = placeOf(name, place, lock);
      if (found === undefined)
        throw new Error(`package-lock.json has no ${name} for ${place || "the package"}`);
      if (needed.has(found)) continue;
      needed.add(found);
      addNeedsOf(found);
    }
  };
  addNeedsOf("");
  return [...needed].sort();
}

function namesNeededBy({
  dependencies = {},
  peerDependencies = {},
  peerDependenciesMeta = {},
}: Locked): string[] {
  const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional);
  return [...Object.keys(dependencies), ...peers];
}

/** As Node.js looks for it: in the `node_modules` of the package itself, then in those above. */
function placeOf(name: string, from: string, lock: Lock): string | undefined {
  const place = `${from === "" ? "" : `${from}/`}node_modules/${name}`;
  if (place in lock) return place;
  const above = from.lastIndexOf("/node_modules/");
  if (from === "") return undefined;
  return placeOf(name, above === -1 ? "" : from.slice(0, above), lock);
}
