import { dialects } from "../dialects";

export interface Flag {
  readonly name: string;
  /** What stands for the value in the help; a flag without is a switch. */
  readonly value?: string;
  readonly doc: string;
  readonly choices?: readonly string[];
}

export const flags: readonly Flag[] = [
  { name: "port", value: "N", doc: "Port to listen on, 0 for any free one (8787)" },
  { name: "host", value: "ADDRESS", doc: "Address to listen on (127.0.0.1: this machine only)" },
  {
    name: "dialect",
    value: "NAME",
    doc: "What the service speaks (standard)",
    choices: Object.keys(dialects),
  },
  { name: "apps", doc: "Give deployments addresses below /_apps that answer, for `ready`" },
  { name: "lenient", doc: "Ignore unknown keys, and ask for no more than older and newer clients send" },
  { name: "seed", value: "FILE", doc: "YAML or JSON with what the service holds from the beginning" },
  {
    name: "state",
    value: "FILE",
    doc: "Keep the state in a file, over restarts; then the seed is for the first start",
  },
  { name: "latency", value: "TIME", doc: "How long each response takes: 20ms, 2s" },
  { name: "fail", value: "WHAT", doc: 'Let requests fail: "POST 503 x2, GET reset" (see below)' },
  {
    name: "rollout-polls",
    value: "N",
    doc: "Responses that show a revision unfinished before it is ready (1)",
  },
  { name: "rollout-seconds", value: "N", doc: "Seconds that a rollout takes, instead" },
  { name: "api-key", value: "KEY", doc: "Key that callers must send (emulator-key)" },
  { name: "tenant-id", value: "UUID", doc: "Tenant that callers must name; not asked for without this flag" },
  {
    name: "service-repos-path",
    value: "PATH",
    doc: "Path of the second repository listing, with {integration_id}",
  },
];
