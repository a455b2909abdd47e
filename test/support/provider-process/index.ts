export { CallError, type Values } from "../../support/provider-process/grpc";
export { installed, makeProject, packageJsonIn, packageName, type Project } from "./project";
export { placesOf, ProviderProcess } from "./provider-process";
export { declared, opened, providerText, secret, typeToken, urn } from "./resource";
export { sdks } from "./sdks";
export { settingsFor, useProvider, type Served } from "./use-provider";
