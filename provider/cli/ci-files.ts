/** The workflows of the CI example, fitted to a project: where it lies, what it declares and which service it talks to. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { slashed } from "../archive/paths";
import { sanitize } from "../text/sanitize";
import { packageFolder } from "../version";
import { settingsTable } from "../settings/table";
import { UsageError } from "./command";
import type { ServiceOfProject } from "./project-service";

export const ciServices = ["github", "gitlab"] as const;
export type CiService = (typeof ciServices)[number];

export interface Fitting {
  /** The folder of the project. */
  readonly folder: string;
  readonly isManifest: boolean;
  readonly service: ServiceOfProject;
  /** Where the user is. */
  readonly cwd: string;
}

/**
 * By path, relative to the folder of the project: code hosts read them in the root of a repository only.
 *
 * @throws if there is such a file already
 */
export function ciFiles(service: CiService, fitting: Fitting): Record<string, string> {
  const root = repositoryOf(fitting.folder) ?? fitting.folder;
  const inside = slashed(relative(root, fitting.folder));
  // It becomes a part of YAML and of shell commands.
  if (!/^[\w./-]*$/.test(inside))
    throw new UsageError(
      `--ci needs a folder whose path has only letters, digits, dots, dashes and underscores: ${sanitize(inside)}`,
    );
  const example = join(packageFolder() ?? ".", "examples/03-ci");
  const names =
    service === "gitlab"
      ? [".gitlab-ci.yml"]
      : readdirSync(join(example, ".github/workflows")).map((file) => `.github/workflows/${file}`);
  const fit = service === "gitlab" ? fitPipeline : fitWorkflow;
  return Object.fromEntries(
    names.map((name) => {
      const path = slashed(relative(fitting.folder, join(root, name)));
      if (existsSync(join(root, name))) {
        const shown = sanitize(relative(fitting.cwd, join(root, name)));
        throw new UsageError(`${shown} exists already: move it, or leave out --ci`);
      }
      return [path, fit(fitted(readFileSync(join(example, name), "utf8"), fitting), inside)];
    }),
  );
}

/** What the workflows of every code host share. */
function fitted(text: string, { isManifest, service }: Fitting): string {
  const withService = text
    .replace(/(DEPLOYMENT_SERVICE_URL: ).*/, `$1${service.address}`)
    .replaceAll(settingsTable.apiKey.env, service.keyVariable)
    .replace(/^ *IMAGE_TAG: .*\n/m, "")
    .replace(/\bprod\b/g, "dev");
  if (isManifest) return withService;
  return withService
    .replace(/^ *# Problems appear beside the lines.*\n/m, "")
    .replace(/npx pulumi-deployment-service validate .*/, "npx tsc");
}

function fitWorkflow(text: string, inside: string): string {
  if (inside === "") return text;
  return (
    text
      .replace(/^permissions: \{\}\n/m, `$&\ndefaults:\n  run:\n    working-directory: ${inside}\n`)
      .replace(/^( *)cache: npm\n/gm, `$&$1cache-dependency-path: ${inside}/package-lock.json\n`)
      .replace(/^( *path: )(comment\.md)\n/gm, `$1${inside}/$2\n`)
      // This job checks nothing out.
      .replace(
        /^ {6}- run: \|\n(?= *mark=)/m,
        "      - working-directory: ${{ github.workspace }}\n        run: |\n",
      )
  );
}

function fitPipeline(text: string, inside: string): string {
  if (inside === "") return text;
  return text
    .replace(/^default:\n/m, `$&  before_script:\n    - cd ${inside}\n`)
    .replace(/^( *paths: \[)(.*)\]$/gm, `$1${inside}/$2]`);
}

/** The root of the repository that the folder, which need not exist yet, is in. */
function repositoryOf(folder: string): string | undefined {
  if (existsSync(join(folder, ".git"))) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : repositoryOf(parent);
}
