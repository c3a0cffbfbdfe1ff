"""Where a derivative goes in a file, and what is left alone there."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from dataclasses import dataclass, replace

import pytest

from pullback.emit.imports import import_edits, missing_imports
from pullback.emit.insert import insertion, kept, printed
from pullback.source.digest import digest
from pullback.source.edits import apply_edits
from pullback.source.header import Header, format_header
from pullback.source.module import parse_module


@dataclass(frozen=True)
class Derived:
    name: str
    header: str
    function: str
    imports: tuple[str, ...] = ()
    helpers: tuple[tuple[str, str], ...] = ()


def derived(
    code: str, kind: str = "grad", of: str = "loss", imports: tuple[str, ...] = (), **helpers: str
) -> Derived:
    """A derivative as `derive` gives it, with its header and digests."""
    code = textwrap.dedent(code).strip("\n")
    node = (parse_module(code).chunks[-1].tree or ())[0]
    header = format_header(Header(kind, of, wrt=("w",), source="0" * 8, body=digest(node)))
    return Derived(node.name, header, f"{header}\n{code}\n", imports, tuple(helpers.items()))


GRAD = derived(
    """
    def loss_grad(w):
        return 2.0 * w
    """
)
HELPER = "def _unbroadcast(x, shape):\n    return x.reshape(shape)\n"
FILE = """\
import numpy as np

SCALE = 2.0


def loss(w):
    return np.sum(w * w)


def other(w):
    return w
"""


def put(text: str, d: Derived) -> str:
    return apply_edits(text, insertion(parse_module(text), d))


def test_below_its_function() -> None:
    above, below = FILE.split("\n\n\ndef other")
    assert put(FILE, GRAD) == f"{above}\n\n\n{GRAD.function}\n\ndef other{below}"


def test_at_the_end_of_a_file() -> None:
    text = "def loss(w):\n    return w\n"
    assert put(text, GRAD) == f"{text}\n\n{GRAD.function}"
    assert put(text.rstrip("\n"), GRAD) == f"{text}\n\n{GRAD.function}".rstrip("\n")


def test_comments_that_end_the_function_stay_with_it() -> None:
    text = "def loss(w):\n    return w  # end\n\n    # really\n# not this\nX = 1\n"
    assert put(text, GRAD) == text.replace("really\n", f"really\n\n\n{GRAD.function}")


def test_below_the_functions_other_derivatives() -> None:
    vjp = derived("def loss_vjp(w, loss_bar):\n    return loss_bar * w", "vjp")
    both = put(put(FILE, GRAD), vjp)
    assert both.index("def loss(") < both.index("loss_grad(") < both.index("loss_vjp(")
    assert both.index("loss_vjp(") < both.index("def other(")


def test_twice_changes_nothing() -> None:
    once = put(FILE, replace(GRAD, helpers=(("_unbroadcast", HELPER),), imports=("import math",)))
    assert (
        put(once, replace(GRAD, helpers=(("_unbroadcast", HELPER),), imports=("import math",)))
        == once
    )


def test_an_old_derivative_is_replaced() -> None:
    new = derived("def loss_grad(w):\n    return w + w")
    assert put(put(FILE, GRAD), new) == put(FILE, new)


def test_one_edited_by_hand_is_kept() -> None:
    edited = put(FILE, GRAD).replace("2.0 * w", "3.0 * w")
    module = parse_module(edited)
    assert insertion(module, GRAD) == ()
    there = kept(module, GRAD)
    assert there is not None
    span = there.span
    assert edited[span.start : span.end].endswith("return 3.0 * w")
    assert apply_edits(edited, insertion(module, GRAD, replace_edited=True)) == put(FILE, GRAD)


def test_formatting_is_no_edit() -> None:
    formatted = put(FILE, GRAD).replace("2.0 * w", "(2.0*w)  # fine")
    assert kept(parse_module(formatted), GRAD) is None


def test_a_users_own_function_of_that_name_is_kept() -> None:
    text = FILE + "\n\ndef loss_grad(w):\n    return None\n"
    assert insertion(parse_module(text), GRAD) == ()


def test_helpers_stand_once_before_the_first_derivative() -> None:
    vjp = derived(
        "def other_vjp(w, y_bar):\n    return _unbroadcast(y_bar, w)", "vjp", "other",
        _unbroadcast=HELPER,
    )  # fmt: skip
    text = put(put(FILE, GRAD), vjp)
    assert text.count("def _unbroadcast") == 1
    assert f"{HELPER}\n\n{GRAD.function}" in text
    jvp = derived("def loss_jvp(w, w_dot):\n    return w_dot", "jvp", _unbroadcast=HELPER)
    assert put(text, jvp).count("def _unbroadcast") == 1


def test_helpers_of_the_first_derivative_come_with_it() -> None:
    text = put(
        FILE, replace(GRAD, helpers=(("_unbroadcast", HELPER), ("_b", "def _b():\n    pass\n")))
    )
    assert f"w * w)\n\n\n{HELPER}\n\ndef _b():\n    pass\n\n\n{GRAD.function}\n\ndef other" in text


def test_a_private_derivative_that_is_out_of_date_is_replaced() -> None:
    old = derived("def _mix_vjp(a, b):\n    return a", "vjp", "mix").function
    new = derived("def _mix_vjp(a, b):\n    return b", "vjp", "mix").function
    before = put(FILE, replace(GRAD, helpers=(("_mix_vjp", old),)))
    assert put(before, replace(GRAD, helpers=(("_mix_vjp", new),))) == before.replace(old, new)


METHODS = """\
import numpy as np


