"""Random expressions of a wanted shape, over the variables of a scope."""

from __future__ import annotations

from tests.fuzz.scope import Scope, Shape

SMOOTH = ("np.sin({})", "np.cos({})", "np.tanh({})", "np.exp(-np.square({}))", "np.arctan({})")
BOUNDED = ("np.log(1.5 + {0} * {0})", "np.sqrt(0.5 + np.square({}))", "1.0 / (1.0 + np.exp(-({})))")
KINKED = ("np.abs({})", "np.maximum({}, 0.1)", "np.minimum({}, 0.7)", "np.clip({}, -0.8, 0.9)")
THROUGH_COMPLEX = (
    "np.real(np.exp(1j * ({0})) * (1.5 - 0.5j))",
    "np.abs(1.0 + (0.3 + 2j) * ({0}))",
    "((0.5 + ({0}) * 1j) ** 2 / (2.0 - 1j)).imag",
    "np.sqrt(({0}) * 1j + 2.0).real",
)
CONSTANTS = ("0.5", "0.3", "1.5", "2.0", "-0.7", "1.0", "2", "0.1")


def number(sc: Scope, depth: int = 2) -> str:
    """An expression whose value is a number."""
    if depth <= 0:
        return _number_leaf(sc)
    makers = [_number_leaf, _number_binary, _number_binary, _number_function]
    if sc.arrays():
        makers += [_reduction, _reduction, _element, _inner_product]
    if depth > 1:
        makers += [_conditional]
    makers += [_call_number] if sc.helpers else []
    return sc.pick(makers)(sc, depth - 1)


def _number_leaf(sc: Scope, depth: int = 0) -> str:
    names = sc.of_shape(())
    if names and sc.chance(0.85):
        return sc.recent(names)
    if sc.arrays(1) and sc.chance(0.7):
        return _element(sc, 0)
    if sc.ints and sc.chance(0.2):
        return f"float({sc.pick(list(sc.ints))})"
    return sc.pick(CONSTANTS)


def _number_binary(sc: Scope, depth: int) -> str:
    return _binary(sc, number(sc, depth), number(sc, depth))


def _binary(sc: Scope, a: str, b: str) -> str:
    form = sc.pick(
        (
            "{a} + {b}",
            "{a} - {b}",
            "{a} * {b}",
            "{a} * {b}",
            "({a}) / (2.0 + ({b}) ** 2)",
            "({a}) ** 2 + {b}",
            "{a} - ({b}) * 0.5",
            "-({a}) + {b}",
        )
    )
    return form.format(a=_grouped(a), b=_grouped(b))


def _grouped(e: str) -> str:
    """`e` as an operand."""
    plain = all(c.isalnum() or c in "_.[]" for c in e)
    return e if plain else f"({e})"


def _number_function(sc: Scope, depth: int) -> str:
    forms = (
        *SMOOTH,
        *BOUNDED,
        *KINKED,
        sc.pick(THROUGH_COMPLEX),
        "math.sin({})",
        "max({}, 0.2)",
        "min({}, 0.9)",
        "abs({})",
    )
    return sc.pick(forms).format(number(sc, depth))


def _reduction(sc: Scope, depth: int) -> str:
    name = sc.recent(sc.arrays())
    shape = sc.floats[name]
    inside = name if sc.chance(0.5) else array(sc, shape, depth)
    forms = [
        "np.sum({})",
        "np.mean({})",
        "np.max({})",
        "np.sum({} ** 2)",
        "np.prod({})",
        "np.min({})",
    ]
    if inside == name:
        forms += ["{}.sum()", "{}.mean()", "{}.max()"]
    return sc.pick(forms).format(_grouped(inside) if "**" in inside else inside)


def _element(sc: Scope, depth: int) -> str:
    name = sc.recent(sc.arrays())
    return f"{name}[{', '.join(position(sc, n) for n in sc.floats[name])}]"


def _inner_product(sc: Scope, depth: int) -> str:
    name = sc.recent(sc.arrays())
    shape = sc.floats[name]
    if len(shape) != 1:
        return f"np.sum({name} * {array(sc, shape, depth)})"
    form = sc.pick(("np.dot({}, {})", "{} @ {}", "np.sum({} * {})"))
    return form.format(name, _grouped(array(sc, shape, depth)))


