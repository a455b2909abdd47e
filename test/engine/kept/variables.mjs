/** What is set for one run is not there in the next. */
export function setVariables(env) {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
}

/** `NAME=value` */
export function parseVariable(text) {
  const at = text.indexOf("=");
  return [text.slice(0, at), text.slice(at + 1)];
}
