# SPDX-License-Identifier: BSD-3-Clause
"""Exhibits of the generalized singular value decomposition."""

from .solvers import prepare

__all__ = ["CONVERGENCE", "DETAILS", "prepare"]
DETAILS = ("gflops", "of_peak", "kappa_f", "kappa_g")
CONVERGENCE = "per_sweep.big"
