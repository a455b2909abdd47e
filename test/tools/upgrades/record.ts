/** Runs the program with the package of a checkout, and returns its state and that of the service. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { startEmulator, type Emulator } from "../../../emulator";
import { createStack, type Stack } from "../../engine";
import { writeFiles } from "../../engine/program";
import {
  serviceSettings,
  withoutPlace,
  type Adapter,
  type RecordedFiles,
} from "../../support/earlier-versions";
import { madeByHand, programs } from "./program";

export async function record(checkout: string, adapter: Adapter): Promise<RecordedFiles> {
  const scratch = mkdtempSync(join(tmpdir(), "recorded-"));
  const state = join(scratch, "service.json");
  const emulator = await startEmulator({ ...serviceSettings, state, idSeed: 1 });
  const env = {
    DEPLOYMENT_SERVICE_URL: emulator.url,
    DEPLOYMENT_SERVICE_API_KEY: emulator.apiKey,
    DEPLOYMENT_SERVICE_POLL_INTERVAL: "100ms",
  };
  const stack = await createStack({
    program: programIn(checkout, adapter),
    inPlace: true,
    env,
    isPlain: true,
  });
  try {
    for (const body of madeByHand) emulator.create(body);
    await importInto(stack, { checkout, adapter, emulator });
    // One rollout never ends, so this up fails.
    const args = ["--continue-on-error"];
    const { output } = await stack.up({ args, expectFailure: true });
    if (!output.includes("late: create failed: the rollout did not finish within 1s"))
      throw new Error(output);
    const exported = await stack.run(["stack", "export", "--show-secrets"]);
    await emulator.close();
    return {
      ...programs[adapter],
      "state.json": withoutPlace(emulator, `${JSON.stringify(JSON.parse(exported.stdout), undefined, 2)}\n`),
      "service.json": readFileSync(state, "utf8"),
    };
  } finally {
    await stack.dispose();
    await emulator.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Inside the checkout, where the program finds its package, and as deep as the path of the plugin in `Pulumi.yaml` expects. */
function programIn(checkout: string, adapter: Adapter): string {
  mkdirSync(join(checkout, ".cache"), { recursive: true });
  const folder = mkdtempSync(join(checkout, ".cache", "program-"));
  writeFiles(folder, { ...programs[adapter], "package.json": '{ "private": true }\n' });
  return folder;
}

interface Recording {
  readonly checkout: string;
  readonly adapter: Adapter;
  readonly emulator: Emulator;
}

async function importInto(stack: Stack, { checkout, adapter, emulator }: Recording): Promise<void> {
  if (adapter === "packaged") {
    const { id } = emulator.deployment("imported")!;
    const unattended = ["--yes", "--protect=false", "--generate-code=false"];
    await stack.run(["import", "deployment-service:index:Deployment", "imported", id, ...unattended]);
    return;
  }
  const words = ["import", "--out", "import.json", "--name-contains", "imported"];
  await promisify(execFile)(process.execPath, [join(checkout, "dist/provider/cli/main.js"), ...words], {
    cwd: stack.folder,
    env: stack.environment,
  });
  await stack.import("import.json", { args: ["--protect=false"] });
}
