/**
 * Stands in for `engine/on-demand.ts` and `program/on-demand.ts` in tests of the sources. Node.js finds no TypeScript by itself,
 * so everything is imported at once. `e2e/loading.test.ts` checks when each part of the compiled package is loaded.
 */
import * as folders from "../../provider/archive/folder";
import * as sourceErrors from "../../provider/agent/source-error";
import * as connecting from "../../provider/control-plane/connect";
import * as creating from "../../provider/deployment/create";
import * as deleting from "../../provider/deployment/delete";
import * as reading from "../../provider/deployment/read";
import * as updating from "../../provider/deployment/update";
import type * as EngineOnDemand from "../../provider/engine/on-demand";
import * as lookupModule from "../../provider/program/lookups";
import type * as ProgramOnDemand from "../../provider/program/on-demand";

export { fromManifest } from "../../provider/program/from-manifest";
export const lookups: typeof ProgramOnDemand.lookups = () => lookupModule;
export const serviceCalls: typeof EngineOnDemand.serviceCalls = () => {
  return { ...connecting, ...creating, ...deleting, ...reading, ...updating };
};
export const sourceFolders: typeof EngineOnDemand.sourceFolders = () => ({ ...folders, ...sourceErrors });