class Model:
    def loss(self, w):
        return w

    def other(self):
        pass
"""


@pytest.mark.parametrize("unit", ["    ", "\t", "  "])
def test_a_method_stands_beside_its_method(unit: str) -> None:
    grad = derived('def loss_grad(self, w):\n    t = """\nraw"""\n\n    return t', of="Model.loss")
    text = METHODS.replace("    ", unit)
    result = put(text, replace(grad, helpers=(("_unbroadcast", HELPER),)))
    assert result == text.replace("class Model", f"{HELPER}\n\nclass Model").replace(
        f"{unit * 2}return w\n",
        f"{unit * 2}return w\n\n{unit}{grad.header}\n{unit}def loss_grad(self, w):\n"
        f'{unit}    t = """\nraw"""\n\n{unit}    return t\n',
    )
    assert put(result, grad) == result


def test_decorated_functions() -> None:
    grad = derived("@staticmethod\ndef loss_grad(w):\n    return w", of="A.loss")
    text = "class A:\n    @staticmethod\n    def loss(w):\n        return w\n"
    result = put(text, grad)
    assert result.endswith(
        f"\n\n    {grad.header}\n    @staticmethod\n    def loss_grad(w):\n        return w\n"
    )
    assert put(result, grad) == result


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_windows_files_stay_windows_files(mark: str) -> None:
    d = replace(GRAD, imports=("import math",), helpers=(("_unbroadcast", HELPER),))
    assert put(mark + FILE.replace("\n", "\r\n"), d) == mark + put(FILE, d).replace("\n", "\r\n")


IMPORTS = [
    ("import numpy as np\n\nx = 1\n", ["import numpy as np"], "import numpy as np\n\nx = 1\n"),
    ("import numpy as np\n\nx = 1\n", ["import math"], "import math\n\nimport numpy as np\n\nx = 1\n"),
    (
        "import numpy as np\nfrom scipy import stats\n\nx = 1\n",
        ["import scipy.special", "import math"],
        "import math\n\nimport numpy as np\nimport scipy.special\nfrom scipy import stats\n\nx = 1\n",
    ),
    (
        '"""Doc."""\n\nfrom __future__ import annotations\n\nimport os  # os\n\nfrom . import y\n',
        ["import numpy as np", "import math"],
        '"""Doc."""\n\nfrom __future__ import annotations\n\nimport math\nimport os  # os\n\n'
        "import numpy as np\n\nfrom . import y\n",
    ),
    (
        "from os import (\n    path,\n    sep,\n)  # two\nX = 1\n",
        ["import numpy as np"],
        "from os import (\n    path,\n    sep,\n)  # two\n\nimport numpy as np\nX = 1\n",
    ),
    ('"""Doc."""\n\n\ndef f(): pass\n', ["import numpy as np"],
     '"""Doc."""\n\nimport numpy as np\n\n\ndef f(): pass\n'),
    ("def f(): pass\n", ["import numpy as np", "import math"],
     "import math\n\nimport numpy as np\n\n\ndef f(): pass\n"),
    ("#!/bin/python\n# licence\n\n# about f\ndef f(): pass\n", ["import math"],
     "#!/bin/python\n# licence\n\nimport math\n\n\n# about f\ndef f(): pass\n"),
    ("\ufeffx = 1\n", ["import math"], "\ufeffimport math\n\nx = 1\n"),
    ("import math, numpy as np\n", ["import math", "import numpy as np"], "import math, numpy as np\n"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "lines", "expected"), IMPORTS)
def test_imports(text: str, lines: list[str], expected: str) -> None:
    module = parse_module(text)
    assert apply_edits(text, import_edits(module, missing_imports(module, lines))) == expected


def test_what_is_printed_runs_after_the_module() -> None:
    d = replace(
        GRAD, imports=("import math", "import numpy as np"), helpers=(("_unbroadcast", HELPER),)
    )
    text = printed(parse_module(FILE), d)
    assert text == f"import math\n\n\n{HELPER}\n\n{GRAD.function}"
    names: dict[str, object] = {}
    exec(FILE.replace("import numpy as np", "") + "\n\n" + text, names)
    assert names["loss_grad"](1.5) == 3.0  # type: ignore[operator]
    again = printed(parse_module(put(FILE, d)), d)
    assert again == GRAD.function


CLEAN = [
    FILE,
    METHODS,
    "def loss(w):\n    return w\n",
    '"""Doc."""\n\n\ndef loss(w):\n    return w\n',
]


@pytest.mark.parametrize("text", CLEAN)
def test_a_file_that_pleases_ruff_still_does(text: str) -> None:
    of = "Model.loss" if "class" in text else "loss"
    grad = derived(
        "def loss_grad(self, w):\n    return np.sum(_unbroadcast(w, w)) * math.pi",
        of=of,
        imports=("import math", "import numpy as np"),
        _unbroadcast=HELPER,
    )
    result = put(text, grad)
    run = [sys.executable, "-m", "ruff"]
    for command in (["format", "--diff"], ["check", "--select", "E4,E7,E9,F,I"]):
        done = subprocess.run(
            [*run, *command, "--isolated", "-"], input=result, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr
