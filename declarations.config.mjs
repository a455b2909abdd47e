/** Bundles the declarations of what the package exports: one file for each entry point, with nothing else in it. */
import { defineConfig } from "rollup";
import { dts } from "rollup-plugin-dts";

const entries = ["provider/index", "provider/dynamic/provider", "emulator/index"];

export default defineConfig({
  input: Object.fromEntries(entries.map((name) => [name, `${name}.ts`])),
  external: [/^@pulumi\//, /^node:/],
  plugins: [dts({ compilerOptions: { stripInternal: true } })],
  output: { dir: "dist", format: "es" },
});
