"""Looks for bytes that break a target, guided by the code that they reach (Atheris).

python -m tests.fuzz.guided text|edits|messages [--runs 10000] [--seed 1] [--corpus DIRECTORY]

It starts from `corpus/TARGET`, and adds what reaches something new to the directory named. The same seed and
runs try the same bytes. What breaks the target is written to a file `crash-…`; it belongs into the corpus, which
`test_targets.py` goes through.
"""

from __future__ import annotations

import argparse
import resource
import sys
from pathlib import Path

import atheris

CORPUS = Path(__file__).parent / "corpus"
LIMIT_MB = 2048  # of what an input may use above what was used before


def main() -> None:
    options = _options()
    with atheris.instrument_imports(include=["pullback", "pullback_server"]):
        from tests.fuzz.targets import TARGETS

    found = [str(options.corpus)] if options.corpus else []
    settings = [f"-runs={options.runs}", f"-seed={options.seed}", "-timeout=60", "-max_len=4096"]
    settings.append(f"-rss_limit_mb={_peak_mb() + LIMIT_MB}")
    words = f"-dict={CORPUS / 'words.dict'}"
    atheris.Setup(
        [sys.argv[0], *settings, words, *found, str(CORPUS / options.target)],
        TARGETS[options.target],
    )
    atheris.Fuzz()


def _peak_mb() -> int:
    """What libFuzzer takes for used already: Linux counts the peak of whoever started this process."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Look for bytes that break a target.")
    parser.add_argument("target", choices=("text", "edits", "messages"))
    parser.add_argument("--runs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--corpus", type=Path, help="a directory for what reaches something new")
    return parser.parse_args()


if __name__ == "__main__":
    main()
