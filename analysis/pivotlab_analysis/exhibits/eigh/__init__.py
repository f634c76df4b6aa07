# SPDX-License-Identifier: BSD-3-Clause
"""The Hermitian eigendecomposition: figures and tables of the accuracy of every eigenvalue, and of times."""
