export interface Engine {
  /** As the CLI prints it: "v3.274.1". */
  version: string;
  /** "installed", "cache" or "built in 5 min 20 s". */
  source: string;
  /** To be put in front of the PATH. */
  folders: string[];
}

export function findEngine(env?: NodeJS.ProcessEnv): Promise<Engine | undefined>;
export function prepareEngine(env?: NodeJS.ProcessEnv, say?: (line: string) => void): Promise<Engine>;
