/** The code that reads a declared folder. */
export { Folder } from "../archive/folder";
export { SourceError } from "../agent/source-error";
