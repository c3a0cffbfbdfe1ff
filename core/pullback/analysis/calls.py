"""What a call gives: through the rule table, for NumPy's structural functions, for the workspace's own.

May not know: the transformation.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from ..ir import Assign, Barrier, Call, Const, Expr, Name, Opaque, Star, Tuple, is_expr, statements
from ..ir.marks import is_mark
from ..rules import STRUCTURAL, Rule, known_values, lacking, rule_for, rule_on_complex
from . import containers, iterators, marks, several, solvers, structure
from .facts import ATTRIBUTE, Val
from .index_arrays import index_arrays, names_each_once
from .shapes import dim_of, result_shape, shape_of
from .signatures import Bound, bind, default_of, misfit, parameters
from .structure import DISPLAYS, REWRITTEN, STACKING, spelling
from .types import (
    MISSING,
    SCALAR,
    Atoms,
    Dim,
    Type,
    broadcast,
    floating,
    fresh,
    leaf_dtype,
    may_be_complex,
    promote,
    scalar,
    with_names,
)

if TYPE_CHECKING:
    from .evaluate import Evaluator

_TEXTS = ("builtins.str", "builtins.repr", "builtins.format")
_WRITTEN = Type("str", dtype="inexact")  # a number as text
_MAY_BE_NUMBERS = {
    "dot",
    "matmul",
    "reduce",
    "summed",
    "take",
}  # what arrays may come to, by their ranks
# what gives an array where other functions give a number
_ARRAYS = {
    f"numpy.{name}"
    for name in ("where", "copy", "tensordot", "full_like", "squeeze", "transpose", "broadcast_to")
} | {"method.copy"}
_HARMLESS = ("builtins.", "math.", "numpy.", "attr.", "itertools.")
RANDOM = ("numpy.random.", "random.")
_NEW = re.compile(
    r"^new(?=\.|$)"
)  # what stands for memory that a call makes, or for a part of that
_HOLDS_NUMBERS = {"scalar", "array", "number", "any", "list", "tuple"}
# what is added to an element named twice counts twice
ACCUMULATE = {"numpy.add.at": "operator.add", "numpy.subtract.at": "operator.sub"}


def result(walk: Evaluator, e: Call, args: tuple[Val, ...]) -> Val:
    """The Val of call `e`, whose arguments are evaluated."""
    site = walk.site(e)
    taped = walk.taped(e, args)
    if taped is not None:
        return taped
    if is_mark(e):
        return marks.result(walk, e, args)
    if e.fn == "attr.shape":
        return shape_attribute(args[0])
    if e.fn == "builtins.len" and args:
        known = containers.length(args[0].type)
        return Val(known or scalar("int", _length(args[0].type)))
    odd = containers.no_numbers(e, args, site)
    if odd:
        walk.problem("PB110", e.origin, e, construct=odd)
        return _unknown_quiet(args, site)
    held = (
        containers.of_call(walk, e, args, site)
        or containers.constructed(walk, e)
        or containers.of_helper(e, args, site)
    )
    if held is not None:
        return held
    if e.fn in _TEXTS:
        return Val(Type("str", dtype="inexact" if any(a.active for a in args) else "any"))
    if e.fn == "builtins.float" and args and args[0].type == _WRITTEN:
        _refuse(walk, e, "a number that was written as text has no derivative")
    if e.fn == containers.DEEP and len(args) == 1:  # be it an array or a list of them
        return replace(args[0], objs=frozenset((site,)), exact=True, view=False)
    if e.fn in ("attr.ndim", "attr.size", "numpy.ndim", "numpy.size"):
        return Val(scalar("int"))
    if e.fn == "numpy.shape":
        return shape_attribute(args[0])
    if e.fn in ("builtins.int", "builtins.round", "builtins.ord"):
        return Val(scalar("int"))
    if e.fn == "builtins.range":
        return Val(Type("other"))
    indices = iterators.integers(e, walk.facts, site)
    if indices is not None:
        return indices
    if e.fn in ("builtins.enumerate", "builtins.zip", "builtins.reversed"):
        return Val(
            Type("other"),
            frozenset(o for a in args for o in a.objs),
            False,
            True,
            any(a.active for a in args),
        )
    if not e.args and e.kwargs and e.fn in STRUCTURAL:
        return _unknown(walk, e, args)  # what is taken apart is looked for by its position
    if e.fn in DISPLAYS:
        return structure.display(walk, e, args, site)
    if e.fn in STACKING:
        return structure.stacked(walk, e, args, site)
    if e.fn in REWRITTEN:
        return structure.built(walk, e, (*args, *(walk.facts.of(v) for _, v in e.kwargs)), site)
    if e.fn in structure.SOLVERS:
        every = (*args, *(walk.facts.of(v) for _, v in e.kwargs))
        return structure.solved(walk, e, every, site)
    if solvers.solver(e) and not any(
        a.active for a in (*args, *(walk.facts.of(v) for _, v in e.kwargs))
    ):
        return solvers.at_rest_result(site)
    if e.fn == "numpy.einsum":
        return structure.einsum(walk, e, args, site)
    if e.fn in several.REGROUPING:
        return several.regrouped(walk, e, args, site)
    places = index_arrays(e, args, site)
    if places is not None:
        return places
    if e.fn.startswith(RANDOM):
        active = [a for a in args if a.active]
        if active:
            walk.problem("PB305", e.origin, e, name=e.fn.removeprefix("numpy."))
        return Val(Type("number", fresh(site), "float"), frozenset((site,)))
    if e.fn.startswith("operator."):
        small = _integers(e, args)
        if small is not None:
            return small
    rule = rule_of(e, walk.facts.type)
    _writes(walk, e, rule)
    if rule is not None:
        return _by_rule(walk, e, rule, args, site)
    made = (
        None if any(isinstance(a, Star) for a in e.args) else walk.summary(e.fn, e, walk.facts.vals)
    )
    if made is not None:
        _told(walk, e, args)
        return _own(walk, e, site, *made)
    if e.fn.startswith("<helper>."):
        every = (*args, *(walk.facts.of(v) for _, v in e.kwargs))
        if any(a.active for a in every):
            reason = "its second derivative has not been written"
            walk.problem("PB302", e.origin, e, name=e.fn.removeprefix("<helper>."), reason=reason)
        return _unknown_quiet(every, site)
    return _unknown(walk, e, args)


def rule_of(e: Call, type_of: Callable[[Expr], Type]) -> Rule | None:
    """The entry of the function that `e` calls: the one for complex numbers where an argument may be complex."""
    for v in (*e.args, *(v for _, v in e.kwargs)):
        if may_be_complex(leaf_dtype(type_of(v))):
            return rule_on_complex(e.fn)
    return rule_for(e.fn)


def _writes(walk: Evaluator, e: Call, rule: Rule | None) -> None:
    """What a call is known to write into: the argument that its rule names, and `out=`."""
    if walk.stmt is None:
        return
    out = e.args[0] if e.fn in ACCUMULATE and e.args else out_argument(e)
    if out is not None and walk.facts.type(out).kind != "none":
        walk.write(walk.stmt, walk.facts.of(out).objs)
    if rule is not None and rule.writes:
        bound = bind(rule.signature, e) or {}
        target = bound.get(rule.writes)
        if is_expr(target):
            walk.write(walk.stmt, walk.facts.of(target).objs)


def _told(walk: Evaluator, e: Call, args: tuple[Val, ...]) -> None:
    """Arguments that the function called is seen to use as containers."""
    for a, v in zip(e.args, args):
        t = walk.facts.type(a)
        if v.type.kind == "any" and containers.is_container(t) and isinstance(a, Name):
            walk.facts.used_as.setdefault(a.id, t.kind)


def out_argument(e: Call) -> Expr | None:
    """The array that a function of NumPy is told to write its result into."""
    out = dict(e.kwargs).get("out")
    if isinstance(out, Tuple) and len(out.items) == 1:
        out = out.items[0]
    if out is None and _takes_one_more(e):
        out = e.args[-1]
    return None if out == Const(None) or isinstance(out, Tuple) else out


def without_out(e: Call) -> Call:
    """The same call, giving its result as a new array."""
    args = e.args[:-1] if "out" not in dict(e.kwargs) and _takes_one_more(e) else e.args
    return replace(e, args=args, kwargs=tuple((k, v) for k, v in e.kwargs if k != "out"))


def _takes_one_more(e: Call) -> bool:
    """`np.add(a, b, c)`: a function of elements has `out` behind its operands."""
    rule = rule_for(e.fn) if e.fn.startswith("numpy.") else None
    if rule is None or rule.kind != "elementwise" or any(isinstance(a, Star) for a in e.args):
        return False
    return len(e.args) == len(parameters(rule.signature)) + 1


def _own(walk: Evaluator, e: Call, site: str, got: Val, written: frozenset[str]) -> Val:
    """A workspace function: what it makes is told apart by the place of the call."""
    if walk.stmt is not None:
        walk.write(walk.stmt, written)
        walk.facts.attributes |= ATTRIBUTE in written
        if written and any(walk.facts.active(a) for a in (*e.args, *(v for _, v in e.kwargs))):
            walk.problem(
                "PB205", e.origin, e, name=spelling(e), reason="what it writes is not known"
            )
    objs = frozenset(_NEW.sub(site, o) for o in got.objs)
    walk.facts.makes[id(e)] = objs - got.objs
    return replace(got, type=_placed(got.type, site), objs=objs)


def part_of_result(walk: Evaluator, e: Call, k: int, part: Val) -> Val:
    """Part `k` of the tuple that a workspace function gives: memory of its own, where nothing else has it."""
    own = f"{walk.site(e)}.{k}"
    return (
        replace(part, objs=frozenset((own,)), exact=True, view=False) if own in part.objs else part
    )


def _placed(t: Type, site: str) -> Type:
    def name(s: str) -> str:
        return s.replace("new", site) if s == "new" or "new:" in s else s

    return with_names(t, name)


def _unknown(walk: Evaluator, e: Call, args: tuple[Val, ...]) -> Val:
    every = (*args, *(walk.facts.of(v) for _, v in e.kwargs))
    if walk.stmt is not None and not e.fn.startswith(_HARMLESS):
        walk.mutate(walk.stmt, frozenset(o for a in every for o in a.objs))  # nobody knows: it may
    if any(a.active for a in every):
        method = e.fn.startswith(("method.", "attr."))
        name = e.fn.split(".", 1)[1] if method else name_of(e)
        stars = any(isinstance(a, Star) for a in e.args) or any(k == "**" for k, _ in e.kwargs)
        starred = e.fn.startswith(".") and stars
        code = "PB307" if method else "PB113" if starred else "PB301"
        code = "PB108" if _nested(walk, e) else code
        if e.fn in STRUCTURAL:
            _refuse(
                walk, e, "what it takes apart is not given by position, or not told by the text"
            )
        else:
            walk.problem(code, e.origin, e, name=name)
    return _unknown_quiet(every, walk.site(e))


def _nested(walk: Evaluator, e: Call) -> bool:
    """Whether a function is called that this function defines inside itself."""
    if not isinstance(e.callee, Name):
        return isinstance(e.callee, Opaque) and e.callee.kind == "lambda"
    name = e.callee.id
    for s in statements(walk.facts.fn.body):
        if isinstance(s, Barrier) and s.kind == "def" and name in s.writes:
            return True
        if isinstance(s, Assign) and isinstance(s.value, Opaque) and Name(name) in s.targets:
            return s.value.kind == "lambda"
    return False


def shape_attribute(x: Val) -> Val:
    """The shape of a value, as a value."""
    shape = x.type.shape
    if isinstance(shape, tuple):
        return Val(Type("tuple", items=tuple(scalar("int", _counted(d)) for d in shape)))
    return Val(Type("tuple", const=shape))


def _counted(d: Dim) -> object:
    """What is known of a length as a number."""
    return MISSING if d.cut else d if d.sym else d.off


def _length(t: Type) -> object:
    if t.items is not None:
        return len(t.items)
    if isinstance(t.shape, tuple) and t.shape:
        return _counted(t.shape[0])
    if isinstance(t.shape, Atoms) and t.shape.names:
        return Dim("len " + "*".join(sorted(t.shape.names)))
    return MISSING


def _integers(e: Call, args: tuple[Val, ...]) -> Val | None:
    """`n + 1` on known or symbolic integers keeps its value: shapes are made of it."""
    if e.fn not in (
        "operator.add",
        "operator.sub",
        "operator.mul",
        "operator.neg",
        "operator.floordiv",
    ):
        return None
    if not all(a.type.kind == "scalar" and a.type.dtype == "int" for a in args):
        return None
    values = [a.type.const for a in args]
    if all(isinstance(v, int) for v in values):
        if e.fn == "operator.neg":
            return Val(scalar("int", -values[0]))
        a, b = values
        if e.fn == "operator.floordiv":
            return Val(scalar("int", a // b)) if b else Val(scalar("int"))
        return Val(
            scalar(
                "int",
                a + b if e.fn == "operator.add" else a - b if e.fn == "operator.sub" else a * b,
            )
        )
    if len(args) == 2 and e.fn in ("operator.add", "operator.sub"):
        a, b = (dim_of(x.type, "") for x in args)
        sign = 1 if e.fn == "operator.add" else -1
        if a.sym and not b.sym and isinstance(args[1].type.const, int):
            return Val(scalar("int", Dim(a.sym, a.off + sign * b.off)))
        if sign == 1 and b.sym and not a.sym and isinstance(args[0].type.const, int):
            return Val(scalar("int", Dim(b.sym, b.off + a.off)))
    return Val(scalar("int"))


def elementwise(fn: str, vals: tuple[Val, ...], site: str, dtype: str | None = None) -> Val:
    """Fresh memory whose shape is the broadcast of the arguments'."""
    shape = SCALAR
    kinds = set()
    for v in vals:
        s = shape_of(v.type)
        kinds.add(v.type.kind)
        got = broadcast(shape, s) if s is not None else None
        if s is not None and got is None:
            got = fresh(site)
        shape = fresh(site) if got is None else got
    if dtype is None:
        dtype = "bool"
        for v in vals:
            dtype = promote(dtype, v.type.dtype)
        if fn == "operator.truediv" and not floating(dtype):
            dtype = "inexact" if dtype == "any" else "float"
    if fn.startswith("math."):  # gives a number, or raises
        shape, dtype = SCALAR, dtype if dtype in ("int", "bool", "float") else "float"
    active = any(v.active for v in vals) and dtype not in ("int", "bool")
    if shape == SCALAR:
        return Val(scalar(dtype), active=active)
    sure = fn not in ("builtins.max", "builtins.min") and (  # these give one of their arguments
        "array" in kinds or any(k in ("list", "tuple") for k in kinds) or isinstance(shape, tuple)
    )
    return Val(Type("array" if sure else "number", shape, dtype), frozenset((site,)), active=active)


