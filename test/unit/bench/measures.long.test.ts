import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { peakIn } from "../../tools/bench/memory";
import { childSeconds, ProcessorTime } from "../../tools/bench/processor-time";
import { bytesPerResource } from "../../tools/bench/state-size";

it("the time of a command is that of the shell's children, user and system, however the shell writes it", () => {
  expect(childSeconds("0m0.000000s 0m0.000000s\n1m2.500000s 0m0.250000s\n")).toBe(62.75);
  expect(childSeconds("0m0.001s 0m0.002s\n0m2.920s 0m0.530s\n")).toBeCloseTo(3.45);
  expect(childSeconds("0m0,001s 0m0,002s\n0m2,5s 0m0,5s\n")).toBe(3);
  expect(() => childSeconds("nothing")).toThrow("not understood");
});

it("the time of a command holds that of a process that it started", () => {
  const time = new ProcessorTime();
  const busy = "const end = process.cpuUsage().user + 200000; while (process.cpuUsage().user < end);";
  const nested = `require("node:child_process").execFileSync(process.execPath, ["-e", ${JSON.stringify(busy)}])`;
  try {
    execFileSync(...time.measured([process.execPath, "-e", nested]));
    expect(time.seconds()).toBeGreaterThanOrEqual(0.2);
  } finally {
    time.dispose();
  }
});

it("a measured command keeps its arguments and its exit code", () => {
  const time = new ProcessorTime();
  try {
    const [file, args] = time.measured(["sh", "-c", 'echo "$1"; exit 3', "sh", "a  $HOME *"]);
    expect(() => execFileSync(file, args, { encoding: "utf8" })).toThrow(
      expect.objectContaining({ status: 3, stdout: "a  $HOME *\n" }),
    );
  } finally {
    time.dispose();
  }
});

it("the peak of memory is in bytes, and unknown for a process that has ended", () => {
  expect(peakIn("Name:\tnode\nVmHWM:\t  102400 kB\nVmRSS:\t  90000 kB\n")).toBe(104_857_600);
  expect(peakIn("Name:\tnode\nState:\tZ (zombie)\n")).toBeUndefined();
});

it("the size of a resource's state is the average of the dynamic ones", () => {
  const resources = [
    { type: "pulumi:pulumi:Stack", urn: "a long one that does not count" },
    { type: "pulumi-nodejs:dynamic:Resource" },
    { type: "pulumi-nodejs:dynamic/deployment-service:Deployment", id: "é" },
  ];
  const sizes = resources.slice(1).map((resource) => Buffer.byteLength(JSON.stringify(resource)));
  const state = (latest: object | null) => JSON.stringify({ checkpoint: { latest } });
  expect(bytesPerResource(state({ resources }))).toBe((sizes[0]! + sizes[1]!) / 2);
  expect(bytesPerResource(state({}))).toBeUndefined();
  expect(bytesPerResource(state(null))).toBeUndefined();
});
