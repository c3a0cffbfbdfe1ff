# Sourced: puts a pullback-server of this checkout on the PATH, as an installation would. Needs $folder and $python.
mkdir "$folder/bin"
printf '#!/bin/sh\nexec "%s" -m pullback_server "$@"\n' "$python" >"$folder/bin/pullback-server"
chmod +x "$folder/bin/pullback-server"
export PATH="$folder/bin:$PATH"
