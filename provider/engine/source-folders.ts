/** The code that reads source folders. Only loaded if a deployment declares one. */
export { Folder } from "../archive/folder";
export { SourceError } from "../archive/source-error";
