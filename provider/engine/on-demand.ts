/**
 * What is loaded when it is first needed, and then all of it: behind these functions modules import what they use. A
 * preview compares without the code that calls the service.
 */
/* eslint-disable @typescript-eslint/no-require-imports -- a function that is not asynchronous cannot wait for an import */
import type * as ServiceCalls from "./service-calls";
import type * as SourceFolders from "./source-folders";

export const serviceCalls = () => require("./service-calls") as typeof ServiceCalls;

/** For a deployment that declares a folder. */
export const sourceFolders = () => require("./source-folders") as typeof SourceFolders;
