import eslint from "@eslint/js";
import tseslint from "typescript-eslint";

/** The walls between the rooms: which folder may not import what, and what to do instead. */
const walls = [
  {
    room: "schema",
    files: ["schema/**/*.ts"],
    forbidden: ["@pulumi/*", "undici", "yaml", "node:*", "**/provider/**", "**/test/**"],
    message: "schema describes shapes: it imports zod and nothing else.",
  },
  {
    room: "provider/deployment",
    files: ["provider/deployment/**/*.ts", "provider/dialects/**/*.ts"],
    forbidden: ["@pulumi/*", "undici", "yaml", "**/pulumi/**", "**/manifest/**", "**/control-plane/http*"],
    message: "provider/deployment decides on plain values: no Pulumi, no HTTP, no YAML.",
  },
  {
    room: "provider/control-plane",
    files: ["provider/control-plane/**/*.ts"],
    forbidden: ["@pulumi/*", "yaml", "**/pulumi/**", "**/manifest/**"],
    message: "provider/control-plane speaks HTTP and knows no Pulumi.",
  },
  {
    room: "provider/manifest",
    files: ["provider/manifest/**/*.ts"],
    forbidden: [
      "@pulumi/*",
      "undici",
      "**/control-plane/**",
      "**/pulumi/**",
      "**/deployment/**",
      "**/cli/**",
    ],
    message: "provider/manifest reads files: no Pulumi, no HTTP.",
  },
  {
    room: "everything else that ships",
    files: ["provider/*.ts", "provider/cli/**/*.ts", "provider/import/**/*.ts", "provider/summary/**/*.ts"],
    forbidden: ["@pulumi/*"],
    message: "only provider/pulumi imports Pulumi.",
  },
  { room: "provider/pulumi", files: ["provider/pulumi/**/*.ts"], forbidden: [] },
  {
    room: "emulator",
    files: ["emulator/**/*.ts"],
    forbidden: ["**/provider/**", "**/schema/**"],
    message: "the emulator is written from the specification: it shares no belief with the provider.",
  },
];

/** The one file outside of the emulator that may import it: its command. */
const door = "provider/cli/emulator.ts";

const outsiders = {
  regex: "^(\\.\\./)+emulator(/|$)",
  message: `the emulator stands in for the service: only ${door} knows it.`,
};
const packages = {
  regex: "^(?!\\.|node:)",
  message: "the emulator needs nothing but Node.",
};

const wall = ({ room, files, forbidden, message }) => ({
  files,
  rules: {
    "no-restricted-imports": [
      "error",
      {
        patterns: [
          ...(forbidden.length > 0 ? [{ group: forbidden, message }] : []),
          room === "emulator" ? packages : outsiders,
        ],
      },
    ],
  },
});

const doorway = {
  files: [door],
  rules: { "no-restricted-imports": ["error", { patterns: [{ group: ["@pulumi/*"] }] }] },
};

export default tseslint.config(
  { ignores: ["**/dist/**", "**/node_modules/**", ".cache/**"] },
  eslint.configs.recommended,
  ...tseslint.configs.recommended,
  {
    languageOptions: {
      parserOptions: { projectService: { allowDefaultProject: ["*.mjs", "*.config.ts", "test/*.mjs"] } },
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
    files: ["**/*.mjs"],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: { globals: { process: "readonly", console: "readonly", URL: "readonly" } },
  },
  ...walls.map(wall),
  doorway,
);
