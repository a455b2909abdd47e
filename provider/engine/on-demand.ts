/**
 * Modules that are loaded when they are first needed, with everything that they import. A preview does not need the code that
 * calls the service.
 */
/* eslint-disable @typescript-eslint/no-require-imports -- a synchronous function cannot wait for an import */
import type * as Folders from "../archive/folder";
import type * as SourceErrors from "../agent/source-error";
import type * as Connecting from "../control-plane/connect";
import type * as Creating from "../deployment/create";
import type * as Deleting from "../deployment/delete";
import type * as Reading from "../deployment/read";
import type * as Updating from "../deployment/update";

/** The code that calls the service. It is loaded completely before anything is sent. */
export const serviceCalls = () => ({
  ...(require("../control-plane/connect") as typeof Connecting),
  ...(require("../deployment/create") as typeof Creating),
  ...(require("../deployment/delete") as typeof Deleting),
  ...(require("../deployment/read") as typeof Reading),
  ...(require("../deployment/update") as typeof Updating),
});

/** Only needed for deployments that declare a folder. */
export const sourceFolders = () => ({
  ...(require("../archive/folder") as typeof Folders),
  ...(require("../agent/source-error") as typeof SourceErrors),
});
