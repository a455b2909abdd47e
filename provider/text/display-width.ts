/** Measures how many terminal columns a text takes. */
export { default as displayWidth } from "string-width";
