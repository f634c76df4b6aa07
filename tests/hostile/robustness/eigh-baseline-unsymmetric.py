#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""eigh() must refuse a matrix that is not symmetric with every solver, not only with its own variants."""

import sys

import numpy as np
import pivotlab

A = np.array([[1.0, 2, 3], [4, 5, 6], [7, 8, 10]])
wrong = 0
for variant in ("HEV-RK-ME-BO", "lapack:dsyevd"):
    try:
        values = pivotlab.eigh(A, variant=variant).eigenvalues
        print(f"WRONG: {variant} gives {values}; the eigenvalues are {np.sort(np.linalg.eigvals(A).real)[::-1]}")
        wrong = 1
    except pivotlab.InputError as error:
        print(f"right: {variant}: {error}")
sys.exit(wrong)
