#!/bin/sh
# Opens the tests' module in Neovim, set up as docs/editors.md says, with this checkout's server behind Neovim's
# own client, and checks what a user sees.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
# ./test makes .venv; elsewhere the python3 of the PATH has to have Pullback's packages.
python=$root/.venv/bin/python
[ -x "$python" ] || python=python3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PYTHONPATH="$root/core:$root/server" PAGE="$root/docs/editors.md"
export XDG_STATE_HOME="$folder" XDG_CACHE_HOME="$folder" XDG_DATA_HOME="$folder"

# What the command line makes of the module is what the editor has to make of it.
cp "$here/../model.py" "$folder/model.py"
cp "$folder/model.py" "$folder/expected.py"
"$python" -c 'import sys; from pullback.cli import main; sys.exit(main())' \
  grad "$folder/expected.py::logistic_loss" --write >/dev/null

export MODEL="$folder/model.py" EXPECTED="$folder/expected.py"
. "$here/../installed.sh" # pullback-server on the PATH
timeout 120 nvim --headless -u NONE -i NONE -n -c "luafile $here/check.lua"
if [ -e "$folder/model.trace" ]; then
  echo "FAILED: the module was run" >&2
  exit 1
fi
