export { FailedCall, shown } from "./adapter";
export type { Adapter, AdapterName, Checked, Declared, Difference, Failure, Held, Provider } from "./adapter";
export { dynamic, DynamicProvider } from "./dynamic";
export { packaged, PackagedProvider } from "./packaged";
