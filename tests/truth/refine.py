# SPDX-License-Identifier: BSD-3-Clause
"""Refined values of the problems of eigh.py, hsvd.py and gsvd.py against exact roots: every bound holds, a determined
value is within 2 ulp, and values that are not small are determined."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pivotlab
from flint import arb

import eigh
import exact
import gsvd
import hsvd
from harness import Outcome

LARGEST = 10
CLEAR = 1e-10  # of the largest value: others must be determined
Problem = tuple[str, Any, float]


def _disturbed(rng: np.random.Generator, X: np.ndarray, size: float) -> np.ndarray:
    return X * (1 + size * rng.standard_normal(X.shape))


def _compare(outcome: Outcome, r: pivotlab.Refined, truth: list, must_be_known: bool) -> Outcome:
    """`truth` descends, as the values do; None is infinite."""
    largest = max((abs(t) for t in truth if t is not None), default=arb(0))
    for v, lo, bound, known, t in zip(*r, r.determined, truth, strict=True):
        if t is None:
            if np.isfinite(bound):
                outcome.add("estimate violated", f"{v:.17g} for an infinite value, bound {bound:.1e}")
            continue
        if np.isfinite(bound) and abs(arb(v) + arb(lo) - t) > arb(bound):
            outcome.add("estimate violated", f"{v:.17g} for {t.str(20, radius=False)}, bound {bound:.1e}")
        if known and abs(arb(v) - t) > arb(2 * np.spacing(abs(v))):
            outcome.add("wrong passed", f"{v:.17g} is determined, but not {t.str(20, radius=False)}")
        if must_be_known and not known and t != 0 and abs(t) > arb(CLEAR) * largest:
            outcome.add("false incorrect", f"{v:.17g} is not determined, bound {bound:.1e}")
    outcome.verdict = "passed" if r.determined.all() else "not determined"
    return outcome


def _matrix(A: np.ndarray, start: Callable[[], Any], truth: Callable[[], list], disturbance: float) -> Outcome:
    outcome = Outcome("refused")
    rng = np.random.default_rng(1)
    try:
        result = start()
        vectors = {name: getattr(result, name) for name in ("U", "V") if getattr(result, name, None) is not None}
        disturbed = type(result)(
            **{name: _disturbed(rng, X, disturbance) for name, X in vectors.items()},
            **({"sigma": result.sigma} if "V" in vectors else {"eigenvalues": result.eigenvalues}),
        )
        refined = pivotlab.refine(A, disturbed)
    except (pivotlab.InputError, pivotlab.NotSupported):
        return outcome
    sizes = np.abs(A[A != 0])
    moderate = sizes.size > 0 and sizes.max() < 1e100 and sizes.max() > 1e-100
    return _compare(outcome, refined, truth(), bool(moderate))


def examine(problem: Problem) -> Outcome:
    kind, own, disturbance = problem
    if kind == "eigh":
        A = own["A"]
        return _matrix(A, lambda: pivotlab.eigh(A, check=False), lambda: exact.eigenvalues(A), disturbance)
    if kind == "svd":
        G = own.G
        return _matrix(G, lambda: pivotlab.svd(G, check=False), lambda: _singular_values(G), disturbance)
    outcome = Outcome("refused")
    F, G = own.F, own.G
    try:
        solved = pivotlab.gsvd(F, G, check=False)
        refined = pivotlab.refine((F, G), solved)
    except pivotlab.InputError:
        return outcome
    finite = [s.sqrt() if s > 0 else arb(0) for s in gsvd.finite_squares(F, G)]
    return _compare(outcome, refined, [None] * (F.shape[1] - len(finite)) + finite, False)


def _singular_values(G: np.ndarray) -> list:
    """Roots of the characteristic polynomial of the smaller one of GᴴG and GGᴴ."""
    A = exact.matrix(G if G.shape[0] >= G.shape[1] else G.conj().T)
    twice = 2 if np.iscomplexobj(G) else 1
    return [s.sqrt() if s > 0 else arb(0) for s in exact.real_roots((A.transpose() * A).charpoly(), twice)]


def _family(kind: str, module: Any, name: str) -> Callable[[np.random.Generator, int], Problem]:
    def draw(rng: np.random.Generator, largest: int) -> Problem:
        own = module.FAMILIES[name](rng, min(largest, LARGEST))
        return kind, own, float(rng.choice([0, 1e-9, 1e-4]))

    return draw


FAMILIES = {
    f"{kind} {name}": _family(kind, module, name)
    for kind, module in (("eigh", eigh), ("svd", hsvd), ("gsvd", gsvd))
    for name in module.FAMILIES
}
