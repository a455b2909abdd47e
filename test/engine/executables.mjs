import { execFile } from "node:child_process";
import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

/** The folders of a PATH, in order. */
export function foldersOf(path) {
  return (path ?? "").split(delimiter).filter((folder) => folder !== "");
}

/** The full path of the first executable file `name` in `folders`, or undefined. */
export function findExecutable(name, folders) {
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

/** The folder a command lies in and, where it is a link, the folder of the real file. */
export function foldersBeside(file) {
  return [...new Set([dirname(file), dirname(realpathSync(file))])];
}

/** What a command prints, or undefined when it cannot run or fails. */
export function outputOf(file, args, options) {
  return new Promise((resolve) => {
    execFile(file, args, { timeout: 30_000, ...options }, (error, stdout) => {
      resolve(error ? undefined : stdout.trim());
    });
  });
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
