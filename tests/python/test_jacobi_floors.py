"""docs/performance-jacobi.md is what its script computes."""

import jacobi_floors
import pytest

from conftest import ROOT


def test_the_page_is_made_by_the_script():
    """After a wanted change: python3 scripts/jacobi_floors.py > docs/performance-jacobi.md"""
    assert (ROOT / "docs/performance-jacobi.md").read_text(encoding="utf-8") == jacobi_floors.page()


def test_a_large_step_is_bound_by_memory_and_a_cached_one_by_flops():
    gram, multiply, with_v = jacobi_floors.floors(9728, 32, False)
    assert multiply == pytest.approx(2 * gram) == pytest.approx(2 * 8 * 9728**2 / 4.3e12)
    assert with_v == pytest.approx(2 * multiply)
    assert jacobi_floors.floors(1024, 16, False)[1] == pytest.approx(4 * 16 * 1024**2 / 57e12)