def _by_rule(walk: Evaluator, e: Call, rule: Rule, args: tuple[Val, ...], site: str) -> Val:
    """The rule's result, or the reason why there is none."""
    bound = bind(rule.signature, e)
    every = (*args, *(walk.facts.of(v) for _, v in e.kwargs))
    if _of_another_object(e, every):
        return _unknown(walk, e, args)
    if bound is None:
        if rule.kind == "constant":
            return Val(Type("any", fresh(site)), frozenset((site,)))
        if any(a.active for a in every):
            keyword, reason = misfit(rule.signature, e)
            _refuse(walk, e, reason, lacking(e.fn).get(keyword, ""))
        return replace(_unknown_quiet(every, site), active=any(a.active for a in every))
    active = any(_active_argument(walk, bound, p) for p in rule.reverse)
    if rule.kind == "unsupported":
        if any(a.active for a in every):
            _refuse(walk, e, rule.reason)
        return _unknown_quiet(every, site, rule.dtype)
    for p in _without_derivative(rule, bound):
        if _active_argument(walk, bound, p):
            _refuse(walk, e, f"no derivative in {p!r} is known", rule.because)
    for p, why in lacking(e.fn).items() if active else ():
        if p in bound and bound[p] != default_of(rule.signature, p):
            _refuse(walk, e, f"no rule is written for its argument `{p}`", why)
    for p, values in known_values(e.fn).items() if active else ():
        if isinstance(given := bound.get(p), Const) and given.value not in values:
            _refuse(walk, e, f"no rule is written for `{p}={given.value!r}`")
    return _made(walk, e, rule, bound, active, every, site)


