# SPDX-License-Identifier: BSD-3-Clause
"""The floors in docs/notebook/performance-jacobi.md are what the script computes."""

import jacobi_floors
import pytest

from conftest import ROOT


def test_the_page_has_the_table_of_the_script():
    """After a wanted change: put what python3 scripts/jacobi_floors.py prints into the page."""
    assert jacobi_floors.table() in (ROOT / "docs/notebook/performance-jacobi.md").read_text(encoding="utf-8")


def test_a_large_step_is_bound_by_memory_and_a_cached_one_by_flops():
    gram, multiply, with_v = jacobi_floors.floors(9728, 32, False)
    assert multiply == pytest.approx(2 * gram) == pytest.approx(2 * 8 * 9728**2 / 4.3e12)
    assert with_v == pytest.approx(2 * multiply)
    assert jacobi_floors.floors(1024, 16, False)[1] == pytest.approx(4 * 16 * 1024**2 / 57e12)
