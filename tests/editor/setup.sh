#!/usr/bin/env bash
# setup.sh [CACHE_DIR]: puts what the editor tests need into place, once.
#
#   CACHE_DIR/vscode/bin/code-server   the VS Code workbench, served to a browser, with its own
#                                      extension host (the same code as the desktop's)
#   chromium, nvim, emacs              from the system's packages, where they are missing
#
# A second run with the same versions does nothing. Needs node >= 20 with npm, g++, make, python3,
# and, where one of these is missing, Debian or Ubuntu and the right to install packages.
set -euo pipefail

code_server=4.139.1   # serves VS Code 1.139.1
node=24.21.0          # code-server accepts this major version of Node only

root=$(cd "$(dirname "$0")/../.." && pwd)
cache=${1:-${PULLBACK_CACHE:-$root/.cache}}
case $(uname -m) in
  x86_64) arch=x64 ;;
  aarch64) arch=arm64 ;;
  *) echo "setup.sh: there is no Node package for $(uname -m) here" >&2; exit 1 ;;
esac

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }

install_programs() {
  local missing=()
  command -v chromium >/dev/null || missing+=(chromium fonts-dejavu-core)
  command -v nvim >/dev/null || missing+=(neovim)
  command -v emacs >/dev/null || missing+=(emacs-nox elpa-eglot)
  command -v g++ >/dev/null || missing+=(g++)
  command -v make >/dev/null || missing+=(make)
  [ ${#missing[@]} -gt 0 ] || return 0
  command -v apt-get >/dev/null || { echo "setup.sh: please install ${missing[*]}" >&2; exit 1; }
  as_root apt-get update -qq
  as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# Fetches a package of the npm registry, and unpacks it into a folder of the given name.
unpack() {
  local archive
  archive=$(npm pack --silent "$1")
  mkdir "$2"
  tar xzf "$archive" -C "$2" --strip-components=1
  rm "$archive"
}

# The architecture's own package of Node is the bare program: it has no install script to run.
install_node() {
  unpack "node-linux-$arch@$node" node
  rm -rf node/share node/CHANGELOG.md
  PATH=$PWD/node/bin:$PATH
}

# Both parts come at the versions of the lock files that they ship with.
install_code_server() {
  unpack "code-server@$code_server" code-server
  (cd code-server && npm ci --omit=dev --ignore-scripts)
  # Its lock file leaves out an optional peer, which a plain `npm ci` refuses.
  (cd code-server/lib/vscode && npm ci --omit=dev --ignore-scripts --legacy-peer-deps)
  ln -sf code-linux.sh code-server/lib/vscode/bin/remote-cli/code-server
}

# spdlog writes every log and output channel; the watchdog ends an extension host left alone.
# The other native modules either come compiled or serve what the tests do not use.
compile_native_modules() {
  (cd code-server/lib/vscode &&
    JOBS=2 npm rebuild --nodedir="$PWD/../../../node" @vscode/spdlog @vscode/native-watchdog)
}

drop_unused_parts() (
  cd code-server/lib/vscode
  rm -rf extensions/copilot node_modules/@github node_modules/@microsoft/mxc-sdk \
    node_modules/@vscode/windows-* node_modules/@vscode/spdlog/{deps,build/Release/obj.target} \
    node_modules/node-pty/{deps,third_party} node_modules/node-pty/prebuilds/{win32,darwin}-*
  find node_modules/@vscode/ripgrep-universal/bin -mindepth 1 -maxdepth 1 \
    ! -name "linux-$arch" -exec rm -rf {} +
)

put_into_place() {
  rm -rf node/include "$home/node" "$home/code-server" "$home/bin"
  mv node code-server "$home"
  mkdir "$home/bin"
  cat >"$home/bin/code-server" <<'END'
#!/bin/sh
home=$(cd "$(dirname "$0")/.." && pwd)
exec "$home/node/bin/node" "$home/code-server/out/node/entry.js" "$@"
END
  chmod +x "$home/bin/code-server"
}

install_programs

mkdir -p "$cache/vscode"
home=$(cd "$cache/vscode" && pwd)
stamp=$home/.done-$code_server-$node-$arch
exec 9>"$home/.lock"
flock 9
if [ -e "$stamp" ] && [ -x "$home/bin/code-server" ]; then exit 0; fi

export npm_config_audit=false npm_config_fund=false npm_config_update_notifier=false
export npm_config_loglevel=error
work=$home/build
rm -rf "$work"
mkdir "$work"
cd "$work"
install_node
install_code_server
compile_native_modules
drop_unused_parts
put_into_place
cd "$home"
# Starting it once shows that it can start; it writes a configuration file, kept out of the way.
XDG_CONFIG_HOME=$work "$home/bin/code-server" --version
rm -rf "$work" "$home"/.done-*
touch "$stamp"
