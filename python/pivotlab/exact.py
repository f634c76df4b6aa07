# SPDX-License-Identifier: BSD-3-Clause
"""Products of matrices without rounding errors, or with an error that is proved.

hi, lo, bound = pivotlab.exact.matmul(A, B)     |A·B − hi − lo| <= bound, entry by entry
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _core
from ._arrays import as_matrix, flag, of_one_type, real_number, whole_number
from ._core import InputError
from ._on_gpu import gpu_call, on_one_gpu
from ._status import described, size
from .typing import Matrix, Vector


@dataclass(frozen=True, repr=False, eq=False)
class Product:
    """A·B = hi + lo, m × n, with bounds of the errors."""

    hi: Matrix
    """The product, rounded to double; NaN in rows and columns of factors with NaN or Inf."""
    lo: Matrix
    """What hi leaves, rounded to double."""
    bound: Vector
    """m × n: bounds of \\|A·B − hi − lo\\|."""
    moduli: int
    """The number of residues, 8 to 26."""
    exact: bool
    """Whether all entries are finite and nothing but the rounding to two limbs was lost: bounds are 2⁻¹⁰⁴ of the
    entries. False, too, where entries overflow, or their second limbs are subnormal."""
    relative_bound: float
    """A bound of all errors, without that rounding, in units of the norms of a row of A times a column of B."""
    rows_not_finite: int
    """Rows of A with NaN or Inf."""
    columns_not_finite: int
    """Columns of B with NaN or Inf."""

    def __iter__(self) -> Iterator[Any]:
        """hi, lo, bound = matmul(A, B)."""
        return iter((self.hi, self.lo, self.bound))

    def __repr__(self) -> str:
        kind = f"within {self.relative_bound:.1e}" if self.relative_bound > 0 else "subnormal"
        if self.exact:
            kind = "exact"
        elif not np.isfinite(self.bound).all():
            kind = "not finite"
        return described("Product", hi=size(self.hi), moduli=self.moduli, error=kind)


def matmul(A: Any, B: Any, *, moduli: int = 0, bits: float = 0, balance: bool = False) -> Product:
    """Computes A·B (m × k times k × n) in two limbs, exactly or with a proved bound. Rows of A and columns of B of any
    sizes are no problem; entries that are smaller than others of their row or column by many powers of two may need
    more moduli than there are. Takes N products of integers for N moduli, three times as many for complex matrices.

    Args:
        A, B: matrices in the memory of the host or of one GPU, or pairs (hi, lo) for hi + lo. On a GPU the product is
            computed there, with the same bits, and hi, lo and bound are arrays of the library of A on it.
        moduli: the number of residues, 8 to 26; 0: the fewest for `bits`.
        bits: the error is at most 2**-bits in units of the norms of a row of A times a column of B; 0: as many as make
            the product exact, at most those of 26 moduli. `exact` of the result tells.
        balance: scale the inner index by powers of two, for factors R·S and S⁻¹·T with a graded diagonal S.

    Raises:
        InputError: shapes that do not fit, moduli or bits out of range.
        MemoryError: the memory does not suffice.

    Source: Ozaki, Uchino and Imamura, "Ozaki scheme II" (2025), with own bounds (docs/notebook/exact-products.md).
    """
    count = whole_number("moduli", moduli, 0)
    if on_one_gpu(A=_high(A), B=_high(B)):
        return _on_gpu(A, B, count, real_number("bits", bits), flag("balance", balance))
    (A, A_low), (B, B_low) = _limbs("A", A), _limbs("B", B)
    if A.shape[1] != B.shape[0]:
        raise InputError(f"A and B: shapes {A.shape} and {B.shape} do not fit together")
    A, A_low, B, B_low = of_one_type(A, A_low, B, B_low)
    product = _core.exact_multiply(A, A_low, B, B_low, count, real_number("bits", bits), flag("balance", balance))
    bound = product["bound"]
    product["exact"] &= bool(np.all(np.isfinite(bound) & (bound <= 2.0**-102 * np.abs(product["hi"]))))
    return Product(**product)


def _high(matrix: Any) -> Any:
    return matrix[0] if isinstance(matrix, tuple) and matrix else matrix


def _on_gpu(A: Any, B: Any, moduli: int, bits: float, balance: bool) -> Product:
    """The product of matrices on a GPU."""
    names = {}
    for name, matrix in (("A", A), ("B", B)):
        if not isinstance(matrix, tuple):
            names[name] = matrix
        elif len(matrix) == 2:
            names |= {name: matrix[0], f"{name}_low": matrix[1]}
        else:
            raise InputError(f"{name}: is a tuple of {len(matrix)} arrays; pass a matrix or a pair (hi, lo)")
    with gpu_call(None, None, **names) as call:
        taken = dict(zip(names, call.matrices, strict=True))
        shapes = {name: call.library.memory(matrix).shape for name, matrix in taken.items()}
        for name in ("A", "B"):
            if shapes.get(f"{name}_low", shapes[name]) != shapes[name]:
                other = shapes[f"{name}_low"]
                raise InputError(f"{name}: limbs of the shapes {shapes[name]} and {other}; pass two of one shape")
        (m, k), (rows, n) = shapes["A"], shapes["B"]
        if k != rows:
            raise InputError(f"A and B: shapes {shapes['A']} and {shapes['B']} do not fit together")
        factors = [
            call.columns(taken[name])[0] if name in taken else (0, 0, 0, 0) for name in ("A", "A_low", "B", "B_low")
        ]
        for name, high, low in (("A", *factors[:2]), ("B", *factors[2:])):
            if low[1] > 0 and high[3] != low[3]:
                raise InputError(f"{name}: limbs have columns {high[3]} and {low[3]} elements apart; pass copies")
        hi, lo = call.matrix(m, n), call.matrix(m, n)
        bound = call.library.matrix(m, n, "float64", call.device)
        with call.plan_in_workspace("Exact", m, n, k, moduli, bits, balance) as plan:
            report = plan.run(*factors, *call.columns(hi, lo, bound))
        size = abs(hi)
        bound = bound + 2.0**-104 * size  # of the rounding to two limbs
        report["exact"] &= bool((bound <= 2.0**-102 * size).all())  # not where an entry is not finite
    return Product(hi=hi, lo=lo, bound=bound, **report)


def _limbs(name: str, matrix: Any) -> tuple[np.ndarray, np.ndarray]:
    """Both limbs of an argument, consecutive in memory; the second one has no rows if there is none."""
    if not isinstance(matrix, tuple):
        return as_matrix(name, matrix), np.empty((0, 0), order="F")
    if len(matrix) != 2:
        raise InputError(f"{name}: is a tuple of {len(matrix)} arrays; pass a matrix or a pair (hi, lo)")
    hi, lo = (as_matrix(name, limb) for limb in matrix)
    if hi.shape != lo.shape:
        raise InputError(f"{name}: limbs of the shapes {hi.shape} and {lo.shape}; pass two of one shape")
    hi, lo = of_one_type(hi, lo)
    return np.array(hi, order="F"), np.array(lo, order="F")  # copies, so that both have one stride