def _conditional(sc: Scope, depth: int) -> str:
    return f"({number(sc, depth)} if {condition(sc)} else {number(sc, depth)})"


def _call_number(sc: Scope, depth: int) -> str:
    able = [h for h in sc.helpers if h.results == ((),)]
    return call(sc, sc.pick(able), depth) if able else number(sc, depth)


def call(sc: Scope, helper: object, depth: int) -> str:
    """A call of a helper, some arguments by keyword, defaults sometimes left out."""
    out = []
    keywords = False
    for name, shape, default in helper.params:  # type: ignore[attr-defined]
        if default and sc.chance(0.5):
            keywords = True
            continue
        value = expression(sc, shape, depth)
        keywords = keywords or sc.chance(0.15)
        out.append(f"{name}={value}" if keywords else value)
    return f"{helper.name}({', '.join(out)})"  # type: ignore[attr-defined]


def condition(sc: Scope) -> str:
    """A test on values."""
    choices = ["{a} > {c}", "{a} < {b}", "{a} >= {c} and {b} < 1.5", "not {a} > {b}"]
    if sc.ints:
        choices += ["{i} > 1", "{i} % 2 == 0", "{i} == 0"]
    values = {"a": number(sc, 1), "b": number(sc, 0), "c": sc.pick(CONSTANTS)}
    values["i"] = sc.pick(list(sc.ints)) if sc.ints else "0"
    return sc.pick(choices).format(**values)


# --- subscripts ----------------------------------------------------------------------------------


def position(sc: Scope, size: int) -> str:
    """An index into an axis of `size`, from a constant or a variable that fits."""
    fitting = [n for n, (lo, hi) in sc.ints.items() if lo >= -size and hi < size]
    if fitting and sc.chance(0.75):
        name = sc.pick(fitting)
        lo, hi = sc.ints[name]
        forms = ["{}", "{}", "{}"]
        if lo - 1 >= -size:
            forms.append("{} - 1")
        if hi + 1 < size:
            forms.append("{} + 1")
        if lo >= 0:
            forms.append("-1 - {}")
        return sc.pick(forms).format(name)
    wide = list(sc.ints)
    if wide and sc.chance(0.3):
        return f"{sc.pick(wide)} % {size}"
    return str(sc.r.randrange(-size, size))


def slicing(sc: Scope, size: int) -> tuple[str, int]:
    """A slice of an axis, and how long what it gives is."""
    options = [
        (":", None),
        ("1:", None),
        (":-1", None),
        ("::2", None),
        ("::-1", None),
        ("1::2", None),
    ]
    options += [(":2", None), ("-2:", None), ("1:-1", None), ("2::-1", None)]
    fitting = [n for n, (lo, hi) in sc.ints.items() if lo == hi and 0 <= lo < size]
    if fitting and sc.chance(0.4):
        n = sc.pick(fitting)
        lo = sc.ints[n][0]
        return f"{n}:", size - lo
    text, _ = sc.pick(options)
    parts = [int(p) if p else None for p in text.split(":")]
    length = len(range(size)[slice(*parts)])
    return (text, length) if length > 0 else (":", size)


def subscripts(sc: Scope, shape: Shape) -> tuple[str, Shape]:
    """A basic subscript of an array: its text and the shape of what it gives (never a number)."""
    items: list[str] = []
    out: list[int] = []
    for axis, size in enumerate(shape):
        last_chance = not out and axis == len(shape) - 1
        if not last_chance and len(shape) > 1 and sc.chance(0.5):
            items.append(position(sc, size))
        else:
            text, length = slicing(sc, size)
            items.append(text)
            out.append(length)
        if out and len(items) < len(shape) and sc.chance(0.3):
            out += shape[len(items) :]
            break
    if len(shape) > 1 and len(items) == 1 and not any(":" in i for i in items):
        out = list(shape[1:])
    return ", ".join(items), tuple(out)


# --- arrays --------------------------------------------------------------------------------------


def expression(sc: Scope, shape: Shape, depth: int = 2) -> str:
    return array(sc, shape, depth) if shape else number(sc, depth)


