# SPDX-License-Identifier: BSD-3-Clause
"""The generalized hyperbolic singular value decomposition: figures and tables of the accuracy of every eigenvalue."""
