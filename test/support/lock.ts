/** The dependencies in the repository's lock. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";

export interface Locked {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Names;
  readonly optionalDependencies?: Names;
  readonly peerDependencies?: Names;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}
type Names = Readonly<Record<string, string>>;

const lock = readFileSync(resolve(__dirname, "../../package-lock.json"), "utf8");

/** By their places: `node_modules/yaml`. */
export const { packages } = JSON.parse(lock) as { packages: Readonly<Record<string, Locked>> };

/** The places of packages and of all that npm installs for them. */
export function treeOf(names: readonly string[]): string[] {
  const found = new Set<string>();
  const add = (name: string, from: string) => {
    const place = placeOf(name, from);
    // What is optional may be for another system.
    if (place === undefined || found.has(place)) return;
    found.add(place);
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = packages[place]!;
    const peers = Object.keys(peerDependencies ?? {}).filter(
      (peer) => !peerDependenciesMeta?.[peer]?.optional,
    );
    for (const each of Object.keys({ ...dependencies, ...optionalDependencies })) add(each, place);
    for (const each of peers) add(each, place);
  };
  for (const name of names) add(name, "");
  return [...found];
}

/** As Node looks for it: in the folder itself, then in those above. */
function placeOf(name: string, from: string): string | undefined {
  const place = `${from === "" ? "" : `${from}/`}node_modules/${name}`;
  if (place in packages || from === "") return place in packages ? place : undefined;
  return placeOf(name, from.slice(0, Math.max(0, from.lastIndexOf("/node_modules/"))));
}
