/** Makes the README's comment of a pull request on the real CLI: a change, a failed build and a deletion. */
import { langsmith } from "../../emulator";
import { Command } from "../engine";
import { builtCommand, Product } from "../support/product";
import { comparable } from "./screen";

const marked = /(?<=<!-- comment -->\n\n)(?:>.*\n)+/;

/** The README with the comment that `summary` writes. */
export async function playComment(readme: string): Promise<string> {
  const [shown] = marked.exec(readme) ?? [];
  if (shown === undefined) throw new Error("The README has no comment");
  const text = quoted(await comment());
  const isSame = comparable(withoutPadding(text)) === comparable(withoutPadding(shown));
  return isSame ? readme : readme.replace(marked, () => text);
}

/** A formatter aligns the columns of the table. */
function withoutPadding(table: string): string {
  return table.replace(/ {2,}/g, " ").replace(/-{3,}/g, "---");
}

async function comment(): Promise<string> {
  const product = await Product.start({
    stack: "prod",
    keeps: "nothing",
    emulator: { rules: langsmith },
    program: {
      "Pulumi.yaml": "name: agents\nruntime: nodejs\n",
      "index.ts": program("main", "chat", "search", "trial"),
    },
    env: { DEPLOYMENT_SERVICE_DIALECT: "langsmith" },
  });
  const { emulator, stack } = product;
  try {
    await stack.up();
    emulator.configure({ rollout: { polls: 1, fails: "BUILD_FAILED" } });
    stack.write({ "index.ts": program("main", "chat", "search@v1.5", "trial") });
    await stack.up({ expectFailure: true });
    stack.write({ "index.ts": program("main", "chat@v2.0", "search@v1.5.1") });
    const { stdout } = await stack.run(["preview", "--json"]);
    stack.write({ "preview.json": stdout });
    const summary = [builtCommand, "summary", "preview.json"];
    return (await new Command(process.execPath, summary, { cwd: stack.folder, env: {} }).result).stdout;
  } finally {
    await product.end();
  }
}

function program(branch: string, ...deployments: string[]): string {
  const declarations = deployments.map((each) => {
    const [name, tag] = each.split("@");
    const ref = tag === undefined ? branch : `refs/tags/${tag}`;
    return `new Deployment("${name}", {
      source: "codehost",
      sourceConfig: {
        integrationId: "6f0e6c1a-0000-4000-8000-000000000001",
        repoUrl: "https://github.com/acme/${name}",
        deploymentType: "serverless",
      },
      sourceRevisionConfig: { repoRef: "${ref}", graphConfigPath: "langgraph.json" },
    });`;
  });
  return ['import { Deployment } from "pulumi-deployment-service";', ...declarations].join("\n");
}

function quoted(markdown: string): string {
  return markdown
    .trimEnd()
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n")
    .concat("\n");
}
