export { FailedCall, settingsFor, shown } from "./adapter";
export type { Adapter, AdapterName, Checked, Declared, Difference, Held, Provider } from "./adapter";
export { dynamic, DynamicProvider } from "./dynamic";
export { packaged, PackagedProvider } from "./packaged";
