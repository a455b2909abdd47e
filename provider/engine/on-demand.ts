/**
 * Modules that are loaded when they are first needed, with everything that they import. A preview does not need the code that
 * calls the service, and only deployments that declare a folder need the code that reads it.
 */
/* eslint-disable @typescript-eslint/no-require-imports -- a synchronous function cannot wait for an import */
import type * as SourceFolders from "../archive/folder";
import type * as ServiceCalls from "./service-calls";

export const serviceCalls = () => require("./service-calls") as typeof ServiceCalls;

export const sourceFolders = () => require("../archive/folder") as typeof SourceFolders;
