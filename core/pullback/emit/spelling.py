"""How a module writes a function of NumPy, SciPy or math: through its own imports, or through new ones.

`Spelling` maps a qualified name to text and collects the import lines that the text needs.

May not know: the IR, what the names mean.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping

_ALIASES = {
    "numpy": "np",
    "jax.numpy": "jnp",
    "jax.lax": "lax",
    "tensorflow": "tf",
    "tensorflow.experimental.numpy": "tnp",
}
_WHOLE = (
    "numpy",
    "math",
    "cmath",
    "builtins",
    "tensorflow",
)  # modules whose submodules need no import of their own
_MEANING = {alias: module for module, alias in _ALIASES.items()}
_DOTTED = re.compile(
    r"""\"{3}.*?\"{3}|"[^"\n]*"|'[^'\n]*'|\#[^\n]*"""
    r"""|(?<![\w.])(?P<name>(?:np|math|scipy|numba|tf|tnp)(?:\.[^\W\d]\w*)+)""",
    re.S,
)


class Spelling:
    """`imports` maps the module's names to what they are imported from; `taken` names mean something else;
    `module_of` says which module a qualified name is in, `relative` whether a module is imported from the
    package that the text stands in.

    Called with a qualified name, it gives the text; `missing` then holds the import lines to add, in
    the order in which they were first needed.
    """

    def __init__(
        self,
        imports: Mapping[str, str],
        taken: Collection[str] = (),
        module_of: Callable[[str], str] = lambda qualname: qualname.rpartition(".")[0],
        relative: Callable[[str], bool] = lambda module: module.startswith("."),
    ) -> None:
        self.module_of = module_of
        self.relative = relative
        self.names = {alias: full for alias, full in imports.items() if alias not in taken}
        self.used = {*imports, *taken}
        self.missing: list[str] = []

    def __call__(self, qualname: str) -> str:
        if qualname.startswith("?"):  # nobody knows what it means; the module's text says its name
            return qualname[1:]
        known = self._direct(qualname) or self._through_module(qualname)
        if known is not None:
            return known
        if qualname.startswith("."):
            return qualname.lstrip(".")
        name = qualname.removeprefix("builtins.")
        if name != qualname and name not in self.used:
            return name
        return self._imported(qualname)

    def inside(self, names: Collection[str]) -> Spelling:
        """The spelling where `names` mean something else; what it misses counts here too."""
        inner = Spelling(self.names, names, self.module_of, self.relative)
        inner.used |= self.used
        inner.missing = self.missing
        return inner

    def _direct(self, qualname: str) -> str | None:
        return next((alias for alias, full in self.names.items() if full == qualname), None)

    def _through_module(self, qualname: str) -> str | None:
        """By the longest part of the name that is imported."""
        module = qualname
        while "." in module:
            module = module.rpartition(".")[0]
            alias = self._direct(module)
            if alias is None and _ALIASES.get(module, module) not in (module, *self.used):
                return None  # it has a usual name of its own
            if alias is not None:
                rest = qualname[len(module) :]
                self._need_submodule(module, qualname, alias)
                return alias + rest
        return None

    def _need_submodule(self, module: str, qualname: str, alias: str) -> None:
        wanted = self.module_of(qualname)
        if module == wanted or module.split(".")[0] in _WHOLE or alias != module:
            return
        self._need(f"import {wanted}")

    def _imported(self, qualname: str) -> str:
        module = self.module_of(qualname)
        if not module:
            return qualname
        if self.relative(module):
            return self._from_package(module, qualname)
        top = module.split(".")[0]
        wanted = top if top in _WHOLE and module not in _ALIASES else module
        alias = self._alias(wanted)
        self.names[alias or top] = wanted if alias else top
        self.used.add(alias or top)
        self._need(_import(wanted, alias))
        return (alias or wanted) + qualname[len(wanted) :]

    def _from_package(self, module: str, qualname: str) -> str:
        """By `from … import module`; leading dots of a name begin above the text's own package."""
        name = module.lstrip(".")
        package, _, last = name.rpartition(".")
        dots = "." * max(len(module) - len(name), 1)
        alias = self._alias(last) or last
        self.names[alias] = module
        self.used.add(alias)
        behind = f" as {alias}" if alias != last else ""
        self._need(f"from {dots}{package} import {last}{behind}")
        return alias + qualname[len(module) :]

    def _alias(self, module: str) -> str:
        """The name to import `module` under, "" for its own."""
        usual = _ALIASES.get(module, "")
        if (usual or module.split(".")[0]) not in self.used:
            return usual
        if usual and module not in self.used:
            return ""
        base, number = usual or module.rpartition(".")[2], 2
        if base not in self.used:
            return base
        while f"{base}{number}" in self.used:
            number += 1
        return f"{base}{number}"

    def _need(self, line: str) -> None:
        if line not in self.missing:
            self.missing.append(line)


def _import(module: str, alias: str) -> str:
    package, _, last = module.rpartition(".")
    if package and alias == last:
        return f"from {package} import {last}"
    return f"import {module} as {alias}" if alias else f"import {module}"


def respelled(text: str, spell: Callable[[str], str]) -> str:
    """Source text of ours, which says `np.…`, `math.…`, `scipy.…`, as another module writes it."""
    pieces: list[str] = []
    done = 0
    for found in _DOTTED.finditer(text):
        if found["name"] is None:  # a string or a comment
            continue
        head, _, rest = found["name"].partition(".")
        pieces += [text[done : found.start()], spell(f"{_MEANING.get(head, head)}.{rest}")]
        done = found.end()
    return "".join(pieces) + text[done:]
