"""Exhibits of the generalized singular value decomposition."""

from .solvers import prepare

__all__ = ["DETAILS", "prepare"]
DETAILS = ("kappa_f", "kappa_g")
