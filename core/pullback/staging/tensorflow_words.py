"""What TensorFlow says: `tf.cond`, `tf.while_loop`, `tf.tensor_scatter_nd_update`, and the names of `tnp`.

Operators of tensors do not mix types, `while_loop` and `cond` pass on tensors of one type only: what is a whole number
beside a float is cast, and a number of Python's becomes a tensor, both of the type that the function's floats have
when it is traced.

May not know: how statements are walked, text.
"""

from __future__ import annotations

from dataclasses import replace

from ..analysis.types import ANY, CONTAINERS, Type, scalar
from ..ir import (
    Assign,
    AugAssign,
    Block,
    Call,
    Compare,
    Const,
    Expr,
    Name,
    Ref,
    Return,
    Slice,
    Star,
    Stmt,
    Tuple,
    duplicate,
    reads,
    rebuild,
)
from ..optimize.build import ADD, MUL, SUB, add, number
from .backend import NUMPY, Backend, Pair
from .bounds import extremes
from .passing import Branch, Loop, Staging, defined
from .static import Static
from .tensorflow_names import (
    ARRAY,
    FLOATING,
    KEPT,
    LACKING,
    METHODS,
    NAMES,
    ONE_ARGUMENT,
    WORDS,
)
from .tensorflow_opening import NOT_ARRAYS, opening
from .words import Words
from .writes import GETITEM, into_container, is_mask, items_of, place_of, selected_by_mask

TF = "tensorflow."
CAST = f"{TF}cast"
INT = Ref(f"{TF}int64", "tf.int64")
_WHOLE = ("int", "bool")
_ITERATED = ("any", "number", "array", "struct")


# --- types ------------------------------------------------------------------------------------------


def _type(words: Words, e: Expr) -> Type:
    """What is known of `e`; what counts turns, and is made of that, is a whole number."""
    if isinstance(e, Name) and e.id in words.counters:
        return scalar("int")
    found = words.static.facts.type(e)
    if found == ANY and isinstance(e, Call) and e.fn in (ADD, SUB, MUL):
        if all(_type(words, a).dtype == "int" for a in e.args):
            return scalar("int")
    return found


def _alike(words: Words, was: Pair, now: Pair) -> Pair:
    """Two operands of one type: a traced whole number beside a float is cast."""
    types = [_type(words, e) for e in was]
    whole = [t.dtype in _WHOLE for t in types]
    if not all(t.numeric() for t in types) or all(t.dtype == "bool" for t in types):
        return now
    out = []
    for e, new, t in zip(was, now, types):
        if words.static.holds(e) or t.dtype not in _WHOLE or (all(whole) and t.dtype == "int"):
            out.append(new)
        else:
            out.append(Call(CAST, (new, INT if all(whole) else words.dtype())))
    return tuple(out)


def _passed(words: Words, value: Expr, number: bool, own: Type, wanted: str) -> Expr:
    if not number and (wanted == "int" or own.dtype not in _WHOLE):
        return value
    kind = words.dtype() if wanted == "float" else INT
    if not number:
        return Call(CAST, (value, kind))
    constant = isinstance(value, Const)
    return Call(f"{TF}constant" if constant else f"{TF}convert_to_tensor", (value, kind))


# --- expressions ------------------------------------------------------------------------------------


def _known(e: Expr, static: Static) -> Expr:
    """What is known of the form of an array: `len(x)` as `x.shape[0]`."""
    new = rebuild(e, lambda part: _known(part, static))
    if not isinstance(e, Call) or not isinstance(new, Call) or not e.args:
        return new
    base, kind = new.args[0], static.facts.type(e.args[0]).kind
    if kind in NOT_ARRAYS or static.holds(e.args[0]):
        return new
    shape = Call("attr.shape", (base,))
    if e.fn == "builtins.len" or (e.fn == "numpy.size" and len(e.args) == 2):
        axis = Const(0) if e.fn == "builtins.len" else new.args[1]
        return Call(GETITEM, (shape, axis))
    if e.fn in ("attr.ndim", "numpy.ndim"):
        return Call("builtins.len", (shape,))
    if e.fn in ("attr.size", "numpy.size"):
        return Call("math.prod", (shape,))
    return shape if e.fn == "numpy.shape" else new


