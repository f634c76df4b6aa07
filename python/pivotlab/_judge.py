"""Judgement of a result in extended precision."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, overload

from . import _core
from ._arrays import as_matrix, as_signs, of_one_type, whole_number
from ._core import InputError
from ._eig import Eig
from ._eigh import Eigh
from ._ghsvd import Ghsvd
from ._gsvd import Gsvd
from ._ldlt import Ldlt
from ._problems import General, Pair, Rectangular, SignedPair, Symmetric, truth_of
from ._svd import Svd


@dataclass(frozen=True, repr=False)
class Judgement:
    """Metrics of a result and the verdict on it. docs/metrics.md defines every metric with its bound and source."""

    status: str
    """passed, if every bounded metric is within its bound; else incorrect."""
    message: str
    """The metrics beyond their bounds; empty if passed."""
    metrics: dict[str, Any]
    """By name, as in a record; None where a metric does not exist for this problem."""
    bounds: dict[str, float]
    """Of the metrics that make up the verdict."""

    @property
    def passed(self) -> bool:
        return self.status == "passed"

    def __repr__(self) -> str:
        lines = [f"<Judgement {self.status}{': ' + self.message if self.message else ''}"]
        for name, bound in self.bounds.items():
            value = self.metrics.get(name)
            if value is not None and bound is not None:
                lines.append(f"  {name:18} {value:8.2e}  bound {bound:8.2e}")
        return "\n".join(lines) + f"\n  judged in {self.metrics['precision']} on the {self.metrics['device']}>"


@overload
def judge(problem: Pair | tuple[Any, Any], result: Gsvd, *, threads: int = ...) -> Judgement: ...
@overload
def judge(problem: Symmetric | Any, result: Ldlt, *, threads: int = ...) -> Judgement: ...
@overload
def judge(problem: General | Any, result: Eig, *, threads: int = ...) -> Judgement: ...
@overload
def judge(problem: Symmetric | Any, result: Eigh, *, threads: int = ...) -> Judgement: ...
@overload
def judge(problem: Rectangular | tuple[Any, Any] | Any, result: Svd, *, threads: int = ...) -> Judgement: ...
@overload
def judge(problem: SignedPair | tuple[Any, ...], result: Ghsvd, *, threads: int = ...) -> Judgement: ...
def judge(problem: Any, result: Gsvd | Ldlt | Eig | Eigh | Svd | Ghsvd, *, threads: int = 0) -> Judgement:
    """Computes the errors of a result in quadruple precision (up to order 128) or double-double, and the verdict.

    Args:
        problem: what generate() or read_pair() … returned, with its truth; or the matrices: (F, G) for a Gsvd, A for
            an Ldlt, Eig or Eigh, G or (G, J) for an Svd, (F, G) or (F, G, J) for a Ghsvd. They are not changed. True
            eigenvalues of an Eigh and singular values of an Svd are computed from the matrix in quadruple precision, up
            to 128 rows, true eigenvalues of a Ghsvd up to 64 columns, where that takes a few seconds.
        result: of pivotlab, or a Gsvd, Eig, Eigh, Svd or Ghsvd of another library's arrays.
        threads: threads of the host; 0 for all. They change no bit.

    Raises:
        InputError, ValueError: shapes of the result that do not fit the problem.
    """
    threads = whole_number("threads", threads, 0)
    if isinstance(result, Gsvd):
        return _judge_gsvd(problem if isinstance(problem, Pair) else Pair(*problem), result, threads)
    if isinstance(result, Ldlt):
        known = problem if isinstance(problem, Symmetric) else Symmetric(problem, result.symmetry)
        return _judge_ldlt(known, result, threads)
    if isinstance(result, Eig):
        return _judge_eig(problem if isinstance(problem, General) else General(problem), result, threads)
    if isinstance(result, Eigh):
        return _judge_eigh(problem.A if isinstance(problem, Symmetric) else problem, result, threads)
    if isinstance(result, Svd):
        matrix = problem if isinstance(problem, tuple) else (problem,)
        return _judge_svd(problem if isinstance(problem, Rectangular) else Rectangular(*matrix), result, threads)
    if isinstance(result, Ghsvd):
        return _judge_ghsvd(problem if isinstance(problem, SignedPair) else SignedPair(*problem), result, threads)
    raise TypeError(f"result: {type(result).__name__} is not a Gsvd, Ldlt, Eig, Eigh, Svd or Ghsvd; pass one of these")


def _judgement(status: str, message: str, text: str) -> Judgement:
    metrics = json.loads(text)
    bounds = metrics.pop("verdict_bounds")
    return Judgement(status, message, metrics, bounds)


def _judge_gsvd(pair: Pair, result: Gsvd, threads: int) -> Judgement:
    if result.U is None or result.V is None or result.Z is None:
        raise InputError("result: has no U, V or Z; judge a result that a solver has computed")
    names = ("U", "V", "Z", "X", "R", "Q")
    given = {name: as_matrix(name, matrix) for name in names if (matrix := getattr(result, name)) is not None}
    F, G, *factors = of_one_type(as_matrix("F", pair.F), as_matrix("G", pair.G), *given.values())
    vectors = {name: truth_of(name, getattr(result, name), None)[0] for name in ("sigma", "sigma_f", "sigma_g")}
    facts = {name: getattr(result, name) for name in ("k", "l", "r", "reduced", "tolerance_f", "tolerance_g")}
    members = dict(zip(given, factors, strict=True)) | vectors | facts
    members |= {"pivots_f": result.pivots_f, "pivots_g": result.pivots_g}
    return _judgement(*_core.judge_gsvd(F, G, *truth_of("sigma", pair.sigma, pair.sigma_rest), members, threads))


def _judge_ldlt(matrix: Symmetric, result: Ldlt, threads: int) -> Judgement:
    A, symmetry = result._matrix(matrix.A), matrix.symmetry
    truth = truth_of("eigenvalues", matrix.eigenvalues, matrix.eigenvalues_rest)
    inertia = None if matrix.inertia is None else tuple(matrix.inertia)
    return _judgement(*_core.judge_ldlt(A, symmetry, *truth, inertia, result.factors, threads))


def _judge_eig(matrix: General, result: Eig, threads: int) -> Judgement:
    if result.V is None:
        raise InputError("result: has no right eigenvectors V; compute them with right=True")
    members: dict[str, Any] = {"eigenvalues": truth_of("eigenvalues", result.eigenvalues, None, complex)[0]}
    for name in ("V", "W", "T", "E"):
        if (given := getattr(result, name)) is not None:
            members[name] = as_matrix(name, given).astype(complex, copy=False)
    if result.conditions is not None:
        members["conditions"] = truth_of("conditions", result.conditions, None)[0]
    truth = truth_of("eigenvalues", matrix.eigenvalues, matrix.eigenvalues_rest, complex)
    return _judgement(*_core.judge_eig(as_matrix("A", matrix.A), *truth, members, threads))


def _judge_eigh(A: Any, result: Eigh, threads: int) -> Judgement:
    members = {name: truth_of(name, getattr(result, name), None)[0] for name in ("eigenvalues", "estimate")}
    A, *U = of_one_type(as_matrix("A", A), *(() if result.U is None else (as_matrix("U", result.U),)))
    return _judgement(*_core.judge_eigh(A, members | dict(zip(("U",), U, strict=False)), threads))


def _judge_svd(problem: Rectangular, result: Svd, threads: int) -> Judgement:
    if result.U is None or result.V is None:
        raise InputError("result: has no U or V; compute them with v=True")
    G, U, V = of_one_type(as_matrix("G", problem.G), as_matrix("U", result.U), as_matrix("V", result.V))
    members = {name: truth_of(name, getattr(result, name), None)[0] for name in ("sigma", "estimate")}
    members |= {"U": U, "V": V, "J": as_signs("J", result.J, len(members["sigma"]))}
    return _judgement(*_core.judge_svd(G, as_signs("J", problem.J, G.shape[1]), members, threads))


def _judge_ghsvd(pair: SignedPair, result: Ghsvd, threads: int) -> Judgement:
    if result.U is None or result.V is None or result.Z is None:
        raise InputError("result: has no U, V or Z; judge a result that a solver has computed")
    F, G, *factors = of_one_type(
        *(as_matrix(name, getattr(pair, name)) for name in "FG"),
        *(as_matrix(name, getattr(result, name)) for name in "UVZ"),
    )
    names = ("eigenvalues", "sigma_f", "sigma_g", "estimate")
    members = result._members() | {name: truth_of(name, getattr(result, name), None)[0] for name in names}
    members |= dict(zip("UVZ", factors, strict=True))
    return _judgement(*_core.judge_ghsvd(F, G, as_signs("J", pair.J, F.shape[0], "row of F"), members, threads))
