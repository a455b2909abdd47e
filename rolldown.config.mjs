/** Bundles the package into few files, which load several times faster than one file per module. */
import { readFileSync } from "node:fs";
import { dirname, posix, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "rolldown";

const root = dirname(fileURLToPath(import.meta.url));

/** What others load: the entry points of package.json and of the plugin. */
const entries = [
  "provider/index",
  "provider/dynamic/provider",
  "provider/plugin/main",
  "cli/main",
  "emulator/index",
];

/** Modules that are loaded with `require` when they are first needed. Each is a file of its own. */
const onDemand = [
  "provider/engine/service-calls",
  "provider/archive/folder",
  "provider/program/from-manifest",
  "provider/program/lookups",
];

/** No entry points, but files of their own, for scripts that look at one part of the package alone. */
const parts = ["provider/archive/source-files", "provider/dialects/langsmith"];

const placeholder = "on-demand:";

/** Keeps a `require` of an own module as it is: a bundler would otherwise load the module with its importer. */
const keepRequires = {
  name: "keep-requires",
  resolveId(source, importer, { kind }) {
    if (kind !== "require-call" || !source.startsWith(".")) return null;
    const module = relative(root, resolve(dirname(importer), source)).replaceAll(sep, "/");
    if (!onDemand.includes(module))
      throw new Error(`${importer}: add ${module} to the modules in rolldown.config.mjs`);
    return { id: placeholder + module, external: true };
  },
  renderChunk(code, { fileName }) {
    const toRoot = posix.relative(posix.dirname(fileName), ".") || ".";
    return code.replaceAll(placeholder, `${toRoot}/`);
  },
};

const licences = [
  "zod/LICENSE",
  "string-width/license",
  "get-east-asian-width/license",
  "string-width/node_modules/strip-ansi/license",
  "string-width/node_modules/ansi-regex/license",
];
/** Code of others needs its licence next to it. */
const addLicence = {
  name: "add-licence",
  generateBundle() {
    for (const file of licences) {
      const [name] = file.split("/").slice(-2);
      const source = readFileSync(resolve(root, "node_modules", file));
      this.emitFile({ type: "asset", fileName: `shared/${name}.LICENSE.txt`, source });
    }
  },
};

export default defineConfig({
  input: Object.fromEntries(
    [...entries, ...onDemand, ...parts].map((name) => [name, resolve(root, `${name}.ts`)]),
  ),
  platform: "node",
  // zod is bundled, because only a small part of it is used, and string-width, because it is no CommonJS.
  external: [/^@pulumi\//, /^@grpc\//, /^google-protobuf/, /^undici/, "yaml"],
  plugins: [keepRequires, addLicence],
  output: {
    dir: "dist",
    format: "cjs",
    exports: "named",
    chunkFileNames: "shared/[name].js",
    keepNames: true,
    minify: false,
    codeSplitting: {
      groups: [{ name: "zod", test: /node_modules[\\/]zod[\\/]/ }],
    },
  },
});
