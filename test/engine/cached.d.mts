/** Where built engines live: one folder for each version, shared by every clone on the machine. */
export function cacheFolder(env: NodeJS.ProcessEnv): string;