def _refuse(walk: Evaluator, e: Call, reason: str, why: str = "") -> None:
    said = f"{reason}: {why}" if why else reason
    walk.problem("PB302", e.origin, e, name=name_of(e), reason=said)


def _made(
    walk: Evaluator,
    e: Call,
    rule: Rule,
    bound: Bound,
    active: bool,
    every: tuple[Val, ...],
    site: str,
) -> Val:
    """What a call that its rule covers gives: dtype, shape and memory as the entry says."""
    types = argument_types(walk, bound)
    dtype = _dtype(walk, rule, types, bound)
    if rule.results:
        many = several.gives_several(rule, types)
        if many is None or (not many and rule.shape == several.REFUSED):
            if active:
                _refuse(walk, e, f"it is differentiated with {rule.several} written out")
            return _unknown_quiet(every, site, dtype)
        if many:
            items = several.types_of(rule, types, dtype, site)
            t = Type("tuple", items=items, maker=e.fn)
            return Val(t, frozenset((site,)), False, False, active)
    if rule.kind == "elementwise":
        given = (v for p, v in bound.items() if is_expr(v) and types[p].kind != "none")
        numbers = tuple(_val(walk, v) for v in given)
        got = elementwise(e.fn, numbers, site, None if dtype == "promote" else dtype)
        got = replace(got, active=active and got.type.dtype not in ("int", "bool"))
        scalars = got.type.kind == "scalar"
        return _without_axes(walk, e, rule, bound, got, site) if scalars else got
    if active and dtype in ("int", "bool") and _says_dtype(bound):
        walk.problem("PB303", e.origin, e, name=name_of(e))
    shape = result_shape(rule.shape, types, site)
    active = active and dtype not in ("int", "bool")
    if shape == SCALAR:
        return _without_axes(walk, e, rule, bound, Val(scalar(dtype), active=active), site)
    made = rule.shape.startswith("given")  # an array, be its shape empty
    kept = rule.shape.split()[0] not in _MAY_BE_NUMBERS
    some = any(t.kind == "array" for t in types.values())
    sure = made or isinstance(shape, tuple) or (kept and some)
    t = Type(
        "array" if sure else "number",
        shape,
        dtype,
        unique="alone" if e.fn == "numpy.arange" and names_each_once(types) else "",
    )
    memory = _memory(rule, bound)
    if memory == "fresh":
        return Val(t, frozenset((site,)), active=active)
    how, _, param = memory.partition(" ")
    owner = bound.get(param)
    if not is_expr(owner):
        return _unknown_quiet(every, site)
    base = walk.facts.of(owner)
    return Val(t, base.objs, base.exact and how == "view", True, active)