def array(sc: Scope, shape: Shape, depth: int = 2) -> str:
    """An expression whose value is an array of that shape."""
    if depth <= 0:
        return _array_leaf(sc, shape)
    makers = [_array_leaf, _array_binary, _array_binary, _array_binary, _elementwise, _elementwise]
    makers += [_where, _from_part, _structured, _structured]
    able = [h for h in sc.helpers if h.results == (shape,)]
    if able and sc.chance(0.25):
        return call(sc, sc.pick(able), depth - 1)
    return sc.pick(makers)(sc, shape, depth - 1)


def _array_leaf(sc: Scope, shape: Shape, depth: int = 0) -> str:
    names = sc.of_shape(shape)
    if names and sc.chance(0.9):
        return sc.recent(names)
    if sc.chance(0.5):
        return _from_part(sc, shape, 0)
    return f"{_number_leaf(sc)} * np.ones({_literal(shape)})"


def _literal(shape: Shape) -> str:
    return str(shape[0]) if len(shape) == 1 else str(shape)


def _array_binary(sc: Scope, shape: Shape, depth: int) -> str:
    a, b = array(sc, shape, depth), _partner(sc, shape, depth)
    return _binary(sc, a, b) if sc.chance(0.5) else _binary(sc, b, a)


def _partner(sc: Scope, shape: Shape, depth: int) -> str:
    """Something that broadcasts to `shape`."""
    options = [shape, shape, ()]
    if len(shape) == 2:
        options += [shape[1:], (shape[0], 1), (1, shape[1])]
    wanted = sc.pick(options)
    if wanted == (shape[0], 1) and len(shape) == 2:
        column = array(sc, shape[:1], 0)
        whole = _grouped(array(sc, shape, 0))
        forms = (f"{_grouped(column)}[:, None]", f"np.sum({whole}, axis=1, keepdims=True)")
        return sc.pick(forms)
    if wanted == (1, shape[-1]) and len(shape) == 2:
        return f"np.mean({array(sc, shape, 0)}, axis=0, keepdims=True)"
    return expression(sc, wanted, depth)


def _elementwise(sc: Scope, shape: Shape, depth: int) -> str:
    forms = (*SMOOTH, *SMOOTH, *BOUNDED, *KINKED, sc.pick(THROUGH_COMPLEX))
    return sc.pick(forms).format(_grouped(array(sc, shape, depth)))


def _where(sc: Scope, shape: Shape, depth: int) -> str:
    test = f"{_grouped(array(sc, shape, 0))} > {sc.pick(CONSTANTS)}"
    if sc.chance(0.3):
        return f"np.maximum({array(sc, shape, depth)}, {_partner(sc, shape, 0)})"
    return f"np.where({test}, {array(sc, shape, depth)}, {_partner(sc, shape, 0)})"


def _from_part(sc: Scope, shape: Shape, depth: int) -> str:
    """A subscript of a variable that has the shape, found by trying."""
    for _ in range(4):
        names = sc.arrays()
        if not names:
            break
        name = sc.recent(names)
        if len(shape) == 1 and sc.chance(0.25):
            chosen = _by_array(sc, name, shape)
            if chosen:
                return chosen
        text, got = subscripts(sc, sc.floats[name])
        if got == shape:
            return f"{name}[{text}]"
    return (
        f"{sc.pick(CONSTANTS)} * np.ones({_literal(shape)})" if depth == 0 else array(sc, shape, 0)
    )


def _by_array(sc: Scope, name: str, shape: Shape) -> str:
    own = sc.floats[name]
    indices = [n for n, s in sc.index_arrays.items() if s == shape and len(own) == 1]
    if indices and own[0] >= 3:
        return f"{name}[{sc.pick(indices)}]"
    return ""


def _structured(sc: Scope, shape: Shape, depth: int) -> str:
    makers = _VECTORS if len(shape) == 1 else _MATRICES
    return sc.pick(makers)(sc, shape, depth)


