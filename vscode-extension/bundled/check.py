"""Compare a function's derivative with finite differences, for the command Check Gradient.

The extension runs `python check.py FILE FUNCTION KIND ARGUMENTS MEGABYTES` in a trusted workspace:
FILE is imported, ARGUMENTS is evaluated, and no more memory than MEGABYTES is to be had where the
system keeps such limits. The packages are those of the Python that runs this, NumPy among them; of
those that lie beside this file only the parser is taken. When standard input ends, the editor is
gone, and this ends with all that it started. Exit codes: 0 they agree, 1 they do not, 2 something
could not be run; what is printed says more.
"""

import os
import signal
import sys
import threading


def main(file, function, kind, arguments, megabytes):
    end_with_the_editor()
    limit_memory(float(megabytes))
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:1] = [os.path.join(here, "app"), os.path.join(here, "libs")]
    import gast  # noqa: F401

    del sys.path[1]
    from pullback.files import Unreadable, read
    from pullback.running import Failed, verified

    try:
        report = verified(read(file), function, arguments, kind, None)
    except (Failed, Unreadable) as error:
        full = isinstance(error.__cause__, MemoryError)
        print(f"{error} (pullback.checkMegabytes is {megabytes})" if full else error)
        return 2
    print(report)
    return 0 if report.ok else 1


def end_with_the_editor():
    """Kills this process and its children when the pipe from the editor closes; nobody else reads from it."""
    pipe = os.dup(0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)

    def wait():
        while os.read(pipe, 1024):
            pass
        if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
            os.killpg(0, signal.SIGKILL)
        os._exit(2)

    threading.Thread(target=wait, daemon=True).start()


def limit_memory(megabytes):
    try:
        import resource
    except ImportError:  # Windows keeps no such limit
        return
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    wanted = int(megabytes * 2**20)
    if most == resource.RLIM_INFINITY or wanted < most:
        resource.setrlimit(resource.RLIMIT_DATA, (wanted, wanted))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
