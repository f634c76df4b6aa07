# SPDX-License-Identifier: BSD-3-Clause
"""Factorizations of a stack of symmetric matrices."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ._arrays import on_host
from ._conventions import Unpacks, stacked
from ._core import InputError
from ._inertia import Inertia
from ._status import described
from .typing import Integers, Matrix

if TYPE_CHECKING:
    from ._ldlt import Ldlt


class LdlFactors(NamedTuple):
    """A[perm][:, perm] = L·D·L*, * being ᴴ for a Hermitian and ᵀ for a complex symmetric matrix."""

    L: Matrix
    """n × n, unit lower triangular."""
    D: Matrix
    """n × n, block diagonal with blocks of order 1 and 2."""
    perm: Integers
    """Length n."""


def as_it_is(_name: str, array: Any) -> Any:
    return array


@dataclass(frozen=True, repr=False, eq=False)
class LdltStack(Unpacks):
    """The factorizations of a stack of matrices: `L, D, perm`, and every other array of an Ldlt as a stack."""

    factorizations: tuple[Ldlt, ...]
    """One for each matrix, the last axis fastest; a stack without matrices has that of the identity."""
    given: tuple[int, ...]
    shape: tuple[int, ...]
    """The leading axes of A."""
    convert: Callable[[str, np.ndarray], Any] = as_it_is

    def __iter__(self) -> Iterator[Any]:
        return iter(self.ldl())

    def __len__(self) -> int:
        return len(LdlFactors._fields)

    def _stack(self, name: str, own: list[Any]) -> Any:
        if isinstance(own[0], Inertia):
            return Inertia(*(self._stack(name, list(part)) for part in zip(*own, strict=True)))
        return stacked(name, own, self.given, self.shape)

    def ldl(self) -> LdlFactors:
        """Return the stacks of L, D and perm of Ldlt.ldl()."""
        own = zip(*(f.ldl() for f in self.factorizations), strict=True)
        return LdlFactors(
            *(
                self.convert(name, self._stack(name, list(parts)))
                for name, parts in zip(LdlFactors._fields, own, strict=True)
            )
        )

    def __getattr__(self, name: str) -> Any:
        """The stack of a member of Ldlt: M, D, diagonal, permutation, rank, inertia, …"""
        if name not in STACKED:
            raise AttributeError(f"LdltStack has no {name}; take those of its factorizations")
        return self._stack(name, [getattr(f, name) for f in self.factorizations])

    def solve(self, B: Any) -> Any:
        """Return A⁻¹·B, for B (…, n, k) whose leading axes broadcast with those of A."""
        columns = on_host("B", B)
        if columns.ndim < 2 or columns.shape[-2] != self.factorizations[0].n:
            raise InputError(f"B: has the shape {columns.shape}; pass (…, {self.factorizations[0].n}, columns)")
        try:
            shape = np.broadcast_shapes(self.shape, columns.shape[:-2])
        except ValueError:
            raise InputError(f"B: the shapes {columns.shape} and {self.shape} of A do not fit; pass as many") from None
        if not np.prod(shape):
            return self.convert("X", np.empty(shape + columns.shape[-2:], self.factorizations[0].diagonal.dtype))
        whole = np.broadcast_to(columns, shape + columns.shape[-2:])
        which = np.broadcast_to(np.arange(len(self.factorizations)).reshape(self.shape), shape)
        own = [self.factorizations[which[index]].solve(whole[index]) for index in np.ndindex(shape)]
        return self.convert("X", stacked("X", own, shape, shape))

    def __repr__(self) -> str:
        return described("LdltStack", shape=self.shape, variant=self.factorizations[0].variant)

    def _converted(self, convert: Callable[[str, Any], Any]) -> LdltStack:
        return replace(self, convert=convert)


STACKED = frozenset(
    ("M", "D", "diagonal", "subdiagonal", "permutation", "interchanges", "scaling", "n", "rank", "doubtful", "inertia")
)
