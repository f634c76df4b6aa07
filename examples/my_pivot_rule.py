# SPDX-License-Identifier: BSD-3-Clause
"""A pivot rule of one's own for symmetric indefinite matrices, judged beside rook and complete pivoting and LAPACK.

    python examples/my_pivot_rule.py [FOLDER]

The rule takes the diagonal element with the smallest multipliers, if these are at most 1/alpha; otherwise the 2 × 2
pivot with the largest element off the diagonal. Records go to FOLDER/runs (default: the current folder).
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import pivotlab


@pivotlab.solver("ldlt", name="least_multiplier")
def least_multiplier(A: NDArray[Any], alpha: float = 0.64) -> dict[str, Any]:
    A, n = np.array(A), len(A)  # a copy: the argument is read-only
    L, D, p, k, pairs = np.eye(n, dtype=A.dtype), np.zeros_like(A), np.arange(n), 0, 0
    while k < n:
        S = np.abs(A[k:, k:])
        diagonal = S.diagonal().copy()
        np.fill_diagonal(S, 0)
        column = S.max(axis=0)
        if not S.any():  # only the diagonal is left
            D[range(k, n), range(k, n)] = A[range(k, n), range(k, n)]
            break
        best = int(np.argmax(np.divide(diagonal, column, out=np.full(n - k, np.inf), where=column > 0)))
        size = 1 if diagonal[best] >= alpha * column[best] else 2
        rows = [best] if size == 1 else sorted(divmod(int(np.argmax(S)), n - k))
        for place, row in enumerate(rows):  # interchanges of rows and columns
            i, j = k + place, k + row
            A[[i, j]], p[[i, j]], L[[i, j], :k] = A[[j, i]], p[[j, i]], L[[j, i], :k]
            A[:, [i, j]] = A[:, [j, i]]
        e = k + size
        D[k:e, k:e] = A[k:e, k:e]
        L[e:, k:e] = np.linalg.solve(A[k:e, k:e].T, A[e:, k:e].T).T
        A[e:, e:] -= L[e:, k:e] @ A[k:e, e:]
        k, pairs = e, pairs + size // 2
    return {"L": L, "D": (D + D.T.conj()) / 2, "perm": p, "pairs": pairs}


def main(folder: Path) -> None:
    run = pivotlab.sweep(
        "ldlt",
        n=[60, 120],
        solver=[least_multiplier, "LDLT-RK", "LDLT-BP", "lapack:dsytrf"],
        alpha=[0.3, 0.64, 0.9],
        generator=["spectrum", "kkt", "graded;g=6"],
        out=folder / "runs" / "my_pivot_rule",
    )
    print(run)
    frame = run.frame.assign(solver=run.frame["solver"].str.replace(r".*/", "", regex=True))
    shown = ["generator", "solver", "residual", "max_multiplier", "max_growth", "inertia_agrees", "own.pairs"]
    print(frame.loc[frame["n"] == 120, shown].to_string(index=False, float_format="{:.1e}".format))
    time = frame.groupby("solver")["compute_s"].sum()
    print(f"in NumPy {time.iloc[-1] / time['lapack:dsytrf']:.0f} times as long as dsytrf")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
