# SPDX-License-Identifier: BSD-3-Clause
"""Statuses of results."""

from __future__ import annotations

from typing import Any

import numpy as np


class StatusError(RuntimeError, np.linalg.LinAlgError):
    """A solver has not passed; what catches NumPy's LinAlgError catches it, too. `result` is what it has computed,
    `status` one of not_converged, incorrect, failed."""

    def __init__(self, call: str, status: str, message: str, result: Any) -> None:
        super().__init__(
            f"{call}: {status}: {message or 'no reason known'}; the exception's result has the last iterate"
        )
        self.status = status
        self.result = result


def require_passed(call: str, result: Any, check: bool) -> Any:
    """Returns the result. Raises StatusError for one that has not passed, unless `check` is false."""
    if check and result.status != "passed":
        raise StatusError(call, result.status, result.message, result)
    return result


def described(kind: str, **facts: Any) -> str:
    """ "<Gsvd F 3 × 2, G 2 × 2, passed>"; facts that are None are left out."""
    words = [f"{name.replace('_', ' ')} {value}" for name, value in facts.items() if value is not None]
    return f"<{kind} {', '.join(words)}>"


def size(matrix: Any) -> str | None:
    return None if matrix is None else " × ".join(map(str, matrix.shape))
