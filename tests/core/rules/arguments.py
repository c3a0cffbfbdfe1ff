"""Strategies for the arguments of a known function, made from its entry in the table.

An elementwise entry says where its parameters live: shapes that broadcast are drawn for them. Of a reduction,
shape and axes are drawn. Any other entry has samples: of each is drawn what its text leaves open, which is how
long its axes are (those of equal length stay so), its values, and whether its axis is counted from the end.
Of all, how the arrays lie in memory, and how precise their numbers are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import mutually_broadcastable_shapes

from pullback.rules.notation import Rule

from . import harness
from .harness import Sample

SIDES = st.integers(0, 4)
SEEDS = st.integers(0, 2**16)


@dataclass(frozen=True)
class Drawn:
    """One call: its arguments, and the same numbers in double precision."""

    sample: Sample
    exact: Sample
    kind: str  # "double", "single" or "complex"


def arguments(rule: Rule, name: str, on_complex: Rule | None) -> st.SearchStrategy[Drawn]:
    """Arguments of one call of the function; complex ones too where an entry is given for them."""
    layouts = st.lists(st.sampled_from(sorted(LAYOUTS)), min_size=4, max_size=4)
    reals = st.builds(_laid_out, _plain(rule, name), layouts, st.sampled_from(["double", "single"]))
    if on_complex is None:
        return reals
    return st.one_of(
        reals, reals, st.builds(_laid_out, _plain(on_complex, name), layouts, st.just("complex"))
    )


def _plain(rule: Rule, name: str) -> st.SearchStrategy[Sample]:
    if rule.kind == "elementwise" and not rule.samples:
        return _elementwise(rule, name.startswith(("math.", "builtins.")))
    if rule.shape.startswith("reduce "):
        return st.one_of(_reduction(rule), _varied(rule))
    return _varied(rule)


# --- what an entry leaves open -------------------------------------------------------------------


@st.composite
def _elementwise(draw: Any, rule: Rule, scalars_only: bool) -> Sample:
    """Numbers and arrays of shapes that broadcast together."""
    words = harness.domains(rule)
    rng = np.random.default_rng(draw(SEEDS))
    if scalars_only:
        shapes: tuple[Any, ...] = (None,) * len(words)
    else:
        shapes = draw(
            mutually_broadcastable_shapes(num_shapes=len(words), max_dims=3, min_side=0, max_side=3)
        ).input_shapes
        number = st.booleans() if len(words) > 1 else st.just(False)
        shapes = tuple(None if not s and draw(number) else s for s in shapes)
    args = [
        harness.draw(rng, word, ()).item() if s is None else np.asarray(harness.draw(rng, word, s))
        for word, s in zip(words, shapes)
    ]
    return Sample(tuple(args), {}, f"generated, shapes {shapes}")


@st.composite
def _reduction(draw: Any, rule: Rule) -> Sample:
    """An array, the axes to reduce, and whether they are kept; everything else as in a sample."""
    base = _evaluated(draw(st.sampled_from(rule.samples[:1])), draw(SEEDS), {})
    least = 1 if "axis=0" in rule.signature or "scipy" in rule.names[0] else 0
    shape = draw(st.lists(SIDES, min_size=least, max_size=3).map(tuple))
    rng = np.random.default_rng(draw(SEEDS))
    kwargs: dict[str, Any] = {}
    many = any("axis=(" in s for s in rule.samples)
    axis = draw(_axes(len(shape), many))
    if axis is not None or draw(st.booleans()):
        kwargs["axis"] = axis
    if "keepdims" in rule.signature and draw(st.booleans()):
        kwargs["keepdims"] = True
    return Sample((rng.normal(size=shape), *base.args[1:]), kwargs, f"shape {shape}, {kwargs}")


def _axes(rank: int, many: bool) -> st.SearchStrategy[Any]:
    """None, an axis, or several: counted from either end."""
    if rank == 0:
        return st.none()
    one = st.integers(-rank, rank - 1)
    several = st.lists(one, min_size=1, max_size=rank, unique_by=lambda a: a % rank).map(tuple)
    return st.one_of(st.none(), one, several) if many else st.one_of(st.none(), one)


@st.composite
def _varied(draw: Any, rule: Rule) -> Sample:
    """A sample of the entry with other lengths and values."""
    text = draw(st.sampled_from(harness.sample_texts(rule)))
    sizes = draw(st.dictionaries(st.integers(1, 7), SIDES, max_size=4))
    sample = _evaluated(text, draw(SEEDS), sizes)
    places = harness.places(rule, sample)
    where = places.get("axis")
    if where is not None and isinstance(sample.value(where), int) and draw(st.booleans()):
        rank = np.ndim(sample.args[0])
        axis = sample.value(where)
        sample = sample.replaced(where, axis - rank if axis >= 0 else axis + rank)
    return sample


def _evaluated(text: str, seed: int, sizes: dict[int, int]) -> Sample:
    args, kwargs = eval(f"call({text})", harness.sampler(seed, lambda n: sizes.get(n, n)))
    return Sample(args, kwargs, f"{text}, lengths {sizes}" if sizes else text)


# --- layout and precision ------------------------------------------------------------------------

LAYOUTS: dict[str, Callable[[Any], Any]] = {
    "rows": np.ascontiguousarray,
    "columns": np.asfortranarray,
    "backwards": lambda x: np.ascontiguousarray(x[::-1])[::-1],
    "every second": lambda x: np.repeat(x, 2, axis=-1)[..., ::2],
}


def _laid_out(sample: Sample, layouts: list[str], kind: str) -> Drawn:
    if kind == "complex":
        sample = harness.turned(sample)
    if kind == "single":
        sample = harness.narrowed(sample) or sample
    exact = harness.mapped(sample, lambda v: v.astype(np.promote_types(v.dtype, np.float64)))
    chosen = iter(layouts)

    def lay(v: Any) -> Any:
        return LAYOUTS[next(chosen, "rows")](v) if v.ndim else v

    laid = harness.mapped(sample, lay)
    text = f"{laid.text}, {kind}, {layouts}"
    return Drawn(Sample(laid.args, laid.kwargs, text), exact, kind)
