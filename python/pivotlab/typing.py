# SPDX-License-Identifier: BSD-3-Clause
"""Names of the types of arguments and results."""

from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

Matrix: TypeAlias = NDArray[np.float64] | NDArray[np.complex128]
"""Two-dimensional, stored by columns."""
Vector: TypeAlias = NDArray[np.float64]
ComplexVector: TypeAlias = NDArray[np.complex128]
Integers: TypeAlias = NDArray[np.int64]
Booleans: TypeAlias = NDArray[np.bool_]
Backend: TypeAlias = Literal["host", "cuda", "emulation"]
Method: TypeAlias = Literal["gsvd", "ldlt", "eig", "eigh", "hsvd", "ghsvd"]
Symmetry: TypeAlias = Literal["hermitian", "symmetric"]
Triangle: TypeAlias = Literal["whole", "lower", "upper"]
