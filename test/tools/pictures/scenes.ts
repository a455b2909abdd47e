/** What is on the screen while someone sits before it, on a real terminal with the real engine. */
import { langsmith, startEmulator, type Emulator } from "../../../emulator";
import { createStack, type Stack } from "../../engine";

export interface Scene {
  readonly title: string;
  readonly columns: number;
  /** Plays it, and resolves with the screen. */
  readonly play: (play: Play) => Promise<string>;
}

export interface Play {
  readonly emulator: Emulator;
  /** Declares the image with that tag. */
  readonly declare: (tag: string) => void;
  /** Before anybody looks. */
  readonly create: () => Promise<unknown>;
  /** The command in a terminal of the scene's width, from its start. */
  readonly up: () => ReturnType<Stack["terminal"]>;
}

/** The screen once it shows that; then the rollout comes to its end, and with it the command. */
async function during({ emulator, up }: Play, pattern: RegExp): Promise<string> {
  const terminal = await up();
  const screen = await terminal.waitFor(pattern);
  emulator.finish("chat");
  await terminal.ended;
  return screen;
}

const buildLog = [
  "#1 load build definition",
  "#7 RUN uv pip install -r requirements.txt",
  "#8 2.673 ERROR: No matching distribution found for fastapi==0.999",
];

export const scenes = {
  create: {
    title: "A build, in a terminal of 120 columns",
    columns: 120,
    play(play) {
      play.emulator.configure({ rollout: { revision: Array<string>(60).fill("BUILDING") } });
      return during(play, /building [2-9]s of 30m/);
    },
  },
  update: {
    title: "An update, in a terminal of 160 columns",
    columns: 160,
    async play(play) {
      await play.create();
      play.declare("1.5.0");
      play.emulator.configure({ rollout: { revision: Array<string>(60).fill("DEPLOYING") } });
      return during(play, /deploying [2-9]s of 30m/);
    },
  },
  queue: {
    title: "A revision in the queue, in a terminal of 160 columns",
    columns: 160,
    async play({ emulator, create, declare, up }) {
      await create();
      emulator.configure({ rollout: "stuck" });
      emulator.change("chat", () => undefined, { revision: true });
      declare("1.5.0");
      return (await up()).waitFor(/queued [2-9]s/);
    },
  },
  failed: {
    title: "A build that failed, in a terminal of 120 columns",
    columns: 120,
    async play({ emulator, up }) {
      emulator.configure({ rollout: { polls: 2, fails: "BUILD_FAILED", buildLog } });
      const terminal = await up();
      await terminal.ended;
      return terminal.screen();
    },
  },
} satisfies Record<string, Scene>;

/** Plays a scene on a stack of its own, and leaves nothing behind. */
export async function screenOf({ columns, play }: Scene): Promise<string> {
  const emulator = await startEmulator({ idSeed: 1, rules: langsmith });
  const program = (tag: string) => ({
    "index.js": [
      `const { Deployment } = require("pulumi-deployment-service");`,
      `new Deployment("chat", {`,
      `  source: "external_container",`,
      `  sourceRevisionConfig: { imageUri: "registry.example.com/chat:${tag}" },`,
      `});`,
      "",
    ].join("\n"),
  });
  const stack = await createStack({
    program: program("1.4.2"),
    keeps: "everything",
    env: {
      DEPLOYMENT_SERVICE_URL: emulator.url,
      DEPLOYMENT_SERVICE_API_KEY: emulator.apiKey,
      DEPLOYMENT_SERVICE_DIALECT: "langsmith",
      DEPLOYMENT_SERVICE_POLL_INTERVAL: "200ms",
    },
  });
  try {
    return await play({
      emulator,
      declare: (tag) => stack.write(program(tag)),
      create: () => stack.up(),
      up: () => stack.terminal(["up", "--yes", "--skip-preview"], columns),
    });
  } finally {
    await stack.dispose();
    await emulator.close();
  }
}
