# SPDX-License-Identifier: BSD-3-Clause
"""Exhibits of the symmetric indefinite factorization: what they compare, what they claim, and what they leave open."""

import json

import jsonschema
import matplotlib.pyplot as plt
import pytest
from pivotlab_analysis import Library, exhibits, plots
from pivotlab_analysis.__main__ import main
from pivotlab_analysis.exhibits.ldlt import figures, stages, tables
from pivotlab_analysis.records import DEFAULT_SCHEMA, Run
from pivotlab_analysis.selection import matrix_label

import factory
from factory import source

HADAMARD = [(k, 1, 2.0 ** bin(k).count("1")) for k in range(1024)]
CLEMENT = [(2 * k, 2, 1.0) for k in range(512)]


def record(solver, n, **options):
    return factory.ldlt_record("t", solver, n, **options)


def test_made_up_records_are_as_the_engine_writes_them():
    schema = json.loads(DEFAULT_SCHEMA.read_text(encoding="utf-8"))
    validator = jsonschema.Draft202012Validator(schema)
    for each in (
        record("LDLT-BP", 8),
        record("LDLT-RK;alpha=0.5", 8, known=(4, 4, 0)),
        record("LDLT-RK;alpha=0.5;equilibrate=on", 8),
        record("lapack:dsytrf", 8),
        record("LDLT-BP", 8, status="timeout"),
        record("LDLT-BP", 8, gjg=GJG),
    ):
        assert [error.message for error in validator.iter_errors(each)] == []


def sheet(records, **options):
    usual = {"published": "ldlt-sheets", "matrices": ["hadamard"], "agree": ["rank", "pivots_1x1"]}
    table = tables.sheet(source(records), title="T", **usual | options)
    heads = ["matrix", "n", "source", *tables.SHEET]
    return table, [dict(zip(heads, row, strict=True)) for row in table.rows]


def test_sheet_puts_the_measured_line_under_the_published_one_of_the_same_order():
    records = [record("LDLT-BP", n, generator="hadamard", stages=HADAMARD[:n], residual=0.0) for n in (128, 1024)]
    table, (published, measured, other) = sheet(records)
    assert published["source"] == "published, NVIDIA Tesla S2050" and published["compute_s"] == 0.34
    assert measured["n"] == 1024 and measured["pivots_1x1"] == published["pivots_1x1"] == 1024
    assert measured["max_growth"] == 2.0**10 and measured["compute_s"] == 0.5
    assert other["n"] == 128
    assert [f.holds for f in table.findings] == [True, True]
    assert "hadamard of order 1024: rank, 1×1 pivots as published" in table.findings[0].text


def test_sheet_tells_counts_that_differ():
    table, _ = sheet([record("LDLT-BP", 1024, generator="hadamard", stages=CLEMENT)])
    assert table.findings[0].holds is False
    assert "1×1 pivots 0 instead of 1024" in table.findings[0].text


def test_sheet_without_the_published_order_says_not_run():
    table, lines = sheet([record("LDLT-BP", 64, generator="hadamard")])
    assert lines[1]["rank"] == "not run" and lines[1]["n"] == 1024
    assert not any("published" in finding.text for finding in table.findings)


def test_stand_ins_are_named_and_prove_nothing():
    table, lines = sheet(
        [record("LDLT-BP", 6245, generator="random", stages=[])], matrices=["alemdar"], stand_ins={"alemdar": "random"}
    )
    assert lines[1]["matrix"] == "random, in place of alemdar"
    assert all("alemdar" not in finding.text for finding in table.findings)


@pytest.mark.parametrize(
    "solver, multiplier, condition",
    [("LDLT-BP", 2.7808, 4.5616), ("LDLT-RK;alpha=0.25", 4.0, 5 / 3), ("LDLT-BK", None, None)],
)
def test_bounds_follow_from_alpha_and_pivoting(solver, multiplier, condition):
    _, (*_, line) = sheet([record(solver, 64, generator="hadamard", max_condition=1.5)])
    assert line["multiplier_bound"] == (multiplier and pytest.approx(multiplier, rel=1e-4))
    assert line["condition_bound"] == (condition and pytest.approx(condition, rel=1e-4))


