"""What was found about a statement is kept exactly as long as it holds, and moved with the text."""

from __future__ import annotations

import gc
import weakref

from pullback.ir import Span
from pullback.source.module import Module, parse_module
from pullback.source.outline import located
from pullback.source.project import Modules
from pullback.source.recall import recall

TEXT = """\
import numpy as np
K = 2


def g(x):
    return x


def f(x):
    return g(x) * K


def other(x):
    return x + 1
"""


class Finder:
    """Finds the place of `return` in f, and counts how often it is asked to."""

    def __init__(self, reads: tuple[str, ...] = ()) -> None:
        self.times = 0
        self.reads = reads

    def ask(self, module: Module, modules: Modules = lambda name: None) -> str:
        _, chunk = located(module)["f"]

        def find(reading: Modules) -> Span:
            self.times += 1
            for name in self.reads:
                reading(name)
            start = module.text.index("return g")
            return Span(start, start + 6)

        found, move = recall(module, chunk, ("place",), modules, find)
        place = move(found)
        return module.text[place.start : place.end]


def after(module: Module, old: str, new: str) -> Module:
    return parse_module(module.text.replace(old, new), previous=module)


def test_what_does_not_matter_to_it_costs_nothing_and_moves_it() -> None:
    finder, module = Finder(), parse_module(TEXT)
    for old, new in (
        ("", ""),
        ("return x + 1", "return x + 2"),
        ("import numpy as np\n", "import numpy as np\nimport math\n"),
    ):
        module = after(module, old, new) if old else module
        assert finder.ask(module) == "return"
    assert finder.times == 1


def test_its_own_text_what_it_calls_and_what_its_names_mean_matter() -> None:
    finder, module = Finder(), parse_module(TEXT)
    finder.ask(module)
    for times, (old, new) in enumerate(
        (
            ("g(x) * K", "g(x) + K"),
            ("    return x\n\n\ndef f", "    return -x\n\n\ndef f"),
            ("K = 2", "K = 3"),
        ),
        2,
    ):
        module = after(module, old, new)
        assert finder.ask(module) == "return"
        assert finder.times == times


def test_a_name_that_comes_to_be_bound_matters() -> None:
    finder, module = Finder(), parse_module("def f(x):\n    return g(x)\n")
    finder.ask(module)
    module = parse_module(
        "def f(x):\n    return g(x)\n\n\ndef g(x):\n    return x\n", previous=module
    )
    finder.ask(module)
    assert finder.times == 2


def test_other_modules_that_were_read_matter_and_no_others() -> None:
    finder, module = Finder(("m",)), parse_module(TEXT)
    texts = {"m": "a = 1"}
    finder.ask(module, texts.get)
    texts["unread"] = "b"
    finder.ask(module, texts.get)
    assert finder.times == 1
    texts["m"] = "a = 2"
    finder.ask(module, texts.get)
    assert finder.times == 2


def test_what_is_changed_back_is_found_where_it_was_left() -> None:
    finder, module = Finder(), parse_module(TEXT)
    finder.ask(module)
    for old, new in (("g(x) * K", "g(x) + K"), ("K = 2", "K = 3")):
        changed = after(module, old, new)
        finder.ask(changed)
        assert finder.times == 2
        module = after(changed, new, old)
        finder.ask(module)
        assert finder.times == 2
        finder.times = 1


def test_what_is_remembered_does_not_hold_on_to_what_is_gone() -> None:
    """Two functions that call each other, typed into by turns: old versions must not keep each other alive."""
    module = parse_module("def f(x):\n    return g(x)\n\n\ndef g(x):\n    return f(x)\n")
    gone: list[weakref.ref[object]] = []
    for k in range(60):
        for chunk in module.chunks:
            recall(module, chunk, ("place",), lambda name: None, lambda modules: "found")
        name = "g(x" if k % 2 else "f(x"
        gone.append(weakref.ref(module.chunks[k % 2].parsed))
        module = after(module, f"return {name}", f"return {name} + {k}")
        module = after(module, f"+ {k - 1})", f"+ {k})")
    gc.collect()
    assert sum(ref() is not None for ref in gone[:20]) == 0
