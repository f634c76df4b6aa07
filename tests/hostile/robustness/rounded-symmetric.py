#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""eigh() must take a matrix that is symmetric up to rounding, as NumPy's and SciPy's do, or offer a way to say so."""

import inspect
import sys

import numpy as np
import pivotlab

Q, _ = np.linalg.qr(np.random.default_rng(0).standard_normal((20, 20)))
A = Q @ np.diag(np.arange(1.0, 21)) @ Q.T  # symmetric up to the last bit
try:
    values = pivotlab.eigh(A).eigenvalues
    error = np.abs(np.sort(values) - np.arange(1, 21)).max()
    print(f"{'right' if error < 1e-12 else 'WRONG'}: eigenvalues with errors up to {error:.1e}")
    sys.exit(int(error >= 1e-12))
except pivotlab.InputError as error:
    advice = "choose one triangle" in str(error) and "triangle" not in inspect.signature(pivotlab.eigh).parameters
    print(f"WRONG: {error}" + ("; but eigh() has no argument for a triangle" if advice else ""))
    sys.exit(1)
