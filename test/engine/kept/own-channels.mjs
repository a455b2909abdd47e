import { createRequire } from "node:module";

const pools = createRequire(import.meta.url)("@grpc/grpc-js/build/src/subchannel-pool");

/**
 * Each channel of this process has connections of its own. A port comes again, in a run long after: what was found when the engine
 * that had it was over, that nobody is there, is not to count for the next.
 */
export function ownChannels() {
  pools.getSubchannelPool = () => new pools.SubchannelPool();
}
