/** The programs that are compared. Each declares as many resources with the same arguments. */

/** In the order of the tables: the bare program is what the others are measured against. */
export const programNames = ["bare", "equal-state", "package", "conventional"] as const;
export type ProgramName = (typeof programNames)[number];

/** How long the conventional program and this package wait between two polls of a rollout. */
export const pollMs = 200;

/** It takes the version of all images from TAG, and that of the first from FIRST_TAG. */
export function programOf(name: ProgramName, count: number): string {
  return `const pulumi = require("@pulumi/pulumi");
${classes[name]}
for (let i = 0; i < ${count}; i++) {
  const tag = process.env.TAG || (i === 0 && process.env.FIRST_TAG) || "1";
  const imageUri = "registry.example.com/app:" + tag;
  new Resource("app-" + i, ${name === "conventional" ? body : args});
}
`;
}

const args = `{
    source: "external_container",
    sourceConfig: { resourceSpec: { minScale: 1, maxScale: 3, cpu: 0.5, memoryMb: 1024 } },
    sourceRevisionConfig: { imageUri },
  }`;

/** As the service expects them: a provider written by hand passes them on as they are. */
const body = `{
    name: "app-" + i,
    source: "external_container",
    source_config: { resource_spec: { min_scale: 1, max_scale: 3, cpu: 0.5, memory_mb: 1024 } },
    source_revision_config: { image_uri: imageUri },
    secrets: [],
  }`;

/** Resources with nothing behind them; with expressions for what check and create make of the inputs. */
const idle = (checked: string, made: string, more = "{}") => `
const __provider = 'exports.handler=()=>{const made=inputs=>(${made});return{' +
  'check:async(olds,inputs)=>({inputs:${checked}}),' +
  'diff:async()=>({}),' +
  'create:async(inputs)=>({id:require("node:crypto").randomUUID(),outs:made(inputs)}),' +
  'read:async(id,props)=>({id,props}),' +
  'update:async(id,olds,inputs)=>({outs:made(inputs)}),' +
  'delete:async()=>{}}}';
class Resource extends pulumi.CustomResource {
  constructor(name, props) {
    super("pulumi-nodejs:dynamic:Resource", name, { __provider, ...${more}, ...props });
  }
}`;

/** A letter for each output of this package, because the text of a provider is a part of each state. */
const outputs = "abcdefghi";
const declared = `Object.fromEntries(["name", "generation", "__private", ..."${outputs}"].map((each) => [each, undefined]))`;

/** As Pulumi's documentation of dynamic providers teaches it. */
const conventional = `
async function call(method, path, body) {
  const response = await fetch(process.env.DEPLOYMENT_SERVICE_URL + "/v2/deployments" + path, {
    method,
    headers: { "X-Api-Key": process.env.DEPLOYMENT_SERVICE_API_KEY, "Content-Type": "application/json" },
    body: body && JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(method + " " + path + ": " + response.status + " " + text);
  return text ? JSON.parse(text) : undefined;
}
const get = async (id) => (await call("GET", "?deployment_ids=" + id)).resources[0];
const pause = () => new Promise((resolve) => setTimeout(resolve, ${pollMs}));
async function rollout(id) {
  const deployment = await get(id);
  if (deployment.active_revision_id === deployment.latest_revision_id) return deployment;
  return pause().then(() => rollout(id));
}
const provider = {
  async create({ name, source, source_config, source_revision_config, secrets }) {
    const inputs = { name, source, source_config, source_revision_config, secrets };
    const { id } = await call("POST", "", inputs);
    return { id, outs: { ...inputs, status: (await rollout(id)).status } };
  },
  async read(id, props) {
    const deployment = await get(id);
    return deployment ? { id, props: { ...props, status: deployment.status } } : {};
  },
  async update(id, olds, news) {
    const { source_config, source_revision_config } = news;
    await call("PATCH", "/" + id, { source_config, source_revision_config });
    return { outs: { ...news, status: (await rollout(id)).status } };
  },
  async delete(id) {
    await call("DELETE", "/" + id);
    while (await get(id)) await pause();
  },
};
class Resource extends pulumi.dynamic.Resource {
  constructor(name, props) {
    super(provider, name, { status: undefined, ...props });
  }
}`;

const classes: Record<ProgramName, string> = {
  bare: idle("inputs", "inputs"),
  // With as much in the state as this package keeps there: what is left is the package's own work.
  "equal-state": idle(
    '{name:"app",generation:1,...inputs}',
    `Object.fromEntries([...Object.entries(inputs),["__private",{text:"x".repeat(80)}],...[..."${outputs}"].map(k=>[k,"x".repeat(20)])])`,
    `{ __options: { urn: name, provider: "default" }, ...${declared} }`,
  ),
  package: `const { Deployment: Resource } = require("pulumi-deployment-service");`,
  conventional,
};
