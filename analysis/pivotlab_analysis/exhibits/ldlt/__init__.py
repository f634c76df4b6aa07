# SPDX-License-Identifier: BSD-3-Clause
"""Exhibits of the symmetric indefinite factorization."""

from . import pivots
from .pictures import growth
from .solvers import prepare
from .stages import add_command

__all__ = ["DETAILS", "FILE_PICTURES", "PICTURES", "add_command", "prepare"]
PICTURES = {"growth": growth}
FILE_PICTURES = {"pivots": pivots}
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
