/**
 * Stands in for `engine/on-demand.ts` and `program/on-demand.ts` in tests of the sources. Node.js finds no TypeScript by itself,
 * so everything is imported at once. `e2e/loading.test.ts` checks when each part of the compiled package is loaded.
 */
import type * as EngineOnDemand from "../../provider/engine/on-demand";
import * as sourceFolderModule from "../../provider/archive/folder";
import * as serviceCallModule from "../../provider/engine/service-calls";
import * as lookupModule from "../../provider/program/lookups";
import type * as ProgramOnDemand from "../../provider/program/on-demand";

export { fromManifest } from "../../provider/program/from-manifest";
export const lookups: typeof ProgramOnDemand.lookups = () => lookupModule;
export const serviceCalls: typeof EngineOnDemand.serviceCalls = () => serviceCallModule;
export const sourceFolders: typeof EngineOnDemand.sourceFolders = () => sourceFolderModule;
