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
from ._arrays import as_matrix, of_one_type, whole_number
from ._core import InputError
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
        A, B: matrices in the host's memory, or pairs (hi, lo) for hi + lo.
        moduli: the number of residues, 8 to 26; 0: the fewest for `bits`.
        bits: the error is at most 2**-bits in units of the norms of a row of A times a column of B; 0: as many as make
            the product exact, at most those of 26 moduli. `exact` of the result tells.
        balance: scale the inner index by powers of two, for factors R·S and S⁻¹·T with a graded diagonal S.

    Raises:
        InputError: shapes that do not fit, moduli or bits out of range.
        MemoryError: the memory does not suffice.

    Source: Ozaki, Uchino and Imamura, "Ozaki scheme II" (2025), with own bounds (docs/notebook/exact-products.md).
    """
    (A, A_low), (B, B_low) = _limbs("A", A), _limbs("B", B)
    if A.shape[1] != B.shape[0]:
        raise InputError(f"A and B: shapes {A.shape} and {B.shape} do not fit together")
    A, A_low, B, B_low = of_one_type(A, A_low, B, B_low)
    count = whole_number("moduli", moduli, 0)
    product = _core.exact_multiply(A, A_low, B, B_low, count, float(bits), balance)
    bound = product["bound"]
    product["exact"] &= bool(np.all(np.isfinite(bound) & (bound <= 2.0**-102 * np.abs(product["hi"]))))
    return Product(**product)


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
