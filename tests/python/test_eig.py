# SPDX-License-Identifier: BSD-3-Clause
"""Exhibits of the eigendecomposition: what they compare, what they claim, and what they leave open."""

import json
from pathlib import Path

import jsonschema
import matplotlib.pyplot as plt
import pytest
from pivotlab_analysis import Library, exhibits, interactive, plots
from pivotlab_analysis.exhibits import registry
from pivotlab_analysis.exhibits.eig import figures, matrices, tables
from pivotlab_analysis.model import Figure
from pivotlab_analysis.records import DEFAULT_SCHEMA, Run

import factory
from factory import source


def record(solver, n, **options):
    return factory.eig_record("t", solver, n, **options)


def test_made_up_records_are_as_the_engine_writes_them():
    schema = json.loads(DEFAULT_SCHEMA.read_text(encoding="utf-8"))
    validator = jsonschema.Draft202012Validator(schema)
    for each in (
        record("ZEIG-(RR)", 8),
        record("ZEIG-(ME);b=16;refine", 8, type="d"),
        record("ZEIG-(RR);fused;shear=off", 8, status="not_converged"),
        record("lapack:zgeev", 8),
        record("ZEIG-(RR)", 8, status="timeout"),
    ):
        assert [error.message for error in validator.iter_errors(each)] == []


def accuracy(records):
    return tables.accuracy(source(records), title="T", published="eig-accuracy")


def test_accuracy_holds_up_to_three_times_the_expected_errors_and_two_more_sweeps():
    usual = {"generator": "normal", "residual": 3e-14, "eigenvalue_error": 3e-14}
    table = accuracy([record("ZEIG-(RR)", 64, sweeps=11, **usual), record("ZEIG-(RR);b=16", 64, sweeps=10, **usual)])
    assert [f.holds for f in table.findings] == [True]
    assert table.rows[3][:6] == ["normal", 64, 9, 11, 8, 10]
    for changed in ({"sweeps": 12}, {"residual": 3.1e-14}, {"eigenvalue_error": 3.1e-14}):
        table = accuracy([record("ZEIG-(RR)", 64, **{"sweeps": 11, **usual, **changed})])
        assert [f.holds for f in table.findings] == [False]
        assert "normal (n = 64): " in table.findings[0].text


def test_accuracy_takes_as_expected_what_rounding_explains():
    usual = {"sweeps": 27, "generator": "grcar", "residual": 9e-14, "eigenvalue_error": 2e-6}
    for over_condition, holds in ((6e-16, True), (7e-16, False)):  # 3ε = 6.7e-16
        table = accuracy([record("ZEIG-(RR);b=16", 64, error_over_condition=over_condition, **usual)])
        assert [f.holds for f in table.findings] == [holds]
    insensitive = usual | {"generator": "companion", "sweeps": 8}
    table = accuracy([record("ZEIG-(RR);b=16", 64, error_over_condition=1e-16, **insensitive)])
    assert [f.holds for f in table.findings] == [False]


# (6ε)^(1/16), (6ε)^(1/8)
@pytest.mark.parametrize(("options", "error"), [("", 0.1176 / 2), (";blocks=2", 0.01383 / 2)])
def test_errors_in_a_jordan_block_are_explained_by_a_root(options, error):
    for factor, holds in ((0.99, True), (1.01, False)):
        values = {"generator": "defective" + options, "norm_2": 2.0, "eigenvalue_error": factor * error}
        table = tables.sensitive(source([record("ZEIG-(RR)", 16, **values)]), title="T")
        assert [f.holds for f in table.findings] == [holds]
        assert table.rows[0][2] == (8 if options else 16)


def test_accuracy_lists_other_matrices_without_claims():
    table = accuracy([record("ZEIG-(RR)", 64, generator="unitary")])
    assert table.findings == [] and table.rows[-1][0] == "unitary" and table.rows[-1][2] is None