@pytest.mark.parametrize("metric, value", [("max_multiplier", 4.001), ("max_condition", 1.667)])
def test_a_broken_bound_is_a_finding(metric, value):
    inside = record("LDLT-RK;alpha=0.25", 64, max_multiplier=3.9, max_condition=1.6)
    outside = record("LDLT-RK;alpha=0.25", 65, **({"max_multiplier": 3.9, "max_condition": 1.6} | {metric: value}))
    (finding,) = tables.bounds(source([inside]), title="T").findings
    assert finding.holds is True
    (finding,) = tables.bounds(source([inside, outside]), title="T").findings
    assert finding.holds is False and "n = 65" in finding.text
    partial = record("LDLT-BK;alpha=0.25", 64, max_multiplier=1e9, max_condition=1e9)
    assert tables.bounds(source([partial]), title="T").findings == []


def test_inertia_may_be_right_at_the_tolerance_of_the_statement_only():
    common = {"generator": "file:$DATA/near.mtx.gz", "known": (5, 5, 0)}
    usual = record("LDLT-BP", 10, inertia=(5, 4, 1), **common)
    exact = record("LDLT-BP", 10, inertia=(5, 5, 0), tolerance=0, **common)
    table = tables.inertia(source([usual, exact]), title="T", agree=[0])
    assert table.rows == [["near", 10, 5, 5, 0, 5, 5, 0, 5, 4, 1, 0.0]]
    assert table.findings[0].holds is True
    (counted,) = table.findings
    said = "The inertia is the stated one for 1 of 1 matrices at one tolerance at least: 1 at 0, 0 at 2.2e-16."
    assert counted.text == said
    (finding,) = tables.inertia(source([usual, exact]), title="T").findings
    assert finding.holds is False and "near (LDLT-BP)" in finding.text


def test_inertia_table_shows_what_is_certified():
    evidence = {"inverse_norm": None, "tau": None, "tau_gap": 1e-3, "factorizations": 5, "equilibrated": True}
    certificate = evidence | {
        "status": "certified_near_zero",
        "inertia": {"positive": 5, "negative": 4, "zero": 1},
        "below": 2e-14,
        "above": 3e-14,
        "clear": 1e-3,
        "reason": "",
        "eta": 1e-15,
        "eta_from": "residual",
        "smallest_pivot": 0.5,
    }
    open_one = certificate | {"status": "undetermined", "reason": "no gap"}
    common = {"generator": "file:$DATA/near.mtx.gz", "known": (5, 4, 1)}
    records = [
        record("LDLT-BP", 10, inertia=(5, 5, 0), tolerance=0, certificate=open_one, inertia_agrees=True, **common),
        record("LDLT-BP", 10, inertia=(5, 4, 1), certificate=certificate, **common),
    ]
    schema = json.loads(DEFAULT_SCHEMA.read_text(encoding="utf-8"))
    rule = next(r["then"] for r in schema["allOf"] if '"ldlt"' in json.dumps(r["if"]))
    validator = jsonschema.Draft202012Validator(rule["properties"]["metrics"])
    validator.validate(records[0]["metrics"])
    table = tables.inertia(source(records), title="T", agree=[0])
    assert [column.group for column in table.columns[-6:]] == ["certified"] * 6
    assert table.rows[0][-6:] == [5, 4, 1, "certified near zero", 3e-14, 1e-3]
    # D at a tolerance has its own inertia, whatever is certified.
    assert table.rows[0][11] == 2.0**-52


def test_alpha_table_compares_matrices_of_the_same_order_only():
    records = [
        record("LDLT-BP", 3000, residual=8.607350e-15),
        record("LDLT-BP;alpha=0.29", 3000, residual=1e-15, status="incorrect"),
        record("LDLT-BP;alpha=0.85", 120, residual=4e-16),
        record("LDLT-BP", 6245, generator="random", residual=9e-15),
    ]
    table = tables.alpha_table(
        source(records), title="T", published="ldlt-alpha-table", stand_ins={"alemdar": "random"}
    )
    rows = {row[0]: row[1:] for row in table.rows}
    assert list(rows) == ["0.01", "0.15", "0.29", "0.43", "0.57", "α₀", "0.71", "0.85", "0.99"]
    assert rows["α₀"][:3] == [2.977507e-15, "not run", None]
    assert rows["α₀"][3:6] == pytest.approx([1.721470e-14, 8.607350e-15, 0.5])
    assert rows["α₀"][7] == 9e-15
    assert rows["0.29"][4] == 1e-15
    assert rows["0.85"][-1] == 4e-16 and table.columns[-1].group == "equidistant, n = 120"


