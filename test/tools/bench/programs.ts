/**
 * The programs that are compared. Each declares the same number of resources with the same arguments, and takes
 * the version of all images from TAG, and that of the first from FIRST_TAG.
 */

/** In the order of the tables: the bare program is what the others are measured against. */
export const programNames = ["bare", "equal-state", "package", "conventional"] as const;
export type ProgramName = (typeof programNames)[number];

/** How long both wait between two polls of a rollout. */
export const pollMs = 200;

export function programOf(name: ProgramName, count: number): string {
  return `${classes[name]}
for (let i = 0; i < ${count}; i++) {
  const tag = process.env.TAG || (i === 0 && process.env.FIRST_TAG) || "1";
  ${declarations[name]}
}
`;
}

const args = `{
    source: "external_container",
    sourceConfig: { resourceSpec: { minScale: 1, maxScale: 3, cpu: 0.5, memoryMb: 1024 } },
    sourceRevisionConfig: { imageUri: "registry.example.com/app:" + tag },
  }`;

/** As the service wants them: a provider written by hand passes them on as they are. */
const body = `{
    name: "app-" + i,
    source: "external_container",
    source_config: { resource_spec: { min_scale: 1, max_scale: 3, cpu: 0.5, memory_mb: 1024 } },
    source_revision_config: { image_uri: "registry.example.com/app:" + tag },
    secrets: [],
  }`;

const declarations: Record<ProgramName, string> = {
  bare: `new Bare("app-" + i, ${args});`,
  "equal-state": `new EqualState("app-" + i, ${args});`,
  package: `new Deployment("app-" + i, ${args});`,
  conventional: `new Conventional("app-" + i, ${body});`,
};

/** What the engine and the SDK cost by themselves: nothing stands behind these resources. */
const bare = `
const pulumi = require("@pulumi/pulumi");
${providerOf("inputs", "inputs")}
class Bare extends pulumi.CustomResource {
  constructor(name, props, opts) {
    super("pulumi-nodejs:dynamic:Resource", name, { __provider: text, ...props }, opts);
  }
}
`;

/** As many as this package has outputs beside the inputs; a letter each, because the text of a provider is a part of each state. */
const outputs = "abcdefghi";

/** The bare program with as much in the state as this package keeps there: what is left is the package's own work. */
const equalState = `
const pulumi = require("@pulumi/pulumi");
${providerOf(
  '{name:"app",generation:1,...inputs}',
  `Object.fromEntries([...Object.entries(inputs),["__private",{text:"x".repeat(80)}],...[..."${outputs}"].map(k=>[k,"x".repeat(20)])])`,
)}
const declared = ["name", "generation", "__private", ..."${outputs}"];

class EqualState extends pulumi.CustomResource {
  constructor(name, props, opts) {
    const outputs = Object.fromEntries(declared.map((each) => [each, undefined]));
    const __options = { urn: name, provider: "default" };
    super("pulumi-nodejs:dynamic:Resource", name, { __provider: text, __options, ...outputs, ...props }, opts);
  }
}
`;

/** The text of a provider that does nothing, with expressions for what check and create make of the inputs. */
function providerOf(checked: string, made: string): string {
  return `
const text = 'exports.handler=()=>{const made=inputs=>(${made});return{' +
  'check:async(olds,inputs)=>({inputs:${checked}}),' +
  'diff:async()=>({}),' +
  'create:async(inputs)=>({id:require("node:crypto").randomUUID(),outs:made(inputs)}),' +
  'read:async(id,props)=>({id,props}),' +
  'update:async(id,olds,inputs)=>({outs:made(inputs)}),' +
  'delete:async()=>{}}}';
`;
}

/** As Pulumi's documentation of dynamic providers teaches it. */
const conventional = `
const pulumi = require("@pulumi/pulumi");

async function call(method, path, body) {
  const response = await fetch(process.env.DEPLOYMENT_SERVICE_URL + "/v2/deployments" + path, {
    method,
    headers: { "X-Api-Key": process.env.DEPLOYMENT_SERVICE_API_KEY, "Content-Type": "application/json" },
    body: body && JSON.stringify(body),
  });
  if (!response.ok) throw new Error(method + " " + path + ": " + response.status + " " + (await response.text()));
  const text = await response.text();
  return text ? JSON.parse(text) : undefined;
}

async function get(id) {
  const { resources } = await call("GET", "?deployment_ids=" + id);
  return resources[0];
}

const pause = () => new Promise((resolve) => setTimeout(resolve, ${pollMs}));

async function rollout(id) {
  for (;;) {
    const deployment = await get(id);
    if (deployment.active_revision_id === deployment.latest_revision_id) return deployment;
    await pause();
  }
}

const provider = {
  async create(inputs) {
    const { name, source, source_config, source_revision_config, secrets } = inputs;
    const body = { name, source, source_config, source_revision_config, secrets };
    const { id } = await call("POST", "", body);
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

class Conventional extends pulumi.dynamic.Resource {
  constructor(name, props, opts) {
    super(provider, name, { status: undefined, ...props }, opts);
  }
}
`;

const classes: Record<ProgramName, string> = {
  bare,
  "equal-state": equalState,
  package: `const { Deployment } = require("pulumi-deployment-service");`,
  conventional,
};
