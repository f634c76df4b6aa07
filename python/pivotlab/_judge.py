# SPDX-License-Identifier: BSD-3-Clause
"""Judgement of a result in extended precision."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, fields, replace
from typing import Any, overload

import numpy as np

from . import _core
from ._arrays import as_matrix, as_signs, by_columns, of_one_type, thread_count, whole_number
from ._core import InputError
from ._eig import Eig
from ._eigh import Eigh
from ._ghsvd import Ghsvd
from ._gsvd import Gsvd
from ._judge_pencils import are_quotients, judge_pair, judge_pencil, signs_of
from ._ldlt import Ldlt
from ._problems import General, Pair, Rectangular, SignedPair, Symmetric, truth_of
from ._program import listed
from ._svd import Svd


@dataclass(frozen=True, repr=False)
class Judgement:
    """Metrics of a result and the verdict on it, which is what it is as a truth value.

    docs/reference/metrics.md defines every metric with its bound and source.
    """

    status: str
    """passed, if every bounded metric is within its bound; incorrect; or "not judged": nothing is wrong, but the result
    lacks what a verdict needs."""
    message: str
    """The metrics beyond their bounds, or what is missing; empty if passed."""
    metrics: dict[str, Any]
    """By name, as in a record; None where a metric does not exist for this problem."""
    bounds: dict[str, float]
    """Of the metrics that make up the verdict."""
    method: str = ""
    """The method whose metrics these are."""

    @property
    def passed(self) -> bool:
        return self.status == "passed"

    def __bool__(self) -> bool:
        """The verdict."""
        return self.passed

    @property
    def failed(self) -> tuple[str, ...]:
        """Names of the metrics beyond their bounds, and of those that could not be computed."""
        words = set(re.findall(r"\w+", self.message))

        def fails(name: str, bound: float | None) -> bool:
            value = self.metrics.get(name)
            return name in words if value is None or bound is None else not value <= bound

        return tuple(name for name, bound in self.bounds.items() if fails(name, bound))

    def explain(self) -> str:
        """Return the verdict, every bounded metric with its bound, and the definitions of those that failed."""
        lines = [f"{self.status}{': ' + self.message if self.message else ''}"]
        definitions = (
            {line["metric"]: line["summary"] for line in listed("metrics", self.method)}
            if self.failed and self.method
            else {}
        )
        for name, bound in self.bounds.items():
            value = self.metrics.get(name)
            if value is None and name not in self.failed:
                continue
            shown = "none" if value is None else f"{value:.2e}"
            limit = "" if bound is None else f" {'>' if name in self.failed else '≤'} {bound:.2e}"
            lines.append(f"{name}: {shown}{limit}")
            if name in self.failed and name in definitions:
                lines.append(f"    {definitions[name]}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        lines = [f"<Judgement {self.status}{': ' + self.message if self.message else ''}"]
        for name, bound in self.bounds.items():
            value = self.metrics.get(name)
            if value is not None and bound is not None:
                lines.append(f"  {name:18} {value:8.2e}  bound {bound:8.2e}")
        if "precision" in self.metrics:
            lines.append(f"  judged in {self.metrics['precision']} on the {self.metrics['device']}")
        return "\n".join(lines) + ">"


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
    """Compute the errors of a result in quadruple precision (up to order 128) or double-double, and the verdict.

    Parameters
    ----------
    problem
        What generate() or read_pair() … returned, with its truth; or the matrices: (F, G) for a Gsvd, A for an Ldlt,
        Eig or Eigh, (A, B) for an Eig of a pencil or an Eigh of a pair, G or (G, J) for an Svd, (F, G) or (F, G, J)
        for a Ghsvd. They are not changed. True eigenvalues of an Eigh and singular values of an Svd are computed from
        the matrix in extended precision, up to 128 rows, true eigenvalues of a Ghsvd up to 64 columns, where that takes
        a few seconds. Pencils and pairs (A, B) are judged by their residuals in NumPy's extended precision.
    result : Gsvd, Ldlt, Eig, Eigh, Svd or Ghsvd
        Of pivotlab, or of another library's arrays. One in single precision passes only if it is right in double, and
        is otherwise "not judged". Not judged are X, R and Q of a Gsvd, its sigma_error without true sigma, and the
        positions of an Eig.
    threads : int
        Threads of the host; 0 for all. They change no bit.

    Returns
    -------
    Judgement
        True if passed; `failed` and `explain()` say what has not.

    Raises
    ------
    InputError, ValueError
        Shapes of the result that do not fit the problem.

    Examples
    --------
    >>> import numpy as np, pivotlab
    >>> A = np.diag([1.0, 2.0])
    >>> bool(pivotlab.judge(A, pivotlab.eigh(A)))
    True
    >>> "eigenvalue_ratio" in pivotlab.judge(A, pivotlab.Eigh(np.array([2.0, 1.5]), np.eye(2)[:, ::-1])).failed
    True
    """
    judged = _judged(problem, result, thread_count(threads))
    if judged.status == "incorrect" and any(
        str(getattr(m, "dtype", "")).endswith(("float32", "complex64")) for m in _members(result)
    ):
        message = f"the result is in single precision, and bounds are those of double: {judged.message}"
        return replace(judged, status="not judged", message=message)
    return judged


def _members(result: Any) -> list[Any]:
    return [getattr(result, f.name) for f in fields(result)]


def _judged(problem: Any, result: Any, threads: int) -> Judgement:
    is_pair = isinstance(problem, tuple) and len(problem) == 2 and np.ndim(problem[0]) == np.ndim(problem[1]) == 2
    if isinstance(result, Gsvd):
        return _judge_gsvd(problem if isinstance(problem, Pair) else Pair(*problem), result, threads)
    if isinstance(result, Ldlt):
        known = problem if isinstance(problem, Symmetric) else Symmetric(problem, result.symmetry)
        return _judge_ldlt(known, result, threads)
    if isinstance(result, Eig | Eigh) and is_pair:
        return _judge_pencil(*problem, result, threads)
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


def _require_shapes(**expected: tuple[Any, tuple[int, ...]]) -> None:
    """Raises InputError for a member of the result with another shape; None has any."""
    for name, (given, shape) in expected.items():
        if given is not None and np.shape(given) != shape:
            raise InputError(f"result: the shapes do not fit: {name} has {np.shape(given)}; the problem's is {shape}")


def _require_truth(name: str, values: Any, count: int) -> None:
    if values is not None and np.shape(values) != (count,):
        raise InputError(f"problem: {name} has the shape {np.shape(values)}; pass {count} numbers, or None")


def _not_finite(**members: Any) -> Judgement | None:
    """The judgement on a result with NaN or infinite numbers."""
    for name, given in members.items():
        if given is not None and not np.all(np.isfinite(given)):
            count = int(np.sum(~np.isfinite(given)))
            return Judgement("incorrect", f"{name} has NaN or infinite elements", {name: count}, {name: 0})
    return None


def _counts(inertia: Any) -> tuple[int, ...]:
    if np.shape(inertia) != (3,):
        raise InputError(
            f"inertia: {inertia!r} is not three numbers; pass those of positive, negative, zero eigenvalues"
        )
    return tuple(whole_number("inertia", count, 0) for count in inertia)


def _contradiction(message: str) -> Judgement:
    """The judgement on a result of which members contradict each other."""
    return Judgement("incorrect", message, {}, {})


def _judgement(method: str, status: str, message: str, text: str) -> Judgement:
    metrics = json.loads(text)
    bounds = metrics.pop("verdict_bounds")
    return Judgement(status, message, metrics, bounds, method)


def _judge_gsvd(pair: Pair, result: Gsvd, threads: int) -> Judgement:
    if result.U is None or result.V is None or result.Z is None:
        raise InputError("result: has no U, V or Z; judge a result that a solver has computed")
    names = ("U", "V", "Z", "X", "R", "Q")
    given = {name: as_matrix(name, matrix) for name in names if (matrix := getattr(result, name)) is not None}
    F, G, *factors = of_one_type(as_matrix("F", pair.F), as_matrix("G", pair.G), *given.values())
    given = dict(zip(given, factors, strict=True))
    numbers = ("sigma", "sigma_f", "sigma_g")
    vectors = {name: truth_of(name, getattr(result, name), None)[0] for name in numbers}
    n, r = F.shape[1], given["Z"].shape[1]
    if G.shape[1] != n:
        raise InputError(f"problem: F has {n} columns, G has {G.shape[1]}; pass a pair")
    if r > n:
        raise InputError(f"result: Z has {r} columns for a pair of {n}; pass at most as many")
    _require_shapes(U=(given["U"], (F.shape[0], r)), V=(given["V"], (G.shape[0], r)), Z=(given["Z"], (n, r)))
    _require_shapes(X=(result.X, (r, n)), R=(result.R, (r, r)), Q=(result.Q, (n, n)))
    _require_shapes(
        **{name: (vector, (r,)) for name, vector in vectors.items()}, sigma_error=(result.sigma_error, (r,))
    )
    if pair.sigma is not None and np.size(pair.sigma) > n:
        raise InputError(f"problem: sigma has {np.size(pair.sigma)} numbers for {n} columns; pass at most as many")
    errors = None if result.sigma_error is None else np.nan_to_num(result.sigma_error, nan=np.nan, posinf=1)
    ratios = np.nan_to_num(vectors["sigma"], nan=np.nan, posinf=0)
    if (wrong := _not_finite(**given | vectors | {"sigma": ratios, "sigma_error": errors})) is not None:
        return wrong
    infinite = int(np.sum(np.isinf(vectors["sigma"])))
    if result.reduced and result.k != infinite:
        return _contradiction("k is not the number of infinite sigma")
    if result.r not in (None, r) or (result.l is not None and result.k + result.l != r):
        return _contradiction("k, l and r are not the numbers of sigma")
    reduced = n > 0 and (result.reduced or infinite > 0 or r < n)
    if reduced and (result.R is None or result.Q is None):
        message = (
            "R and Q are not given, by which infinite sigma and deficient ranks are judged; compute them with x=True"
        )
        return Judgement("not judged", message, {}, {})
    facts = {name: getattr(result, name) for name in ("tolerance_f", "tolerance_g")}
    facts |= {"k": infinite, "l": r - infinite, "r": r, "reduced": reduced}
    members = given | vectors | facts | {"pivots_f": result.pivots_f, "pivots_g": result.pivots_g}
    if errors is not None:
        members["sigma_error"] = truth_of("sigma_error", result.sigma_error, None)[0]
    return _judgement(
        "gsvd", *_core.judge_gsvd(F, G, *truth_of("sigma", pair.sigma, pair.sigma_rest), members, threads)
    )


def _judge_ldlt(matrix: Symmetric, result: Ldlt, threads: int) -> Judgement:
    A, symmetry = result._matrix(matrix.A), matrix.symmetry
    if A.shape != (result.n, result.n):
        raise InputError(f"A: has the shape {A.shape}; {(result.n, result.n)} is that of the factors")
    _require_truth("eigenvalues", matrix.eigenvalues, result.n)
    truth = truth_of("eigenvalues", matrix.eigenvalues, matrix.eigenvalues_rest)
    inertia = None if matrix.inertia is None else _counts(matrix.inertia)
    return _judgement("ldlt", *_core.judge_ldlt(A, symmetry, *truth, inertia, result.factors, threads))


def _order_of(A: np.ndarray) -> int:
    if A.shape[0] != A.shape[1]:
        raise InputError(f"A: is {A.shape[0]} × {A.shape[1]}; pass a square matrix")
    return A.shape[0]


def _judge_eig(matrix: General, result: Eig, threads: int) -> Judgement:
    if result.V is None:
        raise InputError("result: has no right eigenvectors V; compute them with right=True")
    A = as_matrix("A", matrix.A)
    n = _order_of(A)
    _require_truth("eigenvalues", matrix.eigenvalues, n)
    members: dict[str, Any] = {"eigenvalues": truth_of("eigenvalues", result.eigenvalues, None, complex)[0]}
    _require_shapes(eigenvalues=(members["eigenvalues"], (n,)))
    for name in ("V", "W", "T", "E"):
        if (given := getattr(result, name)) is not None:
            members[name] = as_matrix(name, given).astype(complex, copy=False)
            _require_shapes(**{name: (given, (n, n))})
    if (wrong := _not_finite(**members)) is not None:
        return wrong
    if result.conditions is not None:
        members["conditions"] = truth_of("conditions", result.conditions, None)[0]
    truth = truth_of("eigenvalues", matrix.eigenvalues, matrix.eigenvalues_rest, complex)
    return _judgement("eig", *_core.judge_eig(A, *truth, members, threads))


def _judge_eigh(A: Any, result: Eigh, threads: int) -> Judgement:
    A, *U = of_one_type(as_matrix("A", A), *(() if result.U is None else (as_matrix("U", result.U),)))
    members = {name: truth_of(name, getattr(result, name), None)[0] for name in ("eigenvalues", "estimate")}
    members |= dict(zip(("U",), U, strict=False))
    members |= {} if result.inertia is None else {"inertia": _counts(result.inertia)}
    n = _order_of(A)
    estimate = None if result.estimate is None else members["estimate"]
    _require_shapes(eigenvalues=(members["eigenvalues"], (n,)), estimate=(estimate, (n,)), U=(members.get("U"), (n, n)))
    if (wrong := _not_finite(**members)) is not None:
        return wrong
    if np.any(np.diff(members["eigenvalues"]) > 0):  # as those of NumPy and SciPy, which ascend
        order = np.argsort(-members["eigenvalues"], kind="stable")
        sorts = {name: own[..., order] for name, own in members.items() if name != "inertia" and own.size}
        members |= sorts
        members |= {"U": by_columns(members["U"])} if U else {}
    judged = _judgement("eigh", *_core.judge_eigh(A, members, threads))
    if not U and n > 0 and judged.passed:
        return replace(judged, status="not judged", message="U is not given; compute it with vectors=True")
    return judged


def _judge_pencil(A: Any, B: Any, result: Eig | Eigh, threads: int) -> Judgement:
    vectors = result.V if isinstance(result, Eig) else result.U
    if vectors is None:
        raise InputError("result: has no eigenvectors; compute them")
    left = getattr(result, "W", None)
    A, B, vectors, *W = of_one_type(
        as_matrix("A", A),
        as_matrix("B", B),
        as_matrix("V", vectors),
        *(() if left is None else (as_matrix("W", left),)),
    )
    n = _order_of(A)
    _require_shapes(B=(B, (n, n)), V=(vectors, (n, n)), W=(left, (n, n)), eigenvalues=(result.eigenvalues, (n,)))
    values = np.asarray(result.eigenvalues)
    if (wrong := _not_finite(vectors=vectors, W=left)) is not None:
        return wrong
    if isinstance(result, Eigh):
        wrong = _not_finite(eigenvalues=values)
        if wrong is None and result.inertia is not None:
            given = (np.sign(values), signs_of(A, values, vectors))
            if tuple(result.inertia) not in [tuple(int(np.sum(own == sign)) for sign in (1, -1, 0)) for own in given]:
                wrong = _contradiction("the inertia is not that of the eigenvalues")
        return Judgement(*judge_pair(A, B, values, vectors)) if wrong is None else wrong
    infinite = np.isinf(values)
    alpha = np.where(infinite, 1, values) if result.alpha is None else np.asarray(result.alpha)
    beta = np.where(infinite, 0, 1) if result.beta is None else np.asarray(result.beta)
    _require_shapes(alpha=(alpha, (n,)), beta=(beta, (n,)))
    wrong = _not_finite(alpha=alpha, beta=beta)
    if wrong is None and not are_quotients(values, alpha, beta):
        wrong = _contradiction("the eigenvalues are not alpha/beta")
    if wrong is not None:
        return wrong
    judged = Judgement(*judge_pencil(A, B, alpha, beta, vectors, threads))
    for M in W if judged.passed else ():  # Aᴴ·W·B̄ = Bᴴ·W·Ā, with the conjugate numbers on the diagonals
        own = Judgement(*judge_pencil(A.conj().T, B.conj().T, alpha.conj(), beta.conj(), M, threads))
        both = {part: getattr(judged, part) | _of_left(getattr(own, part)) for part in ("metrics", "bounds")}
        judged = replace(own, message=own.message and f"W: {own.message}", **both)
    return judged


def _of_left(numbers: dict[str, Any]) -> dict[str, Any]:
    return {f"left_{name}": number for name, number in numbers.items()}


def _judge_svd(problem: Rectangular, result: Svd, threads: int) -> Judgement:
    if result.U is None or result.V is None:
        raise InputError("result: has no U or V; compute them with v=True")
    G, U, V = of_one_type(as_matrix("G", problem.G), as_matrix("U", result.U), as_matrix("V", result.V))
    members = {name: truth_of(name, getattr(result, name), None)[0] for name in ("sigma", "estimate")}
    (m, n), k = G.shape, min(G.shape)
    estimate = None if result.estimate is None else members["estimate"]
    _require_shapes(sigma=(members["sigma"], (k,)), estimate=(estimate, (k,)))
    if m != n and U.shape == (m, m) and V.shape == (n, n):  # full matrices: those of G with zero rows or columns
        more = max(m, n) - k
        if not all(M[:, k:].any(axis=0).all() for M in (U, V)):  # those of sigma = 0 may be, as of xGESVJ
            return _contradiction("a column that completes a basis is zero")
        G = by_columns(np.pad(G, ((0, max(n - m, 0)), (0, max(m - n, 0)))))
        U, V = (by_columns(_extended_by_identity(M, max(m, n) - len(M))) for M in (U, V))
        padded = ("sigma",) if estimate is None else ("sigma", "estimate")
        members |= {name: np.append(members[name], np.zeros(more)) for name in padded}
        signs = [as_signs("J", J, count) for J, count in ((result.J, k), (problem.J, n))]
        result = replace(result, J=np.append(signs[0], np.ones(more, int)))
        problem = replace(problem, J=np.append(signs[1], np.ones(len(V) - n, int)))
        m = n = k = len(U)
    _require_shapes(U=(U, (m, k)), V=(V, (n, k)))
    if (wrong := _not_finite(U=U, V=V, **members)) is not None:
        return wrong
    members |= {"U": U, "V": V, "J": as_signs("J", result.J, k)}
    return _judgement("hsvd", *_core.judge_svd(G, as_signs("J", problem.J, n), members, threads))


def _extended_by_identity(M: np.ndarray, more: int) -> np.ndarray:
    extended = np.pad(M, (0, more))
    extended[len(M) :, len(M) :] = np.eye(more)
    return extended


def _judge_ghsvd(pair: SignedPair, result: Ghsvd, threads: int) -> Judgement:
    if result.U is None or result.V is None or result.Z is None:
        raise InputError("result: has no U, V or Z; judge a result that a solver has computed")
    F, G, *factors = of_one_type(
        *(as_matrix(name, getattr(pair, name)) for name in "FG"),
        *(as_matrix(name, getattr(result, name)) for name in "UVZ"),
    )
    names = ("eigenvalues", "sigma_f", "sigma_g", "estimate")
    vectors = {name: truth_of(name, getattr(result, name), None)[0] for name in names}
    matrices = dict(zip("UVZ", factors, strict=True))
    (m_f, n), (m_g, columns) = F.shape, G.shape
    if columns != n:
        raise InputError(f"problem: F has {n} columns, G has {columns}; pass a pair")
    shapes = {"U": (m_f, n), "V": (m_g, n), "Z": (n, n)}
    _require_shapes(**{name: (matrix, shapes[name]) for name, matrix in matrices.items()}, J=(result.J, (n,)))
    given = {name: vector for name, vector in vectors.items() if getattr(result, name) is not None}
    _require_shapes(**{name: (vector, (n,)) for name, vector in given.items()})
    if (wrong := _not_finite(**matrices, **given)) is not None:
        return wrong
    members = result._members() | vectors | matrices
    return _judgement("ghsvd", *_core.judge_ghsvd(F, G, as_signs("J", pair.J, m_f, "row of F"), members, threads))
