/**
 * Zod in one file, without its fifty translations: loading its hundred files is most of what the provider's process needs until
 * its first check. It stands for the version that it was made of; where another one is installed that fits, that is loaded.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { build } from "esbuild";

const require = createRequire(import.meta.url);
const bundle = "zod.js";

export async function bundleZod(folder) {
  const installed = require.resolve("zod/package.json");
  const { version } = require(installed);
  const [major] = version.split(".");
  const license = readFileSync(join(dirname(installed), "LICENSE"), "utf8");
  await build({
    stdin: { contents: 'export { z } from "zod";', resolveDir: import.meta.dirname },
    plugins: [withoutTranslations],
    outfile: join(folder, bundle),
    bundle: true,
    platform: "node",
    format: "cjs",
    minifyWhitespace: true,
    minifySyntax: true,
    banner: {
      js: `/*! zod ${version}\n${license}*/
let installed="";try{installed=require("zod/package.json").version}catch{}
if(installed!=="${version}"&&installed.startsWith("${major}."))module.exports=require("zod");else{`,
    },
    footer: { js: "}" },
    logLevel: "warning",
  });
}

const withoutTranslations = {
  name: "without translations",
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\./ }, () => ({ contents: "export {}" })),
};

/** The code of `file` with the one in `folder`. */
export function withZod(code, file, folder) {
  const path = relative(dirname(file), join(folder, bundle)).replaceAll("\\", "/");
  return code.replaceAll('require("zod")', `require("./${path}")`);
}
