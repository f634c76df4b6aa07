# SPDX-License-Identifier: BSD-3-Clause
"""Exhibits of the symmetric indefinite factorization."""

from .pictures import growth
from .solvers import prepare
from .stages import add_command

__all__ = ["DETAILS", "PICTURES", "add_command", "prepare"]
PICTURES = {"growth": growth}
DETAILS = (
    "gflops",
    "of_peak",
    "positive",
    "negative",
    "zero",
    "swaps_1x1",
    "swaps_2x2",
    "max_condition",
    "dsyt01",
    "solve_error",
)
