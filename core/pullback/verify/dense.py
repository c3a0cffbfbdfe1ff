"""Dense Jacobians and Hessians, contracted to what a vjp or an hvp gives, so that they are compared as those are.

May not know: how anything is derived or compared.
"""

from __future__ import annotations

from typing import Any

import numpy as np

DENSE = ("jacobian", "hessian")


def contracted(blocks: Any, kind: str, seeds: Any, several: bool) -> tuple[Any, ...]:
    """For each parameter the blocks times the seeds: of a Jacobian those of the outputs, of a Hessian vectors.

    Where `several` parameters were asked for, each row of blocks is a tuple; one of an output that does not
    vary holds None.
    """
    if kind == "hessian":
        return tuple(_total(row, seeds, last=True) for row in (blocks if several else ((blocks,),)))
    tupled = isinstance(blocks[0] if several else blocks, tuple)  # the function gives a tuple
    rows = blocks if tupled else (blocks,)
    columns = zip(*(row if several else (row,) for row in rows))
    weights = seeds if tupled else (seeds,)
    return tuple(_total(column, weights, last=False) for column in columns)


def _total(blocks: Any, seeds: tuple[Any, ...], last: bool) -> Any:
    """The sum of blocks times seeds, over their last axes or their first; of complex ones as vjp pairs them."""
    products = []
    for block, seed in zip(blocks, seeds):
        if block is not None:
            pair = (block, seed) if last else (np.conj(seed), block)
            products.append(np.tensordot(*pair, np.ndim(seed)))
    return np.real(sum(products))