def test_rank_of_the_hilbert_matrix_is_judged_where_it_was_published():
    records = [record("LDLT-BP", n, generator="hilbert", rank=rank) for n, rank in ((500, 25), (2000, 30))]
    table = tables.rank(source(records), title="T", published="ldlt-hilbert", agree=["LDLT-BP"])
    assert table.rows == [[500, None, None, 25.0], [2000, 30, 25, 30.0]]
    assert [f.holds for f in table.findings] == [True]


def speed_records():
    return [
        record("LDLT-BP", 100, compute_s=8.0, threads=1),
        record("LDLT-BP", 100, compute_s=4.0, threads=4),
        record("LDLT-BP", 100, compute_s=0.5, threads=1, backend="cuda"),
        record("lapack:dsytrf", 100, compute_s=2.0, threads=4),
    ]


def test_speed_is_told_over_the_sequential_code():
    table = tables.speed(source(speed_records()), title="T", type="d", reference="LDLT-BP")
    assert table.rows == [
        ["LDLT-BP, 1 core", 8.0, 1.0],
        ["LDLT-BP, 4 cores", 4.0, 2.0],
        ["LDLT-BP, GPU", 0.5, 16.0],
        ["LAPACK dsytrf, 4 cores", 2.0, 4.0],
    ]


def test_speed_up_has_its_own_panel_without_the_reference():
    figure = figures.speed(source(speed_records()), title="T", type="d", reference="LDLT-BP", solvers=["LDLT-BP"])
    clock, gain, rate = figure.panels
    assert [line.label for line in clock.series] == ["LDLT-BP, 1 core", "LDLT-BP, 4 cores", "LDLT-BP, GPU"]
    assert {line.label: line.y for line in gain.series} == {"LDLT-BP, GPU": [16.0], "LDLT-BP, 4 cores": [2.0]}
    n = clock.series[0].x[0]
    assert rate.y_label == "Gflop/s" and rate.series[0].y == [n**3 / 3 / 8.0 / 1e9]
    assert clock.series[0].style == "dashed" and clock.series[1].style == "solid"


def test_storage_tells_contestants_apart_where_it_varies():
    records = [record("LDLT-BP", 100, storage=storage, compute_s=t) for storage, t in (("full", 3.0), ("packed", 6.0))]
    table = tables.speed(source(records), title="T", type="d", reference="LDLT-BP")
    assert table.rows == [["LDLT-BP, packed", 6.0, 1.0], ["LDLT-BP, full", 3.0, 2.0]]


def test_symmetry_tells_complex_contestants_apart_and_a_baseline_may_be_the_reference():
    def of(solver, symmetry, seconds, backend):
        made = record(solver, 100, compute_s=seconds, backend=backend)
        made["case"] |= {"type": "z", "symmetry": symmetry}
        return made

    records = [
        of("LDLT-RK", "hermitian", 1.0, "cuda"),
        of("LDLT-RK", "symmetric", 2.0, "cuda"),
        of("cusolver:zsytrf", "symmetric", 4.0, None),
    ]
    table = tables.speed(source(records), title="T", type="z", reference="cusolver:?sytrf")
    assert table.rows == [
        ["cuSOLVER zsytrf, symmetric", 4.0, 1.0],
        ["LDLT-RK, Hermitian, GPU", 1.0, 4.0],
        ["LDLT-RK, symmetric, GPU", 2.0, 2.0],
    ]


def test_growth_is_coloured_by_the_order_of_the_pivot():
    steps = [(0, 1, 1.0), (1, 2, 2.0), (3, 1, 0.0)]
    records = [record("LDLT-BP", 4, generator="file:$DATA/a.mtx.gz", stages=steps), record("lapack:dsytrf", 4)]
    (panel,) = figures.growth(source(records), title="T").panels
    assert panel.title == "a, LDLT-BP: 2 1×1, 1 2×2" and panel.y_log
    assert [(line.label, line.role, line.x, line.y) for line in panel.series] == [
        ("1×1", "pivot-1", [1], [1.0]),  # a logarithm has no zero
        ("2×2", "pivot-2", [2], [2.0]),
    ]


