/** Programs for the packaged provider that register resources as a generated SDK does. */
import { outputNames } from "../../schema/outputs";
import { deployment } from "../../schema/fields";

/** The plugin of this repository, which the project names, so that nothing has to be installed. */
const ownPlugin = "../../plugin";

const projectWith = (plugin: string) =>
  [
    "name: program",
    "runtime: nodejs",
    "plugins:",
    "  providers:",
    "    - name: deployment-service",
    `      path: ${plugin}`,
    "",
  ].join("\n");

const properties = JSON.stringify([...Object.keys(deployment), ...outputNames]);

const sdk = `const pulumi = require("@pulumi/pulumi");`;

const classes = `
const properties = Object.fromEntries(${properties}.map((name) => [name, undefined]));
const dynamicType = "pulumi-nodejs:dynamic/deployment-service:Deployment";
class Deployment extends pulumi.CustomResource {
  constructor(name, args, opts = {}) {
    const aliases = [...(opts.aliases ?? []), { type: dynamicType }];
    super("deployment-service:index:Deployment", name, { ...properties, ...args }, { ...opts, aliases });
  }
}
class Provider extends pulumi.ProviderResource {
  constructor(name, args, opts) {
    super("deployment-service", name, args, opts);
  }
}
const invoke = (name, args, opts) => pulumi.runtime.invokeOutput("deployment-service:index:" + name, args, opts);
`;

/** The files of a program with that code. */
export function packagedProgram(code: string, plugin = ownPlugin): Record<string, string> {
  return { "Pulumi.yaml": projectWith(plugin), "index.js": `${sdk}${classes}${code}\n` };
}

/** The files of a program that uses both providers: `dynamic.Deployment`, `packaged.Deployment`. */
export function programOfBoth(code: string): Record<string, string> {
  const opening = [
    sdk,
    `const dynamic = require("pulumi-deployment-service");`,
    `const packaged = (() => {${classes}return { Deployment, Provider, invoke };\n})();`,
  ];
  return { "Pulumi.yaml": projectWith(ownPlugin), "index.js": [...opening, code, ""].join("\n") };
}
