"""Compare a function's derivative with finite differences, for the command Check Gradient.

The extension runs `python check.py FILE FUNCTION KIND ARGUMENTS` in a trusted workspace: FILE is
imported, ARGUMENTS is evaluated. The packages are those of the Python that runs this, NumPy among
them; of those that lie beside this file only the parser is taken. Exit codes: 0 they agree, 1 they
do not, 2 something could not be run; what is printed says more.
"""

import os
import sys


def main(file, function, kind, arguments):
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:1] = [os.path.join(here, "app"), os.path.join(here, "libs")]
    import gast  # noqa: F401

    del sys.path[1]
    from pullback.files import Unreadable, read
    from pullback.running import Failed, verified

    try:
        report = verified(read(file), function, arguments, kind, None)
    except (Failed, Unreadable) as error:
        print(error)
        return 2
    print(report)
    return 0 if report.ok else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
