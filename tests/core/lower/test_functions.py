"""Functions lowered: statements of every kind, parameters, flags, places, and what is kept between edits."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pullback import ir
from pullback.lower import (
    definitions,
    local_function,
    lower_function,
    qualnames,
    scope_of,
)
from pullback.source.module import Module, parse_module

from .printing import show_block


def lowered(text: str, name: str = "f") -> ir.Function:
    module = parse_module(text)
    assert not module.errors, module.errors
    function = lower_function(module, name)
    assert function is not None
    return function


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("y = x", ["y = x"]),
        ("a = b = x", ["a = b = x"]),
        ("a, (b, *c) = x", ["(a, (b, *c)) = x"]),
        ("x[0, 1:n:2, ..., None] = -1.5", ["operator.getitem(x, (0, 1:n:2, Ellipsis, None)) = -1.5"]),
        ("self.a = x", ["attr.a(&?self) = x"]),
        ("x[:] += n", ["operator.getitem(x, ::) operator.add= n"]),
        ("x @= n", ["x operator.matmul= n"]),
        ("y: float = x", ["y = x"]),
        ("y: float", ["keep annotation |"]),
        ("'note'", ["keep docstring |"]),
        ("...", ["keep constant |"]),
        ("pass", ["keep pass |"]),
        ("print(x, n)", ["keep print x n|"]),
        ("print(f'{x}', np.sum(x))", ["keep print x|"]),
        ("print(x.pop())", ["builtins.print(method.pop(x))"]),
        ("print(g(x))", ["builtins.print(.g(x))"]),
        ("print((y := x))", ["barrier := x|y"]),
        ("(y := x)", ["y = x"]),
        ("y = n + (n := x) * (z := n)", ["held = n", "n = x", "z = n", "y = operator.add(held, operator.mul(n, z))"]),
        ("y = g(x) * (z := g(n))", ["held = .g(x)", "z = .g(n)", "y = operator.mul(held, z)"]),
        ("y = x[n] * (z := x[0])", ["z = operator.getitem(x, 0)", "y = operator.mul(operator.getitem(x, n), z)"]),
        ("n += (n := x)", ["barrier := n x|n"]),
        ("x[(y := n)] = n", ["y = n", "operator.getitem(x, y) = n"]),
        ("y = [z for k in x if (z := k)]", ["y = <comprehension x z|z>"]),
        ("print(np.exp(x, out=x))", ["builtins.print(numpy.exp(x, out=x))"]),
        ("print = x; print(x)", ["print = x", "print(x)"]),
        ("assert x > 0, n", ["keep assert x n|"]),
        ("raise E(x)", ["keep raise x|"]),
        ("import os.path, sys as s", ["keep import |os s"]),
        ("del x", ["keep del |x"]),
        ("del x[n]", ["barrier del x n|x"]),
        ("return", ["return"]),
        ("return x, n", ["return (x, n)"]),
        ("x.sort()", ["method.sort(x)"]),
        ("if x: pass\n    elif n: pass\n    else: return", ["if x", "  keep pass |", "else", "  elif n",
         "    keep pass |", "  else", "    return"]),
        ("if x: pass\n    else:\n        if n: pass", ["if x", "  keep pass |", "else", "  if n", "    keep pass |"]),
        ("for i, z in enumerate(x): break\n    else: pass", ["for (i, z) in builtins.enumerate(x)", "  keep break |",
         "else", "  keep pass |"]),
        ("while x < n: continue", ["while x < n", "  keep continue |"]),
        ("try: y = x\n    except E as e: z = n\n    finally: pass", ["barrier try x n|y e z"]),
        ("with open(n) as x[0]: y = 1", ["barrier with n x|x y"]),
        ("def g(a, b=n): return a + x + q", ["barrier def n x|g"]),
        ("def g():\n        nonlocal x\n        x = 1\n    ", ["barrier def x|g x"]),
        ("class A(n): y = x", ["barrier class n x|A"]),
        ("match x:\n        case [a, *b]: y = n", ["barrier match x n|a b y"]),
        ("global x2", ["barrier global |"]),
        ("y = [i * n for i in x if i]", ["y = <comprehension x n|>"]),
        ("y = lambda a: a + n", ["y = <lambda n|>"]),
        ("y = f'{x}'", ["y = <f-string x|>"]),
        ("y = {x, n}", ["y = <set x n|>"]),
        ("y = {'a': x, **n}", ["y = {'a': x, **: n}"]),
        ("y = (yield x)", ["y = <yield x|>"]),
        ("y = x if n else -x", ["y = x if n else operator.neg(x)"]),
        ("y = 0 < x <= n != 3", ["y = 0 < x <= n != 3"]),
        ("y = x is not None and not n or x not in n", ["y = x is not None and operator.not_(n) or x not in n"]),
        ("y = -2 ** x + +3 - ~n", ["y = operator.sub(operator.add(operator.neg(operator.pow(2, x)), operator.pos(3)),"
         " operator.invert(n))"]),
        ("y = g(*x, k=1, **n)", ["y = .g(*x, k=1, **=n)"]),
        ("y = [x, (n,)]", ["y = [x, (n)]"]),
        ("y = x[0][n]", ["y = operator.getitem(operator.getitem(x, 0), n)"]),
        ("y = -1j * True", ["y = operator.mul((-0-1j), True)"]),
        ("y = x.sum(0).T", ["y = attr.T(method.sum(x, 0))"]),
    ],
)  # fmt: skip
def test_statements(body: str, expected: list[str]) -> None:
    text = f"import numpy as np\ndef g(x): return x\ndef f(x, n):\n    {body}\n"
    assert show_block(lowered(text).body) == expected


def test_parameters() -> None:
    text = "def f(a, b: 'float' = -1.5, /, c=None, *rest: int, d, e=g(1), k=True, **more): pass\n"
    told = [
        (p.name, p.kind, p.default, p.annotation, p.default_value) for p in lowered(text).params
    ]
    assert told == [
        ("a", "positional-only", None, None, None),
        ("b", "positional-only", "-1.5", "'float'", -1.5),
        ("c", "plain", "None", None, None),
        ("rest", "var-positional", None, "int", None),
        ("d", "keyword-only", None, None, None),
        ("e", "keyword-only", "g(1)", None, None),
        ("k", "keyword-only", "True", None, True),
        ("more", "var-keyword", None, None, None),
    ]


@pytest.mark.parametrize(
    ("text", "name", "flags"),
    [
        ("def f(): pass", "f", set()),
        ("async def f(): pass", "f", {"async"}),
        ("def f():\n    yield 1", "f", {"generator"}),
        ("def f():\n    return (lambda: (yield))", "f", set()),
        ("def f():\n    def g(): yield 1", "f", set()),
        ("def f():\n    def g(): pass", "f.g", {"nested"}),
        ("class C:\n    def m(self): pass", "C.m", {"method"}),
        ("class C:\n    @staticmethod\n    def m(x): pass", "C.m", {"method", "static"}),
        ("class C:\n    @classmethod\n    def m(k): pass", "C.m", {"method", "class"}),
        ("if a:\n    def f(): pass", "f", {"conditional"}),
        ("try:\n    pass\nexcept E:\n    def f(): pass", "f", {"conditional"}),
        ("def o():\n    class C:\n        def m(self): pass", "o.C.m", {"nested", "method"}),
    ],
)
def test_flags(text: str, name: str, flags: set[str]) -> None:
    assert lowered(text + "\n", name).flags == flags


def test_decorators_docstring_and_returns() -> None:
    text = "@njit(cache=True)\n@ a . b\ndef f(x) -> 'np.ndarray':\n    'Doc.'\n    return x\nf = jit(f)\n"
    function = lowered(text)
    assert function.decorators == ("jit", "njit(cache=True)", "a . b")
    assert function.returns == "'np.ndarray'"
    assert function.docstring == "Doc."


def test_the_last_definition_counts_and_overloads_do_not() -> None:
    text = (
        "def f(x): return 1\n@overload\ndef g(x: int): ...\n@typing.overload\ndef g(x: str): ...\n"
        "def g(x): return 2\ndef f(x): return 3\n@overload\ndef f(x): ...\n"
    )
    module = parse_module(text)
    assert qualnames(module) == ("g", "f")
    assert [show_block(lowered(text, n).body) for n in ("g", "f")] == [["return 2"], ["return 3"]]


def test_a_class_or_function_defined_again_loses_its_old_parts() -> None:
    text = "class C:\n    def m(self): pass\nclass C:\n    def n(self): pass\nclass D:\n    def m(self): pass\n"
    text += "def o():\n    def i(): pass\nclass D: pass\ndef o(): pass\n"
    assert tuple(definitions(parse_module(text))) == ("C.n", "o")


def test_a_name_that_means_something_else_in_the_end_is_no_function() -> None:
    module = parse_module(
        "def f(x): return x\nf = table['f']\ndef g(x): return x\nfrom m import g\n"
    )
    assert qualnames(module) == ()
    assert lower_function(module, "f") is None
    assert lower_function(module, "nobody") is None


def test_comments_of_pullback_belong_to_the_function_they_stand_in_or_above() -> None:
    text = (
        "# pullback: not this\n\n# pullback: above\n# other\n@jit\n# pullback: between\n"
        "def f(x):  # pullback: beside\n    '''# pullback: text'''\n    y = x #pullback:tight\n"
        "    return y  # pullback: last\n    # pullback: after\n\n# pullback: of g\ndef g(): pass\n"
    )
    module = parse_module(text)
    function = lower_function(module, "f")
    assert function is not None
    said = [s for s, _ in function.pragmas]
    assert said == ["above", "between", "beside", "tight", "last", "after"]
    for what, span in function.pragmas:
        assert text[span.start] == "#" and text[span.start : span.end].endswith(what)


def test_comments_of_methods_stay_apart() -> None:
    text = (
        "class C:\n    # pullback: one\n    def m(self):\n        pass\n        # pullback: in m\n"
        "    # pullback: two\n    def n(self):\n        pass\n"
    )
    assert [s for s, _ in lowered(text, "C.m").pragmas] == ["one", "in m"]
    assert [s for s, _ in lowered(text, "C.n").pragmas] == ["two"]


# --- places ----------------------------------------------------------------------------------------

PLACES = """# größe 🙂
def vorher(): pass
@deko("🙂")
def größe(x, ß: "é" = 1):
    '''🙂'''
    y = x * ß + ü("é🙂", x)  # 🙂
    if y > ß: z = "🙂"; w = y
    for i in y:
        x[i] += (y
            * ß)
    return np.exp(y) @ x
