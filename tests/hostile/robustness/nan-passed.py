#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""NaN in the input must be refused or show in the status; no call may answer "passed" or "certified" for it."""

import sys

import numpy as np
import pivotlab

rng = np.random.default_rng(0)
A = rng.standard_normal((6, 6))
A = A + A.T
b, nan = np.ones(6), np.nan
f = pivotlab.ldlt(A)
w, U = np.linalg.eigh(A)
calls = {
    "ldlt(A).certify(A with a NaN)": lambda: f.certify(np.where(np.arange(36).reshape(6, 6) == 0, nan, A)).status,
    "ldlt(A).solve_refined(NaN, b)": lambda: f.solve_refined(A * nan, b).status,
    "ldlt(A).solve_refined(A, NaN)": lambda: f.solve_refined(A, b * nan).status,
    "judge of an Eigh with NaN values": lambda: pivotlab.judge(A, pivotlab.Eigh(eigenvalues=w * nan, U=U)).status,
    "judge of an Eigh with NaN vectors": lambda: (
        pivotlab.judge(A, pivotlab.Eigh(eigenvalues=w[::-1], U=U * nan)).status
    ),
}
wrong = 0
for name, call in calls.items():
    try:
        answer = call()
    except (ValueError, ArithmeticError, pivotlab.StatusError) as error:
        answer = f"{type(error).__name__}: {error}"
    bad = answer in ("passed", "certified")
    wrong |= bad
    print(f"{'WRONG' if bad else 'right'}: {name}: {answer[:120]}")
sys.exit(wrong)
