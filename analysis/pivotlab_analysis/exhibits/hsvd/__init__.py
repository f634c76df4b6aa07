# SPDX-License-Identifier: BSD-3-Clause
"""The singular value decomposition: figures and tables of the accuracy of every singular value, and of times."""
