import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";

const examples = readdirSync("examples", { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** The deployments of an example: those that its programs, README and manifest declare, and those that its seed makes. */
function deploymentsOf(example: string): readonly string[] {
  const files = readdirSync(join("examples", example), { recursive: true, encoding: "utf8" })
    .filter((file) => !file.includes("node_modules"))
    .map((file) => join("examples", example, file));
  return [...new Set(files.flatMap(deploymentsIn))];
}

function deploymentsIn(file: string): readonly string[] {
  const read = () => readFileSync(file, "utf8");
  const yaml = () => parse(read()) as { deployments?: object; resources?: object };
  if (/\.(ts|py|md)$/.test(file))
    return [...read().matchAll(/\bDeployment\(\s*"([^"]+)"/g)].map(([, name]) => name!);
  if (basename(file) === "seed.yaml")
    return ((yaml().deployments ?? []) as { name: string }[]).map(({ name }) => name);
  if (/^(deployments|Pulumi)\.yaml$/.test(basename(file))) {
    const { deployments, resources } = yaml();
    return Object.keys({ ...deployments, ...resources });
  }
  return [];
}

it("no two examples give a deployment the same name: all of them run on one emulator at once", () => {
  const owners = new Map<string, string[]>();
  for (const example of examples) {
    const names = deploymentsOf(example);
    expect(names, example).not.toEqual([]);
    for (const name of names) owners.set(name, [...(owners.get(name) ?? []), example]);
  }
  expect([...owners].filter(([, of]) => of.length > 1)).toEqual([]);
});

const templates = examples.flatMap((name) =>
  ["", "nodejs"]
    .map((inner) => join("examples", name, inner))
    .filter((at) => existsSync(join(at, "index.ts"))),
);

interface Template {
  readonly template: { readonly config: Record<string, { secret?: boolean; default?: string }> };
}

it.each(templates)("%s is a template for `pulumi new`, whatever the project is named", (folder) => {
  const { template } = parse(readFileSync(join(folder, "Pulumi.yaml"), "utf8")) as Template;
  expect(Object.keys(template.config)).toContain("deployment-service:baseUrl");
  const secrets = Object.values(template.config).filter(({ secret }) => secret);
  expect(secrets.filter((each) => each.default !== undefined)).toEqual([]);
  expect(readFileSync(join(folder, "index.ts"), "utf8")).not.toContain('pulumi.Config("');
  expect(JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))).toMatchObject({
    dependencies: { "pulumi-deployment-service": "^0.1.0" },
    // Pulumi's bundled compiler is too old for their tsconfig.json.
    devDependencies: { typescript: "^5.0.0" },
  });
});
