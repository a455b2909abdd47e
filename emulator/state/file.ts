import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { isObject, parseJson } from "../json-values";
import type { ControlPlane } from "./control-plane";

/** A state file that cannot be used; the message mentions it. */
export class StateFileError extends Error {
  override readonly name = "StateFileError";
}

/** Everything that survives a restart. Settings and faults do not. */
interface Snapshot {
  readonly emulator: 1;
  readonly dialect: string;
  readonly ids: number;
  readonly repositories: ControlPlane["repositories"];
  /** By the id of the tenant. */
  readonly tenants: Readonly<Record<string, TenantSnapshot>>;
}

type TenantSnapshot = Pick<ControlPlane, "deployments" | "sequence" | "listeners"> & {
  readonly tracingProjects: readonly string[];
};

/** Stores all tenants in one file. Each write replaces it atomically, so it never holds half a state. */
export class StateFile {
  #written = "";

  constructor(
    private readonly path: string,
    private readonly dialect: string,
    private readonly planes: readonly [ControlPlane, ...ControlPlane[]],
  ) {}

  /** False if there is no file yet. */
  load(): boolean {
    const text = this.#text();
    if (text === undefined) return false;
    const snapshot = parseJson(text);
    if (!isSnapshot(snapshot))
      throw new StateFileError(
        `${this.path} is not a state file of the emulator: choose another file, or remove this one`,
      );
    if (snapshot.dialect !== this.dialect)
      throw new StateFileError(
        `${this.path} was written for dialect ${snapshot.dialect}, not ${this.dialect}: choose another file, or that dialect`,
      );
    const [{ ids, repositories }] = this.planes;
    ids.made = snapshot.ids;
    Object.assign(repositories, snapshot.repositories);
    for (const plane of this.planes) {
      const { tracingProjects = [], ...stored } = snapshot.tenants[plane.tenantId] ?? {};
      Object.assign(plane, stored);
      for (const name of tracingProjects) plane.tracingProjects.add(name);
    }
    this.#written = text;
    return true;
  }

  /** Writes nothing if nothing has changed. */
  save(): void {
    const text = `${JSON.stringify(this.#snapshot(), undefined, 2)}\n`;
    if (text === this.#written) return;
    const draft = `${this.path}.${process.pid}.tmp`;
    try {
      // Readable only by its owner: it contains secrets, if only made-up ones.
      writeFileSync(draft, text, { mode: 0o600, flush: true });
      renameSync(draft, this.path);
    } catch (error) {
      rmSync(draft, { force: true });
      throw new StateFileError(`cannot write the state file ${this.path} (${codeOf(error)})`);
    }
    this.#written = text;
  }

  #text(): string | undefined {
    // A named pipe would block for ever.
    if (statSync(this.path, { throwIfNoEntry: false })?.isFile() === false)
      throw new StateFileError(`${this.path} is not a regular file: choose another file`);
    try {
      return readFileSync(this.path, "utf8");
    } catch (error) {
      if (codeOf(error) === "ENOENT") return undefined;
      throw new StateFileError(`cannot read the state file ${this.path} (${codeOf(error)})`);
    }
  }

  #snapshot(): Snapshot {
    const [{ ids, repositories }] = this.planes;
    const tenants: Record<string, TenantSnapshot> = {};
    for (const { tenantId, deployments, sequence, listeners, tracingProjects } of this.planes)
      tenants[tenantId] = { deployments, sequence, listeners, tracingProjects: [...tracingProjects] };
    return { emulator: 1, dialect: this.dialect, ids: ids.made, repositories, tenants };
  }
}

/** The emulator wrote the rest of the file itself. */
function isSnapshot(value: unknown): value is Snapshot {
  return isObject(value) && value["emulator"] === 1;
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}
