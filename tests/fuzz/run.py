"""Hunts for wrong derivatives as long as asked, and writes the smallest programs that show them.

python -m tests.fuzz.run --minutes 5 --seed 1 [--out DIRECTORY]
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from pathlib import Path

from tests.fuzz.oracle import Verdict, judge
from tests.fuzz.programs import Program, program
from tests.fuzz.shrink import shrink


def main() -> int:
    options = _options()
    end = time.monotonic() + 60 * options.minutes
    counts: Counter[str] = Counter()
    codes: Counter[str] = Counter()
    seen: Counter[tuple[str, str]] = Counter()
    seed = options.seed * 1_000_000
    while time.monotonic() < end:
        seed += 1
        p = program(random.Random(seed))
        kinds = ("vjp", "jvp", "grad", "value_and_grad") if p.scalar else ("vjp", "jvp")
        kind = kinds[seed % len(kinds)]
        verdict = judge(p, kind)
        counts[verdict.kind] += 1
        if verdict.kind == "refused":
            codes[verdict.detail] += 1
        if verdict.kind != "wrong":
            continue
        seen[verdict.signature] += 1
        if seen[verdict.signature] <= options.each:
            show(seed, *_smallest(p, verdict, kind), kind, options.out)
    print(summary(counts, codes))
    return 1 if counts["wrong"] else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Hunt for wrong derivatives.")
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", type=int, default=3, help="findings of one kind to shrink")
    parser.add_argument("--out", type=Path, help="a directory for the programs found")
    return parser.parse_args()


def _smallest(p: Program, verdict: Verdict, kind: str) -> tuple[Program, Verdict]:
    small = shrink(p, lambda q: judge(q, kind, twice=False).signature == verdict.signature)
    return small, judge(small, kind)


def show(seed: int, p: Program, verdict: Verdict, kind: str, out: Path | None) -> None:
    text = "\n".join(
        [
            f"# seed {seed}, {kind} wrt {', '.join(p.wrt)}: {verdict.detail}",
            p.source.strip(),
            f"# args {p.args!r}".replace("\n", ""),
            *(f"#> {line}" for line in verdict.text.splitlines()),
        ]
    )
    print(text, end="\n\n" + "=" * 80 + "\n", flush=True)
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        (out / f"found_{seed}.py").write_text(text + "\n", encoding="utf-8")


def summary(counts: Counter[str], codes: Counter[str]) -> str:
    """The shares of the verdicts, and what was refused for."""
    suited = sum(counts.values()) - counts["unsuited"]
    shares = [
        f"{k} {counts[k]} ({100 * counts[k] / max(suited, 1):.1f}%)"
        for k in ("right", "refused", "wrong")
    ]
    refused = ", ".join(f"{c} {n}" for c, n in codes.most_common())
    return f"{', '.join(shares)}; {counts['unsuited']} unsuited\nrefused: {refused}"


if __name__ == "__main__":
    raise SystemExit(main())
