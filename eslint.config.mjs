import eslint from "@eslint/js";
import tseslint from "typescript-eslint";
import { noImportCycle } from "./test/tools/lint/no-import-cycle.mjs";

/** The layers that all others may import. */
const ground = ["text", "time", "files", "errors"];
/** The layers of `provider`, and what each may import of the others, beside `schema` and the ground. */
const layers = {
  text: [],
  files: [],
  errors: ["text", "settings"],
  time: ["errors", "text"],
  dialects: [],
  settings: ["dialects"],
  deployment: ["dialects"],
  lookup: ["dialects", "deployment"],
  stored: ["deployment"],
  "control-plane": ["dialects", "settings", "deployment", "lookup"],
  agent: [],
  archive: ["dialects", "deployment", "agent"],
  manifest: ["dialects"],
  engine: ["dialects", "settings", "deployment", "stored", "control-plane", "agent", "archive"],
  dynamic: ["dialects", "deployment", "stored", "engine"],
  plugin: ["dialects", "settings", "deployment", "stored", "lookup", "control-plane", "engine"],
  program: ["dialects", "settings", "deployment", "stored", "lookup", "control-plane", "manifest", "engine"],
};
/** The file that puts layers together. */
const composition = ["provider/index.ts"];

/** What only some may import of the outside. */
const libraries = {
  "@pulumi/*": ["engine", "dynamic", "plugin", "program"],
  undici: ["control-plane"],
  yaml: ["manifest", "cli"],
};

/** The one file outside of the emulator that may import it: its command. */
const emulatorCommand = "cli/commands/emulator-command.ts";

const noEmulator = {
  regex: "^(\\.\\./)+emulator(/|$)",
  message: `the emulator stands in for the service: only ${emulatorCommand} knows it.`,
};
const noCli = {
  regex: "^(\\.\\./)+cli(/|$)",
  message: "the command line stands on top of everything else: nothing imports it.",
};
const noLayers = (names, who) =>
  names.map((name) => ({
    regex: `^(\\./|(\\.\\./)+)(provider/)?${name}(/|$)`,
    message: `${who} does not know provider/${name}: see the layers in eslint.config.mjs.`,
  }));
const noLibraries = (layer, who) =>
  Object.entries(libraries).flatMap(([library, users]) =>
    users.includes(layer) ? [] : [{ group: [library], message: `${who} does not know ${library}.` }],
  );
const portOnly = {
  regex: "deployment/(?!service$)",
  message: "of provider/deployment, this layer knows the port alone: deployment/service.",
};

const restrict = (files, patterns, ignores = []) => ({
  files,
  ignores,
  rules: { "no-restricted-imports": ["error", { patterns }] },
});
const others = (allowed, self) => {
  const all = ground.includes(self) ? allowed : [...ground, ...allowed];
  return Object.keys(layers).filter((name) => name !== self && !all.includes(name));
};

const boundaries = [
  restrict(
    ["schema/**/*.ts"],
    [
      { regex: "^(?!\\.|zod$)", message: "schema describes shapes: it imports zod and nothing else." },
      { group: ["**/provider/**"], message: "schema describes shapes: it knows nothing of who uses them." },
      noEmulator,
      noCli,
    ],
  ),
  restrict(composition, [...noLibraries("composition", "this file"), noEmulator, noCli]),
  ...Object.entries(layers).map(([name, allowed]) =>
    restrict(
      [`provider/${name}/**/*.ts`],
      [
        ...noLayers(others(allowed, name), `provider/${name}`),
        ...noLibraries(name, `provider/${name}`),
        ...(["control-plane", "archive"].includes(name) ? [portOnly] : []),
        noEmulator,
        noCli,
      ],
    ),
  ),
  restrict(
    ["cli/**/*.ts"],
    [
      ...noLayers(["engine", "dynamic", "plugin", "program"], "cli"),
      ...noLibraries("cli", "cli"),
      noEmulator,
    ],
    [emulatorCommand],
  ),
  restrict([emulatorCommand], noLibraries("cli", "the command")),
  restrict(
    ["emulator/**/*.ts"],
    [
      {
        group: ["**/provider/**", "**/schema/**", "**/cli/**"],
        message: "the emulator is written from the specification: it shares no belief with the provider.",
      },
      { regex: "^(?!\\.|node:)", message: "the emulator needs nothing but Node." },
    ],
  ),
];

/** What a program loads before it calls anything: types it may import from everywhere. */
const light = {
  files: [
    "provider/index.ts",
    "provider/program/{arguments,config-values,deployment,functions,provider,results}.ts",
    "provider/program/on-demand.ts",
    "provider/dialects/*.ts",
  ],
  rules: {
    "@typescript-eslint/no-restricted-imports": [
      "error",
      {
        patterns: [
          {
            regex:
              "^(zod|yaml|undici)$|/control-plane/|/agent/|/archive/|/manifest/(?!scalar$)|/schema/(?!(enums|outputs|property-path|sources|tree|wording)$)|/(from-manifest|lookups|deployment/(create|delete|read|update))$",
            allowTypeImports: true,
            message: "a program that only declares loads no schemas, YAML or HTTP: see program/on-demand.ts.",
          },
        ],
      },
    ],
  },
};

const commonJs = { require: "readonly", module: "readonly", exports: "readonly", __dirname: "readonly" };

export default tseslint.config(
  { ignores: ["**/dist/**", "**/node_modules/**", ".cache/**", "test/e2e/fixtures/**"] },
  eslint.configs.recommended,
  ...tseslint.configs.recommended,
  {
    languageOptions: {
      parserOptions: {
        projectService: {
          allowDefaultProject: [
            "*.mjs",
            "*.config.ts",
            "test/*.mjs",
            "plugin/*.js",
            "cli/init/templates/*.js",
          ],
        },
      },
    },
  },
  {
    files: ["**/*.ts"],
    rules: {
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/no-misused-promises": "error",
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "no-console": "error",
    },
  },
  {
    // What ships is typed throughout; tests read JSON as it comes.
    files: ["provider/**/*.ts", "schema/**/*.ts", "cli/**/*.ts", "emulator/**/*.ts"],
    plugins: { own: { rules: { "no-import-cycle": noImportCycle } } },
    rules: {
      "own/no-import-cycle": "error",
      "@typescript-eslint/no-unsafe-argument": "error",
      "@typescript-eslint/no-unsafe-assignment": "error",
      "@typescript-eslint/no-unsafe-call": "error",
      "@typescript-eslint/no-unsafe-member-access": "error",
      "@typescript-eslint/no-unsafe-return": "error",
    },
  },
  {
    files: ["**/*.mjs"],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: { globals: { process: "readonly", console: "readonly", URL: "readonly" } },
  },
  {
    // Run as it is, without a compiler.
    files: ["plugin/*.js", "cli/init/templates/*.js", "**/*.cjs"],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: {
      globals: {
        ...commonJs,
        process: "readonly",
        setImmediate: "readonly",
        console: "readonly",
        TextDecoder: "readonly",
      },
    },
    rules: { "@typescript-eslint/no-require-imports": "off" },
  },
  ...boundaries,
  light,
);