def _said(words: Words, was: Call, now: Call) -> Expr | None:
    if was.fn == GETITEM:
        return _read(words, was, now)
    if was.fn.startswith("method."):
        return _method(words, was, now)
    if was.fn == "operator.matmul":
        return replace(now, fn=f"{ARRAY}matmul")
    if was.fn in ("operator.lshift", "operator.rshift"):
        words.problem(was, was.fn, "TensorFlow has no such operator")
    if was.fn in _PARTS:
        return Call(_PARTS[was.fn], now.args)
    kind = _TYPES.get(was.fn)
    if kind is not None and len(was.args) == 1:
        return Call(CAST, (now.args[0], words.dtype() if kind == "float" else INT))
    if was.fn == "numpy.linalg.solve":
        return _solved(words, was, now)
    if was.fn.startswith((NUMPY, "scipy.", "math.")):
        return _function(words, was, now)
    return None


_PARTS = {
    "attr.T": f"{ARRAY}transpose",
    "attr.real": f"{ARRAY}real",
    "attr.imag": f"{ARRAY}imag",
}
_TYPES = {
    "builtins.float": "float",
    "numpy.float64": "float",
    "builtins.int": "int",
    "numpy.int64": "int",
}


def _function(words: Words, was: Call, now: Call) -> Expr | None:
    """A function of NumPy's, where its arguments are none that TensorFlow takes for something else."""
    lacking = [w for w, _ in was.kwargs if w in LACKING]
    few = was.fn in ONE_ARGUMENT and (len(was.args) > 1 or {w for w, _ in was.kwargs} - set(WORDS))
    if lacking or few:
        words.problem(was, was.fn, "TensorFlow has it with fewer arguments")
    if was.fn == "numpy.expand_dims" and isinstance(was.args[-1], Tuple):
        words.problem(was, was.fn, "TensorFlow puts in one axis at a time")
    if was.fn not in FLOATING or _type(words, was.args[0]).dtype not in _WHOLE:
        return None
    name = NAMES.get(was.fn, ARRAY + was.fn.removeprefix(NUMPY))
    return replace(now, fn=name, args=(Call(CAST, (now.args[0], words.dtype())), *now.args[1:]))


def _solved(words: Words, was: Call, now: Call) -> Expr:
    """A system of equations: TensorFlow takes right-hand sides as columns."""
    a, b = now.args
    rank = words.static.facts.type(was.args[1]).rank()
    if rank == 1:
        column = Call(GETITEM, (b, Tuple((ALL, Const(None)))))
        return Call(GETITEM, (Call(f"{TF}linalg.solve", (a, column)), Tuple((ALL, Const(0)))))
    if rank is None:
        words.problem(was, was.fn, "TensorFlow has to know whether this is a vector or a matrix")
    return Call(f"{TF}linalg.solve", (a, b))


def _method(words: Words, was: Call, now: Call) -> Expr | None:
    """A method of an array as a function of it."""
    name = was.fn.removeprefix("method.")
    base, *given = now.args
    if words.static.facts.type(was.args[0]).kind in NOT_ARRAYS:
        return None
    if name == "astype" and given:
        kind = _TYPES.get(getattr(given[0], "qualname", ""))
        whole = Ref(f"{ARRAY}float64", "tnp.float64") if kind == "float" else INT
        return Call(CAST, (base, whole if kind else given[0]))
    if name in ("reshape", "transpose") and (given or name == "transpose"):
        shape = given[0] if len(given) == 1 else Tuple(tuple(given))
        return Call(f"{ARRAY}{name}", (base, shape) if given else (base,))
    if name in METHODS:
        as_function = replace(was, fn=METHODS[name])
        said = _function(words, as_function, replace(now, fn=METHODS[name]))
        full = NAMES.get(METHODS[name], ARRAY + METHODS[name].removeprefix(NUMPY))
        return said if said is not None else replace(now, fn=full)
    if name not in ("append", "pop", "extend", "item", "tolist", "keys", "values", "items", "get"):
        words.problem(was, name, "TensorFlow has no such method")
    return None