def _without_axes(walk: Evaluator, e: Call, rule: Rule, bound: Bound, got: Val, site: str) -> Val:
    """A number; where the function gives an array for numbers too, one that has no axes and can be written."""
    how, _, param = _memory(rule, bound).partition(" ")
    owner = bound.get(param)
    base = walk.facts.of(owner) if is_expr(owner) else Val()
    if base.objs:
        return replace(got, objs=base.objs, exact=base.exact and how == "view", view=True)
    same = rule.shape.startswith("same") and rule.kind == "constant"
    if same or rule.shape.startswith("given") or e.fn in _ARRAYS:
        return replace(got, objs=frozenset((site,)))
    return got


def _memory(rule: Rule, bound: Bound) -> str:
    """What the rule says, unless the call says `copy=` something else than True."""
    copy = bound.get("copy")
    if rule.memory == "fresh" and copy is not None and copy != Const(True):
        return f"maybe {next(iter(bound))}"
    return rule.memory


def _unknown_quiet(every: tuple[Val, ...], site: str, dtype: str = "any") -> Val:
    """What nothing is known of but that it may be complex where an argument is."""
    objs = frozenset(o for a in every for o in a.objs)
    if any(may_be_complex(leaf_dtype(a.type)) for a in every):
        dtype = "either"
    return Val(Type("any", fresh(site), dtype), objs | {""}, exact=False)


