/** Modules that are loaded when they are first needed: a preview calls no service, and few deployments declare a folder. */
/* eslint-disable @typescript-eslint/no-require-imports -- a synchronous function cannot wait for an import */
import type * as SourceFolders from "../archive/folder";
import type * as ServiceCalls from "./service-calls";

export const serviceCalls = () => require("./service-calls") as typeof ServiceCalls;

export const sourceFolders = () => require("../archive/folder") as typeof SourceFolders;
