// Fills bundled/ with all that the server is made of: this repository's own Python, the pages of
// its diagnostics, and the packages of bundled/requirements.txt (pure Python, pinned by hash).
// The packages are downloaded once, into the cache; after that this works without a network.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const extension = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const root = path.resolve(extension, "..");
const bundled = path.join(extension, "bundled");
const requirements = path.join(bundled, "requirements.txt");
const cache = path.resolve(process.env.PULLBACK_CACHE ?? path.join(root, ".cache"));

const OWN = [
  ["core/pullback", "app/pullback"],
  ["server/pullback_server", "app/pullback_server"],
  ["docs/diagnostics", "docs/diagnostics"],
];

function copyOwnFiles() {
  for (const [from, to] of OWN) {
    const filter = (file) => path.basename(file) !== "__pycache__";
    fs.cpSync(path.join(root, from), path.join(bundled, to), { recursive: true, filter });
  }
}

// The server tells its version from the metadata that an installed package has.
function writeMetadata() {
  const { version } = JSON.parse(fs.readFileSync(path.join(extension, "package.json"), "utf8"));
  const project = fs.readFileSync(path.join(root, "pyproject.toml"), "utf8");
  if (!project.includes(`\nversion = "${version}"\n`)) {
    throw new Error(`bundle: package.json has version ${version}, pyproject.toml another`);
  }
  const folder = path.join(bundled, "app", `pullback-${version}.dist-info`);
  fs.mkdirSync(folder);
  const metadata = `Metadata-Version: 2.1\nName: pullback\nVersion: ${version}\n`;
  fs.writeFileSync(path.join(folder, "METADATA"), metadata);
}

function pythonWithPip() {
  const venv = path.join(root, ".venv", "bin", "python");
  for (const python of [process.env.PYTHON, venv, "python3", "python"]) {
    if (!python) continue;
    try {
      execFileSync(python, ["-m", "pip", "--version"], { stdio: "pipe" });
      return python;
    } catch {
      // The next one may have pip.
    }
  }
  throw new Error("bundle: no Python with pip; set PYTHON to one that has it");
}

// One wheel for every platform and version: never what happens to fit this machine.
const ANYWHERE = ["--platform=any", "--implementation=py", "--abi=none", "--python-version=3.10"];
const EXACTLY = ["--no-deps", "--only-binary=:all:", "--require-hashes", "-r", requirements];

function pip(python, ...args) {
  const quiet = ["--quiet", "--disable-pip-version-check", "--no-input"];
  execFileSync(python, ["-m", "pip", ...args, ...quiet, ...ANYWHERE, ...EXACTLY], {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, PIP_ROOT_USER_ACTION: "ignore" },
  });
}

function downloadOnce(python) {
  const digest = createHash("sha256").update(fs.readFileSync(requirements)).digest("hex");
  const wheels = path.join(cache, "wheels", digest.slice(0, 16));
  const done = path.join(wheels, ".done");
  if (fs.existsSync(done)) return wheels;
  pip(python, "download", "--dest", wheels);
  fs.writeFileSync(done, "");
  return wheels;
}

for (const folder of ["app", "docs", "libs"]) {
  fs.rmSync(path.join(bundled, folder), { recursive: true, force: true });
}
copyOwnFiles();
writeMetadata();
const python = pythonWithPip();
const wheels = downloadOnce(python);
const libs = path.join(bundled, "libs");
pip(python, "install", "--target", libs, "--no-compile", "--no-index", "--find-links", wheels);
fs.rmSync(path.join(libs, "bin"), { recursive: true, force: true });