def _parts(words: Words, was: Expr, now: Expr) -> Expr:
    """What a loop of Python's goes through, or what is unpacked: tensors are no iterables where they are traced."""
    if words.static.holds(was) or words.static.facts.type(was).kind not in _ITERATED:
        return now
    return Call("<helper>._items", (now,))


def _truth(words: Words, was: Expr, now: Expr) -> Expr:
    """What decides a branch has to be a truth value."""
    if isinstance(was, Compare) or _type(words, was).dtype == "bool":
        return now
    return Call(CAST, (now, Ref(f"{TF}bool", "tf.bool")))


# --- parts of arrays ----------------------------------------------------------------------------------

ALL = Slice(None, None, None)


def _read(words: Words, was: Call, now: Call) -> Expr | None:
    """What index arrays select: along one axis, or along the first ones together. All else is a subscript."""
    facts = words.static.facts
    items, new = items_of(was.args[1]), items_of(now.args[1])
    if facts.type(was.args[0]).kind in CONTAINERS:
        return None
    arrays = [k for k, i in enumerate(items) if _is_array(facts.type(i))]
    base = now.args[0]
    if len(items) == 1 and _may_be_array(words, items[0]):
        arrays = [0]
    if not arrays:
        return _at_a_place(words, items, new, base)
    if len(arrays) == 1 and all(i == ALL for k, i in enumerate(items) if k != arrays[0]):
        [axis] = arrays
        axes = (("axis", Const(axis)),) if axis else ()
        return Call(f"{TF}gather", (base, _places(new[axis], base, axis)), axes)
    if len(arrays) == len(items) and len({facts.type(i).rank() for i in items}) == 1:
        places = Tuple(tuple(_places(i, base, k) for k, i in enumerate(new)))
        stacked = Call(f"{TF}stack", (places,), (("axis", Const(-1)),))
        return Call(f"{TF}gather_nd", (base, stacked))
    words.problem(
        was, "a subscript", "TensorFlow selects by index arrays along one axis, or along all"
    )
    return None


def _at_a_place(words: Words, items: Pair, new: Pair, base: Expr) -> Expr | None:
    """Slices beside a place that only the run knows: taken one after the other, so that lengths stay known."""
    traced = [
        k for k, i in enumerate(items) if not isinstance(i, Slice) and not words.static.holds(i)
    ]
    if not traced or not any(isinstance(i, Slice) for i in items):
        return None
    if len(traced) > 1 and traced != list(range(len(traced))):
        words.problem(
            items[traced[0]],
            "a subscript",
            "TensorFlow takes such places before slices, not behind",
        )
    if traced == list(range(len(traced))):
        first = new[0] if len(traced) == 1 else Tuple(new[: len(traced)])
        part: Expr = Call(GETITEM, (base, first))
    else:
        axes = (("axis", Const(traced[0])),)
        part = Call(f"{TF}gather", (base, _places(new[traced[0]], base, traced[0])), axes)
    rest = [i for k, i in enumerate(new) if k not in traced]
    if all(i == ALL for i in rest):
        return part
    return Call(GETITEM, (part, rest[0] if len(rest) == 1 else Tuple(tuple(rest))))


def _is_array(t: Type) -> bool:
    return t.kind in ("array", "list")


def _may_be_array(words: Words, index: Expr) -> bool:
    """Whether nothing tells that an index is a number."""
    return not words.static.holds(index) and _type(words, index).kind in ("any", "number")


