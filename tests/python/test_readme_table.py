# SPDX-License-Identifier: BSD-3-Clause
"""README's table of times compares results that passed, and says so where there are none."""

from pathlib import Path

import readme_table
from pivotlab_analysis.records import Run

import factory

OURS = "DHZ0-(ME-FB-ME)"


def cells(*cases: tuple[str, int, float, str, float]) -> list[str]:
    """The row of a run with these cases: solver, n, seconds, status, residual (at most 1e-12 passes)."""
    records = [
        factory.record("t", solver, n, wall_s=seconds, status=status, residual_f=residual)
        for solver, n, seconds, status, residual in cases
    ]
    run = Run(Path("t"), {"spec": {"method": "gsvd"}}, records)
    return readme_table.cells(readme_table.Row("GSVD", "page", "t", "paper"), {"t": run})


def test_the_largest_problem_on_which_a_library_passed_is_shown():
    row = cells(
        (OURS, 64, 2.0, "passed", 0),
        ("lapack:dggsvd3", 64, 3.0, "passed", 0),
        ("lapack:dsygvd", 64, 1.0, "incorrect", 1),
        (OURS, 128, 4.0, "passed", 0),
        ("lapack:dggsvd3", 128, 50.0, "incorrect", 2e-12),
    )
    assert row[0].endswith("real paper, n = 64")
    assert row[1:4] == ["LAPACK dggsvd3, 3 s", f"{OURS}, 2 s", "1.5"]
    assert row[4] == "nowhere in this run"


def test_where_no_library_passed_the_fastest_that_nearly_did_stands_marked():
    row = cells(
        (OURS, 64, 2.0, "passed", 0),
        (f"{OURS};w=32", 64, 1.0, "incorrect", 1),
        ("lapack:dggsvd3", 64, 6.0, "incorrect", 2e-12),
        ("lapack:dgesvd", 64, 5.0, "incorrect", 9e-10),
        ("lapack:dsygvd", 64, 0.5, "incorrect", 2e-9),
    )
    assert row[1:4] == ["LAPACK dgesvd, 5 s†", f"{OURS}, 2 s", "2.5"]
    assert row[4] == "real paper, n = 64: 2 s against LAPACK dsygvd 0.5 s†"


def test_pivotlab_is_slowest_where_its_ratio_is_smallest():
    passed = [(OURS, 64, 2.0), ("lapack:dsygvd", 64, 1.0), (OURS, 128, 9.0), ("lapack:dsygvd", 128, 3.0)]
    row = cells(*((*case, "passed", 0) for case in passed))
    assert row[3:] == ["0.33", "real paper, n = 128: 9 s against LAPACK dsygvd 3 s"]
