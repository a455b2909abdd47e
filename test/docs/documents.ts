import { resolve } from "node:path";

/** The documents whose blocks are played. */
export const documents = [resolve(__dirname, "../../README.md")];
