/** Compares the deployments of the service with those that the stacks of a backend manage. */
import { firstOf } from "../provider/text/first-of";
import { sanitize } from "../provider/text/sanitize";
import type { Io } from "./command";
import type { Progress } from "./terminal/progress";
import { managedBy, stackNames, type Managed } from "./connection/stack-deployments";

/** A stack's resource that manages a deployment. */
export interface Owner {
  readonly stack: string;
  readonly resource: string;
}

/** A deployment that stacks manage, but the service does not have. */
export interface Missing {
  readonly id: string;
  /** As the state has it; null if it has none. */
  readonly name: string | null;
  readonly stacks: readonly Owner[];
}

export interface Fleet {
  /** The owners of a deployment: none, one, or by mistake several. */
  readonly ownersOf: (id: string) => readonly Owner[];
  /** Empty unless the whole listing is compared. */
  readonly missing: readonly Missing[];
}

/** What the service has, as far as it was listed. */
interface Listed {
  readonly id: string;
  readonly tenantId: string | null;
}

type Entry = Managed & { readonly stack: string };

/** Starting the CLI takes most of the time. */
const atOnce = 4;

/** What all stacks manage. A stack that cannot be read causes a warning. */
export async function readStacks(io: Io, progress: Progress): Promise<readonly Entry[]> {
  const names = await stackNames(io);
  const entries: Entry[] = [];
  const unread: string[] = [];
  progress.text = () =>
    `reading ${names.length} stacks: ${entries.length} deployments, ${progress.elapsed()}`;
  for (let next = 0; next < names.length; next += atOnce) {
    const some = names.slice(next, next + atOnce);
    const read = await Promise.all(some.map((stack) => managedBy(stack, io)));
    some.forEach((stack, index) => {
      const managed = read[index];
      if (managed === undefined) unread.push(stack);
      else entries.push(...managed.map((each) => ({ ...each, stack })));
    });
  }
  if (unread.length > 0)
    io.stderr.write(`warning: not compared, because they cannot be read: ${sanitize(firstOf(unread))}\n`);
  return entries;
}

/**
 * @param address of the service
 * @param isComplete whether `listed` is everything that the service has
 */
export function compareFleet(
  entries: readonly Entry[],
  listed: readonly Listed[],
  address: string,
  isComplete: boolean,
): Fleet {
  const owners = new Map<string, Entry[]>();
  for (const each of entries) owners.set(each.id, [...(owners.get(each.id) ?? []), each]);
  const ids = new Set(listed.map(({ id }) => id.toLowerCase()));
  const tenants = new Set(listed.map(({ tenantId }) => tenantId));
  // Other services and tenants have deployments of their own.
  const isHere = (each: Entry) =>
    (each.address ?? address) === address &&
    (tenants.size === 0 || each.tenantId === undefined || tenants.has(each.tenantId));
  const missing = isComplete ? [...owners].filter(([id, [first]]) => !ids.has(id) && isHere(first!)) : [];
  return {
    ownersOf: (id) => (owners.get(id.toLowerCase()) ?? []).map(ownerIn),
    missing: missing.map(([id, all]) => ({ id, name: all[0]!.name ?? null, stacks: all.map(ownerIn) })),
  };
}

function ownerIn({ stack, resource }: Entry): Owner {
  return { stack, resource };
}
