import js from "@eslint/js";
import { defineConfig, globalIgnores } from "eslint/config";
import tseslint from "typescript-eslint";

export default defineConfig([
  globalIgnores(["**/dist/", "**/node_modules/", "**/bundled/", "**/.*/", "benchmarks/"]),
  { files: ["**/*.mjs", "**/*.ts"], extends: [js.configs.recommended] },
  {
    files: ["vscode-extension/{src,test}/**/*.ts"],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
  },
  {
    files: ["vscode-extension/test/**/*.ts"],
    rules: {
      // node:test gives a promise that its own runner waits for.
      "@typescript-eslint/no-floating-promises": "off",
    },
  },
  {
    files: ["**/*.mjs"],
    languageOptions: {
      globals: {
        Buffer: "readonly",
        console: "readonly",
        document: "readonly",
        NodeFilter: "readonly",
        getComputedStyle: "readonly",
        process: "readonly",
        setTimeout: "readonly",
        URL: "readonly",
        URLSearchParams: "readonly",
      },
    },
  },
]);
