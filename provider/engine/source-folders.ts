/** Folders of source code. Loaded where a deployment declares one. */
export { Folder } from "../archive/folder";
export { SourceError } from "../archive/source-error";