"""


def test_every_node_knows_its_text_whatever_the_characters() -> None:
    function = lowered(PLACES, "größe")
    texts = []
    for s in ir.statements(function.body):
        assert s.verbatim and s.origin is not None
        texts.append(PLACES[s.origin.start : s.origin.end])
    assert texts == [
        "'''🙂'''",
        'y = x * ß + ü("é🙂", x)',
        'if y > ß: z = "🙂"; w = y',
        'z = "🙂"',
        "w = y",
        "for i in y:\n        x[i] += (y\n            * ß)",
        "x[i] += (y\n            * ß)",
        "return np.exp(y) @ x",
    ]
    for s in ir.statements(function.body):
        for top in ir.stmt_exprs(s):
            for e in ir.walk(top):
                assert e.origin is not None
                piece = PLACES[e.origin.start : e.origin.end]
                if isinstance(e, ir.Name):
                    assert piece == e.id
                elif isinstance(e, ir.Ref):
                    assert piece == e.text
    assert function.name_span is not None and function.origin is not None
    assert PLACES[function.name_span.start : function.name_span.end] == "größe"
    assert PLACES[function.origin.start :].startswith('@deko("🙂")\ndef größe')
    spans = [p.origin for p in function.params]
    assert [PLACES[s.start : s.end] for s in spans if s is not None] == ["x", "ß"]


@pytest.mark.parametrize(
    ("statement", "keyword"),
    [
        ("try: pass\n    finally: pass", "try"),
        ("with x: pass", "with"),
        ("@d\n    def g(): pass", "def"),
        ("class A: pass", "class"),
        ("global q", "global"),
    ],
)
def test_barriers_point_at_their_keyword(statement: str, keyword: str) -> None:
    text = f"é = '🙂'\ndef f(x):\n    {statement}\n"
    barrier = lowered(text).body[0]
    assert isinstance(barrier, ir.Barrier) and barrier.origin is not None
    assert text[barrier.at.start : barrier.at.end] == keyword
    assert barrier.text == statement == text[barrier.origin.start : barrier.origin.end]


# --- what is kept between edits --------------------------------------------------------------------

TWO = "import numpy as np\ndef f(x):\n    return np.exp(x)\ndef g(x):\n    return x * 2\n"


def locals_of(module: Module) -> dict[str, ir.Function]:
    return {q: local_function(module, d).function for q, d in definitions(module).items()}


def test_an_untouched_function_is_not_lowered_again_even_when_it_moves() -> None:
    first = parse_module(TWO)
    kept = locals_of(first)
    second = parse_module(TWO.replace("def f(x):\n", "def f(x):\n    x = x + 1\n"), previous=first)
    now = locals_of(second)
    assert now["g"] is kept["g"]
    assert now["f"] is not kept["f"]
    g = lower_function(second, "g")
    assert g is not None and g.origin is not None and g.body[0].origin is not None
    assert second.text[g.origin.start : g.origin.end] == "def g(x):\n    return x * 2"
    assert second.text[g.body[0].origin.start : g.body[0].origin.end] == "return x * 2"


def test_a_name_that_means_something_new_lowers_its_users_again_and_no_others() -> None:
    first = parse_module(TWO)
    kept = locals_of(first)
    second = parse_module(TWO.replace("numpy as np", "autograd as np"), previous=first)
    now = locals_of(second)
    assert now["g"] is kept["g"]
    assert show_block(now["f"].body) == ["return autograd.exp(x)"]


def test_the_same_question_gives_the_same_object() -> None:
    module = parse_module(TWO)
    assert lower_function(module, "f") is lower_function(module, "f")
    assert scope_of(module) is scope_of(module)


def test_every_occurrence_is_a_node_of_its_own() -> None:
    seen: set[int] = set()
    function = lowered("def f(x):\n    y = x * x\n    y = x * x\n    return y\n")
    nodes = [e for s in ir.statements(function.body) for t in ir.stmt_exprs(s) for e in ir.walk(t)]
    for node in nodes:
        assert id(node) not in seen
        seen.add(id(node))


LINES = [
    "import numpy as np\n", "from numpy import exp\n", "def f(x):\n", "def g(x, n=1):\n", "    y = np.exp(x)\n",
    "    y = exp(g(x))\n", "    for i in range(n):\n", "        x[i] += y\n", "    return é\n", "    return y\n",
    "np = 1\n", "# 🙂\n", "class C:\n", "    def m(self):\n", "        return self\n", "\n", "f = jit(f)\n", "    ",
    "# pullback: stop\n", "@jit\n", "try:\n", "except E:\n", "    import exp\n", "(", "'''",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(LINES), max_size=14)


@settings(max_examples=200, deadline=None)
@given(TEXTS, st.data())
def test_edits_give_what_lowering_anew_gives(lines: list[str], data: st.DataObject) -> None:
    module = parse_module("".join(lines))
    for _ in range(3):
        for name in qualnames(module):
            lower_function(module, name)
        at = data.draw(st.integers(0, len(lines)))
        gone = data.draw(st.integers(0, 2))
        lines = [
            *lines[:at],
            *data.draw(st.lists(st.sampled_from(LINES), max_size=2)),
            *lines[at + gone :],
        ]
        module = parse_module("".join(lines), previous=module)
        fresh = parse_module("".join(lines))
        assert qualnames(module) == qualnames(fresh)
        assert scope_of(module) == scope_of(fresh)
        for name in qualnames(fresh):
            assert placed(lower_function(module, name)) == placed(lower_function(fresh, name))


def placed(node: object) -> object:
    """Everything about a node, the fields that equality ignores included."""
    if isinstance(node, tuple):
        return tuple(placed(n) for n in node)
    if hasattr(node, "__dataclass_fields__"):
        return (type(node), *(placed(getattr(node, f)) for f in node.__dataclass_fields__))
    return repr(node)


# --- nothing raises --------------------------------------------------------------------------------


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                *LINES,
                "\0",
                "\ud800",
                "lambda",
                ":=",
                "yield ",
                "*",
                "async ",
                "[",
                "]",
                "match x:\n",
            ]
        ),
        max_size=20,
    )
)
def test_no_text_makes_lowering_raise(lines: list[str]) -> None:
    module = parse_module("".join(lines))
    for name in definitions(module):
        assert lower_function(module, name) is not None


def test_what_is_nested_too_deeply_for_the_passes_is_a_barrier() -> None:
    assert show_block(lowered("def f(x):\n    return x" + "[0]" * 200 + "\n").body) == [
        "barrier deep nesting x|"
    ]
    assert isinstance(lowered("def f(x):\n    return x" + "[0]" * 100 + "\n").body[0], ir.Return)
