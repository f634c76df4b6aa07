# SPDX-License-Identifier: BSD-3-Clause
"""Times of methods whose runs have several kinds of matrices: one exhibit a kind."""

import pytest
from pivotlab_analysis.exhibits import speeds

import factory
from factory import source


def test_times_are_those_of_one_generator():
    records = [
        factory.eig_record("t", solver, n, generator=generator, compute_s=compute_s * n)
        for n in (64, 128)
        for generator, times in {"random": (4.0, 1.0), "graded;g=6": (100.0, 200.0)}.items()
        for solver, compute_s in zip(("lapack:zgeev", "ZEIG-(RR)"), times, strict=True)
    ]
    options = {"title": "T", "type": "z", "reference": "lapack:?geev"}
    table = speeds.speed_table(source(records), **options, generator="random")
    assert table.name == "eig-speed"
    assert [row[1:3] for row in table.rows] == [[256.0, 1.0], [64.0, pytest.approx(4.0)]]
    panels = speeds.speed_figure(source(records), **options, generator="graded;g=6").panels
    assert panels[1].series[0].y == [pytest.approx(0.5)] * 2
    assert speeds.speed_table(source(records), **options, generator="graded").rows == []
