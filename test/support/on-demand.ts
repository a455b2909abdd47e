/**
 * Stands in for `provider/pulumi/on-demand.ts` in tests of the sources: Node.js finds no TypeScript by itself, so everything is
 * imported at once. What is loaded when is held by `e2e/loading.test.ts`, with what the compiler made.
 */
import * as lookUpModule from "../../provider/pulumi/look-ups";
import type * as OnDemand from "../../provider/pulumi/on-demand";
import * as sourceFolderModule from "../../provider/pulumi/source-folders";
import * as serviceCallModule from "../../provider/pulumi/service-calls";

export { fromManifest } from "../../provider/pulumi/from-manifest";
export const lookUps: typeof OnDemand.lookUps = () => lookUpModule;
export const serviceCalls: typeof OnDemand.serviceCalls = () => serviceCallModule;
export const sourceFolders: typeof OnDemand.sourceFolders = () => sourceFolderModule;