def _places(index: Expr, base: Expr, axis: int) -> Expr:
    length = Call(GETITEM, (Call("attr.shape", (duplicate(base),)), Const(axis)))
    return Call("<helper>._places", (index, length))


def _stored(work: Staging, s: Assign, was: Expr) -> Stmt | None:
    [target] = s.targets
    if is_mask(target, work.facts):
        return _masked(work, s, target, None, was)
    place = place_of(target, work.words.of, work.facts)
    if place is None:
        return into_container(s, target, work.facts)
    value = _as_element(work, place[0], s.value, was)
    return _written(work, s, target, place, value, f"{TF}tensor_scatter_nd_update")


def _updated(work: Staging, s: AugAssign, was: Expr) -> Stmt | None:
    if is_mask(s.target, work.facts):
        return _masked(work, s, s.target, s.op, was)
    place = place_of(s.target, work.words.of, work.facts)
    if place is None:
        return into_container(s, s.target, work.facts)
    value = _as_element(work, place[0], s.value, was)
    word = _SCATTERS.get(s.op)
    kind = _kind(work, s.target)
    if word is not None and (kind == "element" or (kind == "rows" and s.repeats)):
        return _written(work, s, s.target, place, value, word)
    if s.repeats:
        work.words.problem(
            s.target,
            "a subscript",
            "TensorFlow adds up, and does nothing else, at places named twice",
        )
    old = work.words.of(s.target)
    new = Call(s.op, (old, value))
    return _written(work, s, s.target, place, new, f"{TF}tensor_scatter_nd_update")


_SCATTERS = {
    "operator.add": f"{TF}tensor_scatter_nd_add",
    "operator.sub": f"{TF}tensor_scatter_nd_sub",
}


def _as_element(work: Staging, base: Name, value: Expr, was: Expr) -> Expr:
    """A value in the type of the array that it is stored in."""
    whole = [work.facts.type(e).dtype in _WHOLE for e in (was, base)]
    if whole == [True, False] and not work.is_number(was):
        return Call(CAST, (value, Call("attr.dtype", (duplicate(base),))))
    return value


def _kind(work: Staging, target: Expr) -> str:
    """What a target is: an "element" of places that surely count from the front, "rows" that an index array selects,
    a "part" that numbers and slices select, or "" for what is none of them."""
    assert isinstance(target, Call)
    items = items_of(target.args[1])
    types = [work.facts.type(i) for i in items]
    if any(map(_is_array, types)):
        return "rows" if len(items) == 1 else ""
    if not all(
        isinstance(i, Slice) or t.kind in ("scalar", "any", "number") for i, t in zip(items, types)
    ):
        return ""
    if any(isinstance(i, Slice) for i in items):
        return "part"
    whole = work.facts.type(target.args[0]).rank() == len(items)
    return "element" if whole and all(_from_front(work, i) for i in items) else "part"


def _from_front(work: Staging, index: Expr) -> bool:
    """Whether a place is surely not negative."""
    ends = extremes(index, work.intervals, work.static)
    least = number(ends[0]) if ends is not None else None
    return least is not None and least >= 0


def _written(
    work: Staging,
    s: Assign | AugAssign,
    target: Expr,
    place: tuple[Name, Expr],
    value: Expr,
    word: str,
) -> Assign:
    base, index = place
    kind = _kind(work, target)
    if kind == "element" and not word.endswith("update"):
        made = Call(word, (duplicate(base), Tuple((Tuple(items_of(index)),)), Tuple((value,))))
    elif kind == "rows":
        put = () if word.endswith("update") else (Ref(word, ""),)
        made = Call("<helper>._put_rows", (duplicate(base), index, value, *put))
    else:
        if not kind:
            work.words.problem(
                target, base.id, "TensorFlow writes what numbers, slices or one index array select"
            )
        part = any(isinstance(i, Slice) for i in items_of(index))
        said = Call(GETITEM, (Ref("numpy.s_", "np.s_"), index)) if part else index
        made = Call("<helper>._put", (duplicate(base), said, value))
    return Assign((replace(base),), made, origin=s.origin)