def name_of(e: Call) -> str:
    """What a report calls the function that `e` calls."""
    if e.fn.startswith(("method.", "attr.", "operator.")):
        return e.fn.split(".", 1)[1]
    return spelling(e) or "the function that is called here"


def argument_types(walk: Evaluator, bound: Bound) -> dict[str, Type]:
    """The type of each argument by parameter name, defaults included."""
    out: dict[str, Type] = {}
    for p, v in bound.items():
        if isinstance(v, tuple):
            items = tuple(walk.facts.type(i) for i in v)
            one = len(items) == 1 and p != "args"  # `x.reshape((2, 3))` is `x.reshape(2, 3)`
            out[p] = items[0] if one else Type("tuple", items=items)
        else:
            out[p] = _val(walk, v).type
    return out


def _val(walk: Evaluator, v: Expr) -> Val:
    """An argument, or the default that stands for it."""
    return walk.facts.of(v) if id(v) in walk.facts.vals else walk.evaluate(v, {})


def _active_argument(walk: Evaluator, bound: Bound, p: str) -> bool:
    v = bound.get(p)
    if isinstance(v, tuple):
        return any(walk.facts.active(i) for i in v)
    return v is not None and walk.facts.active(v)


def _of_another_object(e: Call, every: tuple[Val, ...]) -> bool:
    """`xp.sum(x)`: a method of something that nothing is known of, and that is given active values."""
    if not e.fn.startswith("method.") or not every or every[0].active:
        return False
    return every[0].type.kind in ("any", "module", "other") and any(v.active for v in every[1:])


