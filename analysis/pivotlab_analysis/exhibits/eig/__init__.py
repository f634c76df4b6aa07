# SPDX-License-Identifier: BSD-3-Clause
"""Exhibits of the eigendecomposition."""

from .matrices import prepare

__all__ = ["CONVERGENCE", "DETAILS", "prepare"]
DETAILS = ("get22", "left_residual", "relative_error", "trace_error", "vector_condition")
CONVERGENCE = "lower_history"
