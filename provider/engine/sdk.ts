/** The gRPC library and the protocol messages of the installed SDK: two copies would not recognize each other's objects. */
import { createRequire } from "node:module";
import type * as Grpc from "@grpc/grpc-js";
import type * as EngineMessages from "@pulumi/pulumi/proto/engine_pb";
import type * as EngineServices from "@pulumi/pulumi/proto/engine_grpc_pb";
import type * as PluginMessages from "@pulumi/pulumi/proto/plugin_pb";
import type * as ProviderMessages from "@pulumi/pulumi/proto/provider_pb";
import type * as ProviderServices from "@pulumi/pulumi/proto/provider_grpc_pb";
import type * as StatusMessages from "@pulumi/pulumi/proto/status_pb";
import type * as AnyMessages from "google-protobuf/google/protobuf/any_pb";
import type * as EmptyMessages from "google-protobuf/google/protobuf/empty_pb";
import type * as StructMessages from "google-protobuf/google/protobuf/struct_pb";

const fromSdk = createRequire(require.resolve("@pulumi/pulumi/package.json"));

export const grpc = fromSdk("@grpc/grpc-js") as typeof Grpc;
export const providerMessages = fromSdk("./proto/provider_pb") as typeof ProviderMessages;
export const { PluginInfo } = fromSdk("./proto/plugin_pb") as typeof PluginMessages;
export const { Status } = fromSdk("./proto/status_pb") as typeof StatusMessages;
export const { Any } = fromSdk("google-protobuf/google/protobuf/any_pb") as typeof AnyMessages;
export const { Empty } = fromSdk("google-protobuf/google/protobuf/empty_pb") as typeof EmptyMessages;
export const struct = fromSdk("google-protobuf/google/protobuf/struct_pb") as typeof StructMessages;
export const engineMessages = fromSdk("./proto/engine_pb") as typeof EngineMessages;
export const { EngineClient } = fromSdk("./proto/engine_grpc_pb") as typeof EngineServices;
export const { ResourceProviderService } = fromSdk("./proto/provider_grpc_pb") as typeof ProviderServices;
