"""gast trees -> ir, with every name resolved.

    scope_of(module)                 what module-level names mean
    qualnames(module)                the functions and methods of a module
    lower_function(module, name)     the ir of one of them, spans in the module's text
    lower_lambda(module, opaque)     the ir of a lambda that was kept as text
    local_function(module, found)    the same with spans in its chunk: one object while the text stays
    inserted_code(module, fn, …)     a function with code for its backward pass
    from_outside(fn, owner, scope)   a function of another module, its names made absolute
    lower_expression(text, scope)    the ir of an expression in a rule or a comment (scope FORMULA)

Nothing here raises, whatever the text is.
"""

from .functions import (
    Definition,
    Local,
    defined_around,
    definitions,
    inserted_code,
    local_function,
    lower_expression,
    lower_function,
    lower_lambda,
    qualnames,
)
from .names import FORMULA, Binding, Scope, scope_of
from .outside import absolute, from_outside, with_absolute_signature

__all__ = [
    "FORMULA",
    "Binding",
    "Definition",
    "Local",
    "Scope",
    "absolute",
    "defined_around",
    "definitions",
    "from_outside",
    "inserted_code",
    "local_function",
    "lower_expression",
    "lower_function",
    "lower_lambda",
    "qualnames",
    "scope_of",
    "with_absolute_signature",
]
