"""Start Pullback's language server with the packages that lie beside this file, and no others.

The extension runs `python -I -S start.py`: isolated, without site-packages. Nothing in the
workspace, the current folder, PYTHONPATH or the user's packages can stand in for what is
imported here. The first lines are for any Python, so that an old one gets a word, not a traceback.
"""

import sys

if sys.version_info < (3, 10):  # noqa: UP036
    sys.exit("Pullback needs Python 3.10 or newer; %s is %s" % (sys.executable, sys.version.split()[0]))  # noqa: UP031


def main():
    import os

    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:0] = [os.path.join(here, "app"), os.path.join(here, "libs")]
    from pullback_server.__main__ import main as serve

    sys.exit(serve(["--stdio"]))


if __name__ == "__main__":
    main()