def _without_derivative(rule: Rule, bound: Bound) -> list[str]:
    """The parameters in which a rule gives no derivative; what an elementwise one leaves out is constant."""
    if rule.kind in ("elementwise", "constant") or rule.names[0].startswith("<helper>."):
        return list(rule.refused)
    return [p for p in bound if p not in rule.reverse and p not in rule.lends]


def _says_dtype(bound: Bound) -> bool:
    given = bound.get("dtype")
    return is_expr(given) and not (isinstance(given, Const) and given.value is None)


def _dtype(walk: Evaluator, rule: Rule, types: dict[str, Type], bound: Bound) -> str:
    given = bound.get("dtype")
    if is_expr(given) and not (isinstance(given, Const) and given.value is None):
        return structure.dtype_given(walk, given)
    numeric = _numeric(rule)
    numbers = [t for p, t in types.items() if p in numeric and t.kind in _HOLDS_NUMBERS]
    if rule.dtype == "float":
        complex_too = [leaf_dtype(t) for t in numbers if may_be_complex(leaf_dtype(t))]
        return "complex" if "complex" in complex_too else "either" if complex_too else "float"
    if rule.dtype in ("int", "bool", "complex", "either"):
        return rule.dtype
    if rule.dtype == "real":
        return "float"
    if rule.dtype == "promote":
        out = "bool"
        for t in numbers:
            out = promote(out, leaf_dtype(t))
        return out if numbers else "any"
    return leaf_dtype(types[rule.dtype]) if rule.dtype in types else "any"


def _numeric(rule: Rule) -> set[str]:
    """The parameters that take numbers and arrays; of a constant function the first, where it says no more."""
    params = [p.split("=")[0].strip(" *") for p in rule.signature.split(",")]
    return set(rule.reverse) or set(params if rule.dtype == "promote" else params[:1])
