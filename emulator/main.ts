import { controlRouteLines } from "./control-routes";
import { startEmulator, type Emulator } from "./emulator";
import { help, readFlags, UsageError, type Command } from "./flags";
import type { LoggedRequest } from "./http/request-log";

/** `npm run emulator`: the emulator by itself, for people and for other programs. */
async function main(args: readonly string[]): Promise<void> {
  const command = readFlags(args);
  if (command.help) return print(help);
  const emulator = await startEmulator({ ...command.options, onRequest: printRequest });
  print(greeting(emulator, command));
  const stop = () => void emulator.close();
  process.once("SIGINT", stop).once("SIGTERM", stop);
}

type Started = Extract<Command, { help: false }>;

function greeting({ url, apiKey }: Emulator, { dialect, options: { tenantId } }: Started): string {
  const variables = {
    DEPLOYMENT_SERVICE_URL: url,
    DEPLOYMENT_SERVICE_API_KEY: apiKey,
    ...(dialect === "standard" ? {} : { DEPLOYMENT_SERVICE_DIALECT: dialect }),
    ...(tenantId === undefined ? {} : { DEPLOYMENT_SERVICE_TENANT_ID: tenantId }),
  };
  return [
    `The control plane listens on ${url}, with the API key ${apiKey}.`,
    "",
    ...Object.entries(variables).map(([name, value]) => `export ${name}=${quote(value)}`),
    "",
    "Controls, with the same API key:",
    ...controlRouteLines.map((line) => `  ${line}`),
    "",
  ].join("\n");
}

function quote(value: string): string {
  return /^[\w:/.@-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`;
}

function printRequest({ method, path, status, ms }: LoggedRequest): void {
  print(`${method} ${path} ${status} ${ms ?? 0}ms`);
}

function print(text: string): void {
  process.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
}

function explain(error: unknown): string {
  if (error instanceof UsageError) return `${error.message}\nSee: npm run emulator -- --help`;
  if (!(error instanceof Error)) return String(error);
  const { code, port } = error as NodeJS.ErrnoException & { port?: number };
  if (code === "EADDRINUSE")
    return `Port ${port} is in use. Choose another one with --port, or 0 for any free one.`;
  if (code === "EACCES")
    return `Port ${port} may not be opened by this user. Choose one above 1023 with --port.`;
  return error.message;
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
});