def _display(sc: Scope, shape: Shape, depth: int) -> str:
    if len(shape) == 2:
        rows = ", ".join(array(sc, shape[1:], 0) for _ in range(shape[0]))
        return f"np.{sc.pick(('array', 'stack'))}([{rows}])"
    return f"np.array([{', '.join(number(sc, min(depth, 1)) for _ in range(shape[0]))}])"


def _product(sc: Scope, shape: Shape, depth: int) -> str:
    able = [n for n in sc.arrays(2) if sc.floats[n][0] == shape[0]]
    if not able:
        return array(sc, shape, depth)
    name = sc.recent(able)
    right = _grouped(array(sc, (sc.floats[name][1],), depth))
    return sc.pick((f"{name} @ {right}", f"np.dot({name}, {right})", f"{name}.dot({right})"))


def _left_product(sc: Scope, shape: Shape, depth: int) -> str:
    able = [n for n in sc.arrays(2) if sc.floats[n][1] == shape[0]]
    if not able:
        return array(sc, shape, depth)
    name = sc.recent(able)
    left = _grouped(array(sc, (sc.floats[name][0],), depth))
    return sc.pick((f"{left} @ {name}", f"{name}.T @ {left}", f"np.dot({left}, {name})"))


def _reduced(sc: Scope, shape: Shape, depth: int) -> str:
    able = [n for n in sc.arrays(2) if shape[0] in sc.floats[n]]
    if not able:
        return array(sc, shape, depth)
    name = sc.recent(able)
    axis = 1 if sc.floats[name][0] == shape[0] else 0
    axis = axis - 2 if sc.chance(0.2) else axis
    inner = _grouped(array(sc, sc.floats[name], depth)) if sc.chance(0.4) else name
    return f"np.{sc.pick(('sum', 'mean', 'max', 'sum'))}({inner}, axis={axis})"


def _joined(sc: Scope, shape: Shape, depth: int) -> str:
    k = sc.r.randrange(1, shape[0]) if shape[0] > 1 else 1
    if k >= shape[0]:
        return array(sc, shape, depth)
    first = array(sc, (k, *shape[1:]), 0)
    second = array(sc, (shape[0] - k, *shape[1:]), 0)
    return f"np.concatenate([{first}, {second}])"


def _running(sc: Scope, shape: Shape, depth: int) -> str:
    form = sc.pick(
        ("np.cumsum({})", "{}[::-1]", "np.copy({})", "np.diff({}, append=0.5)", "{}.copy()")
    )
    return form.format(_grouped(array(sc, shape, depth)))


def _flattened(sc: Scope, shape: Shape, depth: int) -> str:
    for name in sc.arrays(2):
        n, m = sc.floats[name]
        if n * m == shape[0]:
            return sc.pick((f"{name}.ravel()", f"{name}.reshape(-1)", f"{name}.T.flatten()"))
    return array(sc, shape, depth)


def _outer(sc: Scope, shape: Shape, depth: int) -> str:
    a, b = array(sc, shape[:1], depth), array(sc, shape[1:], depth)
    form = sc.pick(
        ("np.outer({a}, {b})", "{a}[:, None] * {b}", "{a}[:, np.newaxis] + {b}[None, :]")
    )
    return form.format(a=_grouped(a), b=_grouped(b))


def _matrix_product(sc: Scope, shape: Shape, depth: int) -> str:
    able = [n for n in sc.arrays(2) if sc.floats[n][0] == shape[0]]
    if not able:
        return array(sc, shape, depth)
    name = sc.recent(able)
    return f"{name} @ {_grouped(array(sc, (sc.floats[name][1], shape[1]), depth))}"


def _transposed(sc: Scope, shape: Shape, depth: int) -> str:
    inner = _grouped(array(sc, shape[::-1], depth))
    return sc.pick(("{}.T", "np.transpose({})", "{}.transpose()")).format(inner)


def _reshaped(sc: Scope, shape: Shape, depth: int) -> str:
    inner = _grouped(array(sc, shape[::-1], depth))
    return sc.pick(("{}.reshape({}, {})", "np.reshape({}, ({}, {}))")).format(inner, *shape)


_VECTORS = (_display, _product, _left_product, _reduced, _joined, _running, _flattened)
_MATRICES = (_display, _outer, _matrix_product, _transposed, _joined, _reshaped)
