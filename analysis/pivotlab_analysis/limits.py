# SPDX-License-Identifier: BSD-3-Clause
"""Limits of what one page can show."""

from .errors import InputError

MOST_LINES, MOST_PANELS = 12, 8


def require_few(count: int, most: int, what: str, column: str) -> None:
    """Raises InputError for more panels or lines than a page can show."""
    if count > most:
        raise InputError(f"too many: {count} {what}, at most {most} are readable; choose with --where {column}=…")
