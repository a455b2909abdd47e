export { CallError, type Values } from "./grpc";
export { installed, makeProject, packageJsonIn, packageName, type Project } from "./project";
export { placesOf, ProviderProcess } from "./provider-process";
export { memoryOf, opened, providerText, remembering, secret, typeToken, urn } from "./resource";
export { bothEnds, lowest, newest } from "./sdks";