def test_speed_is_told_against_the_point_method_on_one_core_and_the_published_times():
    records = [record("ZEIG-(RR)", 256, threads=t, compute_s=8.0 / t) for t in (1, 2)]
    records += [record("ZEIG-(RR);b=16", 256, backend="cuda", threads=1, compute_s=0.02)]
    table = tables.speed(source(records), title="T", type="z", reference="ZEIG-(RR)", published="eig-geev")
    rows = {(n, row[0]): row[at : at + 2] for row in table.rows for at, n in ((1, 256), (3, 512))}
    assert [column.group for column in table.columns[1:5]] == ["n = 256", "n = 256", "n = 512", "n = 512"]
    assert rows[256, "ZEIG-(RR), 1 core"] == [8.0, 1.0] and rows[256, "ZEIG-(RR), 2 cores"] == [4.0, 2.0]
    assert rows[256, "ZEIG-(RR);b=16, GPU"] == [0.02, pytest.approx(400)]
    assert rows[256, "cuSOLVER zgeev, published, H200"] == [0.052, pytest.approx(8 / 0.052)]
    assert rows[512, "cuSOLVER zgeev, published, H200"] == [0.105, None]
    figure = figures.speed(source(records), title="T", type="z", reference="ZEIG-(RR)")
    assert [line.label for line in figure.panels[1].series] == ["ZEIG-(RR), 2 cores", "ZEIG-(RR);b=16, GPU"]


def test_convergence_draws_the_lower_part_of_every_sweep():
    records = [record(solver, 8, sweeps=5) for solver in ("ZEIG-(RR)", "ZEIG-(RR);b=16", "lapack:zgeev")]
    (panel,) = figures.convergence(source(records), title="T").panels
    assert [line.label for line in panel.series] == ["ZEIG-(RR)", "ZEIG-(RR);b=16"]
    assert list(panel.series[0].x) == list(range(6)) and panel.series[0].y[3] == pytest.approx(1e-3)


def test_spectra_lie_over_the_true_eigenvalues():
    (panel,) = figures.spectra(source([record("ZEIG-(RR)", 8)]), title="T", solver="ZEIG-(RR)").panels
    assert [line.label for line in panel.series] == ["true", "computed"]
    assert len(panel.series[1].x) == 8 and not panel.y_log
    assert interactive.panel(panel)["layout"]["yaxis"]["scaleanchor"] == "x"  # a circle is a circle
    canvas = plots.draw(Figure("t", "T", [panel]))
    assert canvas.axes[0].get_aspect() == 1
    plt.close(canvas)


def test_grades_and_conditions_are_read_off_the_names():
    assert matrices.grade_of("graded;g=2;order=rising") == ("rising", 2.0)
    assert matrices.grade_of("graded") == ("falling", 4.0) and matrices.grade_of("random") is None
    assert matrices.kappa_of("similarity") == 1e4 and matrices.kappa_of("similarity;kappa=10") == 10


def test_ablation_claims_that_the_whole_method_converges():
    crippled = record("ZEIG-(RR);fused;shear=off", 8, status="not_converged")
    table = tables.ablation(source([record("ZEIG-(RR);fused", 8), crippled]), title="T")
    assert [f.holds for f in table.findings] == [True, True] and len(table.rows) == 2
    assert "without shears 0 of 1 cases pass" in table.findings[1].text
    unneeded = record("ZEIG-(RR);fused;shear=off", 8)
    assert not tables.ablation(source([unneeded]), title="T").findings[-1].holds
    table = tables.ablation(source([record("ZEIG-(RR);fused", 8, status="not_converged")]), title="T")
    assert [f.holds for f in table.findings] == [False]


def test_defeats_that_the_spec_expects_do_not_spoil_the_verdict():
    spec = factory.spec("eig-ablation")
    records = [record("ZEIG-(RR);fused", 8), record("ZEIG-(RR);fused;shear=off", 8, status="not_converged")]
    section = exhibits.build_section(run_of(spec, records), Library())
    assert exhibits.judge([section]).level == "good"
    records.append(record("ZEIG-(RR);b=16", 8, status="not_converged"))
    section = exhibits.build_section(run_of(spec, records), Library())
    assert exhibits.judge([section]).level == "bad"


def run_of(spec, records):
    return Run(Path("t"), {"spec": spec}, records)


@pytest.mark.parametrize("kind", sorted(kind for kind in registry.FIGURES if kind.startswith("eig-")))
def test_figures_can_be_drawn(kind, tmp_path):
    records = [
        record(solver, n, generator=generator, sweeps=5 + n // 8)
        for solver in ("ZEIG-(RR)", "ZEIG-(RR);b=16", "lapack:zgeev")
        for n in (8, 16)
        for generator in ("random", "similarity", "similarity;kappa=100", "graded", "graded;g=2")
    ]
    options = {"title": "T"}
    options |= {"solver": "ZEIG-(RR)"} if kind == "eig-spectra" else {}
    options |= {"type": "z", "reference": "ZEIG-(RR)"} if kind == "eig-speed" else {}
    figure = registry.FIGURES[kind](source(records), **options)
    assert figure.panels and all(panel.series for panel in figure.panels)
    plt.close(plots.draw(figure))