def test_growth_of_some_matrices_or_of_all_others():
    records = [record("LDLT-BP", 4, generator=name) for name in ("random", "kkt")]
    for options, titles in (({"matrices": ["kkt"]}, ["kkt"]), ({"but": ["kkt"]}, ["random"])):
        figure = figures.growth(source(records), title="T", **options)
        assert [panel.title.split(",")[0] for panel in figure.panels] == titles


def test_alpha_figure_shows_medians_and_the_share_of_rows_in_2x2_pivots():
    steps = [(0, 1, 1.0), (1, 1, 1.0), (2, 2, 3.0)]
    records = [
        record(f"LDLT-BP;alpha={alpha}", 4, seed=seed, stages=steps, residual=seed * alpha)
        for alpha in (0.25, 0.75)
        for seed in (1, 2, 9)
    ]
    error, growth, share, largest = figures.alpha(source(records), title="T", pivoting="complete").panels
    assert error.series[0].x == [0.25, 0.75] and error.series[0].y == [0.5, 1.5]
    assert growth.series[0].y == [3.0, 3.0] and share.series[0].y == [50.0, 50.0]
    assert {line.label: line.y for line in largest.series}["bound"] == [4.0, 4.0]
    assert {line.label: line.x for line in error.series}["α₀"] == [factory.USUAL_ALPHA] * 2


def test_upright_lines_and_clouds_have_labels_too():
    steps = [(k, 1 + (k % 3 == 0), 1.0 + k % 7) for k in range(0, 2000, 2)]
    records = [record("LDLT-BP", 2000, stages=steps)]
    records += [record(f"LDLT-BP;alpha={alpha}", 4, stages=[(0, 2, 2.0)]) for alpha in (0.25, 0.95)]
    for figure in (
        figures.growth(source(records), title="Growth"),
        figures.alpha(source(records), title="Alpha", pivoting="complete"),
    ):
        canvas = plots.draw(figure)
        for ax, panel in zip(canvas.axes, figure.panels, strict=True):
            legend = {text.get_text() for text in ax.get_legend().get_texts()}
            assert legend == {line.label for line in panel.series}
        plt.close(canvas)


def test_errors_are_a_point_a_matrix():
    records = [record("LDLT-BP", 50, seed=seed, residual=seed * 1e-16) for seed in (1, 2, 3)]
    (panel,) = figures.errors(source(records), title="T").panels
    assert panel.series[0].style == "points" and panel.series[0].x == [50] * 3
    table = tables.errors(source(records), title="T")
    assert table.rows == [[50, 3, pytest.approx(3e-16)]]


def test_runs_without_a_report_list_all_cases():
    records = [record("LDLT-BP", 8), record("LDLT-RK", 8, status="failed")]
    run = Run(factory.SPECS, {"spec": {"name": "t", "method": "ldlt"}}, records)
    (table,) = exhibits.build_section(run, Library()).tables
    assert [row[:2] for row in table.rows] == [["LDLT-BP", "passed"], ["LDLT-RK", "failed"]]
    assert {"+", "1x1 swaps", "2x2 cond", "dsyt01", "x err"} <= {column.label for column in table.columns}


@pytest.mark.parametrize(
    "generator, label",
    [
        ("file:$PIVOTLAB_DATA/astro-ph.mtx.gz", "astro-ph"),
        ("permuted:$PIVOTLAB_DATA/astro-ph.mtx.gz", "astro-ph, permuted"),
        ("file:/data/a.h5:/A", "A"),
        ("file:/data/a.h5", "a"),
        ("kkt;delta=1", "kkt;delta=1"),
    ],
)
def test_names_of_matrices(generator, label):
    assert matrix_label(generator) == label


def write_pictures(path, rows_of, *, pixels=2, low=1.0, high=16.0, **other):
    """As the engine writes them; rows_of: {stage: rows}."""
    entries = [{"stage": stage, "rows": rows} for stage, rows in rows_of.items()]
    content = {"schema": "pivotlab/stages/1", "problem": "hadamard, seed 1", "solver": "LDLT-BP", "n": 2}
    content |= {"pixels": pixels, "low": low, "high": high, "stages": entries}
    path.write_text(json.dumps(content | other), encoding="utf-8")
    return path


