// Packs dist/pullback-VERSION.vsix: one file for every platform, made without a network.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { createVSIX } from "@vscode/vsce";

const extension = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const { name, version } = JSON.parse(fs.readFileSync(path.join(extension, "package.json"), "utf8"));
const vsix = path.join(extension, "dist", `${name}-${version}.vsix`);

// A licence has to lie beside the manifest; the repository keeps one, at its root.
fs.copyFileSync(path.join(extension, "..", "LICENSE"), path.join(extension, "LICENSE"));
// The walkthrough shows pictures of the documentation.
const pictures = path.join(extension, "..", "docs", "images");
for (const picture of fs.readdirSync(pictures).filter((file) => file.startsWith("vscode-"))) {
  const shown = path.join(extension, "images", picture.replace("vscode-", ""));
  fs.mkdirSync(path.dirname(shown), { recursive: true });
  fs.copyFileSync(path.join(pictures, picture), shown);
}
fs.rmSync(vsix, { force: true });
await createVSIX({
  cwd: extension,
  packagePath: vsix,
  dependencies: false,
  allowMissingRepository: true,
  rewriteRelativeLinks: false,
});
