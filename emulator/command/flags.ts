import { dialects } from "../rules/dialects";

export interface Flag {
  readonly name: string;
  /** Stands for the value in the help. A flag without one is a switch. */
  readonly value?: string;
  readonly doc: string;
  readonly choices?: readonly string[];
}

const flag = (name: string, value: string, doc: string): Flag => ({ name, value, doc });

export const flags: readonly Flag[] = [
  flag("port", "N", "Port to listen on, 0 for any free one (8787)"),
  flag("host", "ADDRESS", "Address to listen on (127.0.0.1: this machine only)"),
  { ...flag("dialect", "NAME", "Dialect of the service (standard)"), choices: Object.keys(dialects) },
  { name: "apps", doc: "Give deployments addresses below /_apps that answer, for `ready`" },
  { name: "cloud", doc: "Reserve the names that only the vendor's cloud reserves, too (dialect langsmith)" },
  flag("seed", "FILE", "YAML or JSON file that defines what exists at the start"),
  flag("state", "FILE", "Keep the state in a file between runs; the seed then applies to the first run only"),
  flag("latency", "TIME", "How long each response takes: 20ms, 2s"),
  flag("api-key", "KEY", "Key that callers must send (emulator-key)"),
  flag(
    "access-token",
    "TOKEN",
    "Token that callers can send as Authorization: Bearer instead (dialect langsmith)",
  ),
  flag("tenant-id", "UUID", "Tenant id that callers must send; without this flag, none is required"),
];