def test_pictures_of_stages_are_magnitudes_in_equal_ratios(tmp_path):
    path = write_pictures(tmp_path / "s.json", {1: ["ff", "0080"], 2: ["01", "0100"]})
    pictures = stages.read_pictures(path)["stages"]
    assert list(pictures) == [1, 2]
    first = pictures[1]
    assert first[0, 0] == 16.0 and first[1, 1] == pytest.approx(4.0)
    assert first.mask.tolist() == [[False, True], [True, False]]
    assert pictures[2][1, 0] == 1.0


def test_pictures_of_the_zero_matrix_are_white(tmp_path):
    path = write_pictures(tmp_path / "s.json", {1: ["00", "0000"]}, low=0.0, high=0.0)
    assert stages.read_pictures(path)["stages"][1].mask.all()
    assert main(["stages", str(path), "-o", str(tmp_path / "s.png")]) == 0


@pytest.mark.parametrize("kind", ["png", "svg"])
def test_pictures_of_stages_are_written_and_repeatable(tmp_path, kind):
    path = write_pictures(tmp_path / "s.json", {k: ["ff", "0180"] for k in (1, 2)})
    pictures = [tmp_path / f"{name}.{kind}" for name in "ab"]
    for picture in pictures:
        assert main(["stages", str(path), "-o", str(picture)]) == 0
    assert pictures[0].read_bytes() == pictures[1].read_bytes() and pictures[0].stat().st_size > 5000


@pytest.mark.parametrize(
    "other, complaint",
    [
        ({"schema": "pivotlab/record/1"}, "no stages of a factorization; write it with pivotlab solve ldlt A --stages"),
        ({"pixels": 3}, "damaged (not 3 rows of 1 to 3 pixels)"),
        ({"stages": [{"stage": 1, "rows": ["ff", "ff"]}]}, "damaged"),
        ({"stages": [{"stage": 1, "rows": ["ff", "00zz"]}]}, "damaged"),
        ({"stages": [{"rows": ["ff", "00ff"]}]}, "damaged ('stage')"),
        ({"stages": []}, "damaged"),
    ],
)
def test_files_that_are_no_stages_are_told(tmp_path, capsys, other, complaint):
    path = write_pictures(tmp_path / "s.json", {1: ["ff", "0080"]}, **other)
    assert main(["stages", str(path), "-o", str(tmp_path / "x.png")]) == 2
    assert complaint in capsys.readouterr().err
    assert main(["stages", str(tmp_path / "none.json"), "-o", str(tmp_path / "x.png")]) == 2


GJG = {"residual": 4e-16, "residual_rounded": 2e-16, "residual_quad": 3e-34, "inertia_agrees": True}


def gjg_records(**changes):
    records = [
        record("LDLT-BP", n, seed=seed, gjg=GJG | {"residual": seed * 1e-16}) for n in (10, 20) for seed in (1, 2)
    ]
    return [*records, record("LDLT-BP", 30), record("LDLT-BP", 40, gjg=GJG | changes)]


def test_gjg_compares_double_with_quad():
    table = tables.gjg(source(gjg_records()), title="T")
    assert table.rows[0] == [10, 2, 2e-16, 2e-16, 3e-34, 1.0]
    assert [row[0] for row in table.rows] == [10, 20, 40] and table.rows[2][-1] == 2.0
    assert [finding.holds for finding in table.findings] == [True] * 3
    assert "4 of" not in table.findings[2].text and "5 of 5 matrices" in table.findings[2].text


@pytest.mark.parametrize(
    "changes, fails",
    [({"residual": 1e-14}, 0), ({"residual_quad": 1e-31}, 1), ({"inertia_agrees": False}, 2)],
)
def test_gjg_sees_errors_and_signs_that_are_wrong(changes, fails):
    findings = tables.gjg(source(gjg_records(**changes)), title="T").findings
    assert [finding.holds for finding in findings] == [index != fails for index in range(3)]


def test_gjg_figure_has_the_precisions_beside_each_other():
    near, all_of_them = figures.gjg(source(gjg_records()), title="T").panels
    assert [line.label for line in near.series] == ["computed in double", "quad, rounded to double"]
    assert near.series[0].x == [10, 10, 20, 20, 40] and near.series[0].style == "points"
    assert all_of_them.series[2].y == [3e-34] * 5
    assert figures.gjg(source([record("LDLT-BP", 8)]), title="T").notes == []
