import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A machine with fake programs: an empty home, and folders of shell scripts. */
export class FakeMachine {
  readonly root = mkdtempSync(join(tmpdir(), "fake-machine-"));

  /** Makes a folder of programs, each a shell script, and returns its path. */
  folder(name: string, programs: Record<string, string>): string {
    const folder = join(this.root, name);
    mkdirSync(folder, { recursive: true });
    for (const [program, script] of Object.entries(programs)) {
      const file = join(folder, program);
      writeFileSync(file, `#!/bin/sh\n${script}\n`);
      chmodSync(file, 0o755);
    }
    return folder;
  }

  /** The environment with nothing on the PATH but these folders. */
  env(...folders: string[]): NodeJS.ProcessEnv {
    return { HOME: this.root, PATH: folders.join(":") };
  }

  dispose(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