def _masked(
    work: Staging, s: Assign | AugAssign, target: Expr, op: str | None, was: Expr
) -> Stmt | None:
    assert isinstance(target, Call)
    if None in (work.facts.type(e).rank() for e in target.args):
        reason = "TensorFlow has to know how many axes it has, and the array"
        work.words.problem(target, "a mask", reason)
    return selected_by_mask(s, target, op, was, work.words.of, work.facts, ARRAY)


# --- branches and loops -------------------------------------------------------------------------------


def _branch(b: Branch) -> Expr:
    test = Call(f"{TF}convert_to_tensor", (b.test,)) if b.number else b.test
    return Call(f"{TF}cond", (test, *map(Name, b.names)))


def _counted(work: Staging, loop: Loop) -> list[Stmt]:
    """`tf.while_loop` over the number of the turn and what turns pass on."""
    turns, of = loop.turns, work.words.of
    assert turns is not None
    name = turns.counter if turns.counter != "_" else work.namer.fresh("k")
    counter, out = Name(name), list[Stmt]()
    start, stop = of(turns.start), of(turns.stop)
    if not work.static.holds(turns.stop) or reads(stop) & set(loop.state):
        end = Name(work.namer.fresh("stop"))
        out.append(Assign((end,), stop, origin=loop.s.origin, made=True))
        stop = end
    first = _passed(work.words, start, work.is_number(turns.start), scalar("int"), "int")
    test: Expr = Compare(counter, ("<",), (stop,))
    if loop.test is not None:
        test = work.words.both("logical_and", (test, loop.test))
    *before, last = loop.body
    assert isinstance(last, Return) and last.value is not None
    more = (add(duplicate(counter), Const(1)), *_each(last.value, loop.state))
    body = (*before, replace(last, value=Tuple(more)))
    initial = (first, *loop.initial)
    return [*out, *_while_loop(work, loop, [counter.id, *loop.state], initial, test, body)]


def _open(work: Staging, loop: Loop) -> list[Stmt]:
    assert loop.test is not None
    return _while_loop(work, loop, loop.state, loop.initial, loop.test, loop.body)


def _while_loop(
    work: Staging, loop: Loop, names: list[str], initial: tuple[Expr, ...], test: Expr, body: Block
) -> list[Stmt]:
    params = tuple(map(Name, names))
    asked = reads(test)
    read: tuple[Expr, ...] = params
    if asked & set(names) <= {names[0]} and len(names) > 1:
        read = (params[0], Star(Name("_")))
    ask = defined(work, loop.ask, read, (Return(test, made=True),), loop.s)
    made = defined(work, loop.name, params, body, loop.s)
    value = Call(f"{TF}while_loop", (Name(ask.name), Name(made.name), Tuple(initial)))
    given = ("_", *loop.state) if len(names) > len(loop.state) else loop.state
    target = Tuple(tuple(map(Name, given)))
    return [ask, made, Assign((target,), value, origin=loop.s.origin, made=True)]


def _each(value: Expr, state: list[str]) -> tuple[Expr, ...]:
    return value.items if isinstance(value, Tuple) and len(state) > 1 else (value,)


TENSORFLOW = Backend(
    title="TensorFlow",
    decorator=lambda static: "tensorflow.function(autograph=False)",
    array=ARRAY,
    names=NAMES,
    modules={},
    has=lambda name: name in KEPT,
    known=_known,
    alike=_alike,
    said=_said,
    stored=_stored,
    updated=_updated,
    branch=_branch,
    choice=f"{TF}where",
    counted=_counted,
    open=_open,
    passed=_passed,
    opening=opening,
    parts=_parts,
    truth=_truth,
    typed=True,
    stops=True,
)
