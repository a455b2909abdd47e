/** Where test/languages/install.mjs and test/languages/sdks.ts put what they make. */
import { join, resolve } from "node:path";

const cache = resolve(__dirname, "../../.cache/languages");

/** Language hosts, and the generators. */
export const bin = join(cache, "bin");
/** Python's own programs, with the Pulumi SDK and the generated one. */
export const venv = join(cache, "venv");
/** An SDK in each language, made of the schema as it is. */
export const sdks = join(cache, "sdks");
