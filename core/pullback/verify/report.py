"""What a comparison of a derivative with differences found, as data and as text.

May not know: how either is computed.
"""

from __future__ import annotations

from dataclasses import dataclass

from .along import Check


class VerificationError(AssertionError):
    """A derivative that finite differences contradict."""


@dataclass(frozen=True)
class Element:
    """One element of one argument: what the derivative says, and what the differences say.

    `error` is their distance relative to `1 + |reference|`, `doubt` the same for the reference alone.
    """

    argument: str
    place: str
    derivative: float
    reference: float
    error: float
    doubt: float


@dataclass(frozen=True)
class Report:
    """What was compared. `unsure` elements have no usable reference (a kink, noise, a pole nearby)."""

    function: str
    kind: str
    compared: int
    left_out: int
    tolerance: float
    wrong: tuple[Element, ...]
    unsure: tuple[Element, ...]
    worst: Element | None
    along: tuple[Check, ...] = ()  # what the tests along a drawn direction found

    @property
    def ok(self) -> bool:
        return not self.wrong and self.compared > 0 and all(c.ok is not False for c in self.along)

    def raise_if_wrong(self) -> None:
        """Raises VerificationError unless the derivative agrees."""
        if not self.ok:
            raise VerificationError(str(self))

    def __str__(self) -> str:
        verdict = "agrees with" if self.ok else "disagrees with"
        if self.compared == 0:
            verdict = "could not be compared with"
        lines = [f"{self.kind} of {self.function} {verdict} finite differences"]
        sampled = f" ({self.left_out} more were not sampled)" if self.left_out else ""
        lines.append(f"  {self.compared} elements compared{sampled}, {len(self.wrong)} wrong")
        if self.compared == 0 and not self.unsure:
            lines.append("  no argument in wrt holds floating numbers; write 1.0 instead of 1")
        if self.unsure:
            e = self.unsure[0]
            why = "(a kink, noise, or a pole nearby)"
            lines.append(f"  {len(self.unsure)} without a usable reference, such as {_at(e)} {why}")
        if self.worst is not None:
            e = self.worst
            lines.append(
                f"  worst: {_at(e)}: derivative {e.derivative:.12g}, reference {e.reference:.12g}, "
                f"error {e.error:.1e} (tolerance {self.tolerance:.1e})"
            )
        marks = {True: "", None: " (cannot tell)", False: " (wrong)"}
        lines += [f"  {c.name}: {c.said}{marks[c.ok]}" for c in self.along]
        return "\n".join(lines)


def _at(e: Element) -> str:
    return f"{e.argument}{e.place}"
