#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Lines that users of numpy.linalg and scipy.linalg write on the first day must work."""

import sys

import numpy as np
import pivotlab

rng = np.random.default_rng(1)
A, B = rng.standard_normal((6, 6)), np.eye(6) + 0.1
S = A + A.T
wide, stack = rng.standard_normal((3, 6)), rng.standard_normal((4, 5, 5))


def unpack(result, count):
    assert len([*result]) == count


def judge_other():
    assert pivotlab.judge(S, pivotlab.Eigh(*np.linalg.eigh(S))).passed, "judge says incorrect for NumPy's result"


calls = {
    "U, s, Vh = svd(A)": lambda: unpack(pivotlab.svd(A), 3),
    "w, V = eig(A)": lambda: unpack(pivotlab.eig(A), 2),
    "w, U = eigh(S)": lambda: unpack(pivotlab.eigh(S), 2),
    "svd of a wide matrix": lambda: pivotlab.svd(wide),
    "eigh(A, B), the generalized problem": lambda: pivotlab.eigh(S, B),
    "svd of a stack of matrices": lambda: pivotlab.svd(stack),
    "judge(S, Eigh(*np.linalg.eigh(S)))": judge_other,
}
wrong = 0
for name, call in calls.items():
    try:
        call()
        print(f"right: {name}")
    except Exception as error:
        print(f"WRONG: {name}: {type(error).__name__}: {str(error)[:110]}")
        wrong = 1
sys.exit(wrong)
