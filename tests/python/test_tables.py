# SPDX-License-Identifier: BSD-3-Clause
"""Tables: numbers exact, gaps named, every format faithful."""

import csv
import io

import pytest
from pivotlab_analysis import InputError, Library, exhibits, render
from pivotlab_analysis.exhibits.gsvd import any_pair, fast, solvers, tables
from pivotlab_analysis.model import Column, Table
from pivotlab_analysis.records import Run
from pivotlab_analysis.selection import sizes_in_words
from pivotlab_analysis.tables import LONGER, cases, contest

import factory
from factory import source


def slowdown(records, **options):
    return tables.relative_slowdown(
        source(records), title="T", published="table2", reference="?HZ0-(ME-FB-ME)", type="d", **options
    )


def test_relative_slowdown_is_the_papers_formula():
    times = {(0, 64): 2.0, (0, 128): 10.0, (1, 64): 2.5, (1, 128): 9.0, (3, 64): 3.0, (3, 128): 16.0}
    table = slowdown([factory.record("t", f"DHZ{id}-(ME-FB-ME)", n, wall_s=t) for (id, n), t in times.items()])
    rows = {row[0]: row[1:] for row in table.rows}
    assert sorted(rows) == [1, 2, 3, 4, 5, 6, 7]
    assert rows[1] == pytest.approx(
        [11.107853, 25.0, 125 / 111.107853, 0.984035, -10.0, 90 / 100.984035, 3.093490, 7.5, 107.5 / 103.093490]
    )
    assert rows[3][1::3] == pytest.approx([60.0, 50.0, 55.0])
    assert rows[2] == [17.137007, "not run", None, 1.722547, "not run", None, 4.870879, "not run", None]


def test_relative_slowdown_compares_only_sizes_that_both_passed():
    records = [factory.record("t", "DHZ0-(ME-FB-ME)", n, wall_s=1.0) for n in (64, 128)]
    records += [
        factory.record("t", "DHZ1-(ME-FB-ME)", 64, wall_s=1.5),
        factory.record("t", "DHZ1-(ME-FB-ME)", 128, status="incorrect", wall_s=9.0),
    ]
    records += [factory.record("t", "DHZ2-(ME-FB-ME)", n, status="failed") for n in (64, 128)]
    table = slowdown(records)
    assert table.rows[0][2::3] == [50.0, 50.0, 50.0]
    assert table.rows[1][2] == "not run"
    assert any("ID 1: only n = 64 could be compared" in note for note in table.notes)


def test_reference_is_left_out_of_table_3():
    records = [factory.record("t", f"ZHZ{id}-(ME-FB-ME)", 64, type="z", wall_s=1 + id) for id in range(8)]
    table = tables.relative_slowdown(
        source(records), title="T", published="table3", reference="?HZ4-(ME-FB-ME)", type="z"
    )
    assert [row[0] for row in table.rows] == [0, 1, 2, 3, 5, 6, 7]
    assert table.rows[0][1:3] == pytest.approx([0.488301, -80.0])


def error_records(scale=1.0, type="d"):
    return [
        factory.record(
            "t",
            f"{type.upper()}HZ{id}-(ME-FB-ME)",
            n,
            type=type,
            residual_f=scale * (1 + id) * n * 1e-16,
            residual_g=scale * 2e-14,
        )
        for id in range(8)
        for n in (64, 128)
    ]


def test_error_maxima_over_all_sizes_with_ratio_and_scaled_ratio():
    table = tables.error_maxima(source(error_records()), title="T", published="table6", type="d")
    first = table.rows[0]
    assert first == pytest.approx(
        [
            0,
            3.68432e-12,
            1.28e-14,
            1.28e-14 / 3.68432e-12,
            1.28e-14 / (3.68432e-12 * 128 / 9728),
            3.70732e-12,
            2e-14,
            2e-14 / 3.70732e-12,
            2e-14 / (3.70732e-12 * 128 / 9728),
        ]
    )
    assert {(5, 1), (0, 2), (2, 5), (6, 5)} <= table.emphasized
    assert [finding.holds for finding in table.findings] == [True]


def test_errors_beyond_ten_times_the_scaled_maximum_are_a_finding():
    (finding,) = tables.error_maxima(source(error_records(60.0)), title="T", published="table6", type="d").findings
    assert finding.holds is False and "ID 0 (F)" in finding.text
    # 10·3.68e-12·128/9728 = 4.85e-13: just below and just above
    for value, holds in ((4.8e-13, True), (4.9e-13, False)):
        records = [factory.record("t", "DHZ0-(ME-FB-ME)", 128, residual_f=value)]
        assert tables.error_maxima(source(records), title="T", published="table6", type="d").findings[0].holds is holds


def test_incorrect_results_count_in_error_maxima():
    records = error_records() + [factory.record("t", "DHZ0-(ME-FB-ME)", 96, status="incorrect", residual_f=1e-3)]
    assert tables.error_maxima(source(records), title="T", published="table6", type="d").rows[0][2] == 1e-3


def test_wall_times_beside_the_published_ones_with_gaps_named():
    solver = "DHZ0-(ME-FB-ME)"
    records = [
        factory.record("t", solver, 512, wall_s=4.092),
        factory.record("t", solver, 1024, status="timeout"),
        factory.record("t", solver, 64, wall_s=0.01),
        factory.record("t", "DHZ0-(ME-BO-ME)", 512, wall_s=99.0),
    ]
    table = tables.wall_time(source(records), title="T", published="figure2", solver="?HZ0-(ME-FB-ME)", type="d")
    rows = {row[0]: row[1:] for row in table.rows}
    assert rows[64] == [None, 0.01, None]
    assert rows[512] == pytest.approx([0.2046, 4.092, 20.0])
    assert rows[1024] == [0.6942, "timeout", None]
    assert rows[9728] == [198.03, "not run", None]
    assert len(rows) == 20
    assert [c.label for c in table.columns] == ["n", "published\nV100", "measured\nXeon Gold 6140, 2 cores", "ratio"]


def test_condition_numbers_of_the_papers_pairs_only():
    records = [
        factory.record("t", "DHZ0-(ME-FB-ME)", 512, kappa_g=1.558538e4),
        factory.record("t", "DHZ0-(ME-FB-ME)", 512, generator="graded;g=8", kappa_g=1e20),
    ]
    table = tables.condition_numbers(source(records), title="T", published="table4", type="d")
    assert table.rows[0] == pytest.approx([512, 7.79269e3, 1.558538e4, 2.0])


def test_peculiar_published_columns_say_so():
    table = tables.condition_numbers(source([]), title="T", published="figure5", type="z", quantity="kappa_f")
    assert any("Values repeat" in note for note in table.notes)


def test_graded_accuracy_takes_the_worst_seed_and_judges_the_bound():
    records = factory.graded_records() + [
        factory.record("graded", "DHZ0-(ME-FB-ME)", 32, generator="graded;g=12;side=left", seed=2, sigma_error=9e-14)
    ]
    table = tables.accuracy_graded(source(records), title="T")
    assert [c.label for c in table.columns][:5] == ["pair", "g", "DHZ0, w = 2", "DHZ0, w = 8", "DHZ0, w = 16"]
    rows = {(row[0], row[1]): row[2:] for row in table.rows}
    assert rows["(D·B, C)", 12][2] == 9e-14
    assert rows["(D·B, C)", 12][3] == pytest.approx(1e16)
    assert table.findings[0].holds is True
    assert tables.accuracy_graded(source(records), title="T", bound=8e-14).findings[0].holds is False
    easy = tables.accuracy_graded(source(records), title="T", bound=8e-14, bounded=["(B·D, C)"])
    assert easy.findings[0].holds is True and "(B·D, C): at most 4.6e-15" in easy.findings[0].text


@pytest.mark.parametrize(
    "generator, grading",
    [
        ("graded", ("(B·D, C)", 8.0)),
        ("graded;g=12;side=left", ("(D·B, C)", 12.0)),
        ("graded;on=both;permute=g", ("(B·D, C·D′)", 8.0)),
        ("graded;g=4;on=g;side=left", ("(B, D·C)", 4.0)),
        ("two-sided;columns_f=ascending;columns_g=random;g=4;rows_f=random", ("(D′·B·D, C·D″)", 4.0)),
        ("two-sided;columns_f=random;pattern=band;rows_g=ascending", ("band, (B·D′, D·C)", 8.0)),
        ("paper", None),
    ],
)
def test_graded_pairs_are_known_by_their_canonical_names(generator, grading):
    assert solvers.grading_of(generator) == grading


def test_speed_gives_factors_and_judges_goals():
    times = {
        ("DHZ0-(ME-FB-ME)", 256): 0.1,
        ("DHZ0-(ME-FB-ME)", 512): 1.0,
        ("lapack:dggsvd3", 256): 1.5,
        ("lapack:dggsvd3", 512): 23.0,
    }
    records = [factory.record("speed", solver, n, wall_s=t) for (solver, n), t in times.items()]
    table = tables.speed(
        source(records), title="T", reference="?HZ0-(ME-FB-ME)", targets={"256": 16, "512": 15, "1024": 20}
    )
    assert table.rows == [
        ["DHZ0-(ME-FB-ME)", 0.1, 1.0, 1.0, 1.0],
        ["LAPACK dggsvd3", 1.5, pytest.approx(15), 23.0, 23.0],
    ]
    assert [finding.holds for finding in table.findings] == [False, True]


@pytest.mark.parametrize(
    "sizes, columns, rows",
    [
        ([8], ["solver", "time [s]", "× as long"], [["A", 1.0, 1.0], ["B", 3.0, 3.0]]),
        (
            [8, 16, 32],
            ["n", "time [s]", "time [s]", "× as long"],
            [[8, 1.0, 3.0, 3.0], [16, 2.0, "not run", None], [32, 2.0, "not run", None]],
        ),
    ],
)
def test_the_more_numerous_of_solvers_and_orders_go_down(sizes, columns, rows):
    times = {"A": dict(zip(sizes, (1.0, 2.0, 2.0), strict=False)), "B": {8: 3.0}}
    table = contest("t", "T", times, LONGER)
    assert [column.label for column in table.columns] == columns and table.rows == rows
    assert contest("t", "T", {}, LONGER).rows == []


def test_cases_list_everything():
    records = [
        factory.record("t", "lapack:dggsvd3", 64, status="out_of_memory"),
        factory.record("t", "DHZ0-(ME-FB-ME)", 32),
    ]
    table = cases(source(records), title="T")
    names = {column.label: j for j, column in enumerate(table.columns)}
    assert table.rows[0][:6] == [32, "DHZ0-(ME-FB-ME)", "host", "passed", 0.5, 0.5]
    assert table.rows[0][names["sweeps"]] == 7 and table.rows[0][names["res F"]] == 4e-14
    assert table.rows[1][:6] == [64, "lapack:dggsvd3", "lapack", "out_of_memory", None, None]
    assert table.rows[1][names["res F"]] is None and "samples" not in names
    assert table.notes[0] == "All cases: type d, generator paper, seed 1, threads 2."
    assert "res F: ‖F − U·Σ_F·X‖_F/‖F‖_F, X = Z⁻¹" in table.notes[1]
    assert table.columns[names["res F"]].help.startswith("‖F − U·Σ_F·X‖_F/‖F‖_F, X = Z⁻¹; in a passed case at most 20·")
    alone = cases(source(records[1:]), title="T")
    assert alone.rows[0][:3] == ["passed", 0.5, 0.5] and "n 32" in alone.notes[0]


def test_cases_tell_the_axes_that_vary():
    records = [factory.record("t", "B", 64) for _ in range(2)]
    for record, transport in zip(records, ("host", "nccl"), strict=True):
        record["case"] |= {"ranks": 2, "transport": transport}
    table = cases(source(records), title="T")
    assert [column.label for column in table.columns[:2]] == ["transport", "status"]
    assert [row[0] for row in table.rows] == ["host", "nccl"]


def test_cases_of_several_seeds_tell_them_apart():
    records = [factory.record("t", "DHZ0-(ME-FB-ME)", 32, seed=s, kappa_f=10.0**s) for s in (1, 2)]
    table = cases(source(records), title="T")
    names = [column.label for column in table.columns]
    assert names[:6] == ["seed", "status", "time s", "wall s", "cond F", "cond G"]
    assert [[row[0], *row[4:6]] for row in table.rows] == [[1, 10.0, 3e3], [2, 100.0, 3e3]]
    assert "type d, n 32, generator paper, solver DHZ0-(ME-FB-ME)" in table.notes[0]


def test_unknown_options_and_kinds_of_a_report_are_refused(tmp_path):
    for entry, message in (
        ({"kind": "pie"}, "unknown kind 'pie'"),
        ({"kind": "cases", "title": "T", "colour": 1}, "cases: .*colour"),
    ):
        with pytest.raises(InputError, match=message):
            exhibits.build_section(Run(tmp_path, {"spec": {"name": "x", "report": {"tables": [entry]}}}, []), Library())


@pytest.mark.parametrize(
    "sizes, words",
    [
        ([], "no size"),
        ([64], "64"),
        ([128, 64], "64 and 128"),
        ([64, 128, 192, 256], "64…256 in steps of 64"),
        ([32, 64, 256], "32, 64, 256"),
    ],
)
def test_sizes_in_words(sizes, words):
    assert sizes_in_words(sizes) == words


SAMPLE = Table(
    "sample",
    "50% of A & B",
    [
        Column("ID", "integer"),
        Column("published\nV100", "precise", "x_1"),
        Column("measured", "precise", "x_1"),
        Column("why"),
    ],
    [[0, 3.68432e-12, 1e-14, "a|b"], [1, None, "not run", "<c>"]],
    ["A note."],
    [],
    {(0, 2)},
)


def test_text_is_aligned_and_stars_what_stands_out():
    lines = render.to_text(SAMPLE).splitlines()
    assert lines[0] == "50% of A & B"
    assert lines[6:8] == [" 0  3.68432e-12  1.00000e-14*  a|b", " 1            —      not run   <c>"]


def test_markdown_escapes_bars():
    lines = render.to_markdown(SAMPLE).splitlines()
    cells = [" ".join(line.split()) for line in lines]
    assert cells[2] == "| ID | x_1: published (V100) | x_1: measured | why |"
    assert cells[4] == "| 0 | 3.68432·10^-12 | **1.00000·10^-14** | a\\|b |"


def test_latex_is_escaped_and_typeset():
    text = render.to_latex(SAMPLE)
    assert r"\caption{50\% of A \& B}" in text and r"\multicolumn{2}{c}{x\_1}" in text
    assert r"0 & $3.68432 \cdot 10^{-12}$ & {\boldmath\bfseries $1.00000 \cdot 10^{-14}$} & a|b \\" in text


def test_html_is_escaped():
    text = render.to_html(SAMPLE)
    assert "&lt;c&gt;" in text and "<c>" not in text
    assert "3.68432·10<sup>−12</sup>" in text and "<strong>1.00000·10<sup>−14</sup></strong>" in text


def test_statuses_are_words_but_for_programs():
    table = Table("t", "T", [Column("n", "integer"), Column("t", "seconds"), Column("status")], [])
    table.rows = [[8, "out_of_memory", "out_of_memory"]]
    assert render.to_text(table).splitlines()[-1] == "8  out of memory  out of memory"
    assert '<td class="status out_of_memory">out of memory</td>' in render.to_html(table)
    assert render.to_csv(table).splitlines()[-1] == "8,out_of_memory,out_of_memory"


def test_csv_keeps_every_digit():
    value = 0.1 + 0.2
    table = Table("t", "T", [Column("n", "integer"), Column("x", "seconds")], [[1, value], [2, None]])
    assert list(csv.reader(io.StringIO(render.to_csv(table)))) == [["n", "x"], ["1", repr(value)], ["2", ""]]


@pytest.mark.parametrize(
    "value, text", [(0.2046, "0.2046"), (57.807, "57.807"), (100.64, "100.64"), (1.2440, "1.2440"), (198.03, "198.03")]
)
def test_seconds_print_as_in_the_paper(value, text):
    assert render.plain(value, Column("t", "seconds")) == text


@pytest.mark.parametrize("value, text", [(0.0389, "0.04×"), (1.06, "1.06×"), (23.04, "23.0×"), (183.2, "183×")])
def test_factors_keep_what_matters(value, text):
    assert render.plain(value, Column("× as long", "times")) == text


def tangent_record(generator, n, error, *, estimate=None, ratio=None, solver="DGT-(auto)", status="passed", wall_s=1.0):
    """A record of fast-accuracy or fast-speed; estimates are those of tangent reduction."""
    made = factory.record("t", solver, n, generator=generator, sigma_error=error, status=status, wall_s=wall_s)
    if estimate is not None:
        made["convergence"] = {"tangent": {"largest_estimate": estimate, "error_per_estimate": ratio}}
    return made


HZ = "DHZ0-(ME-FB-ME)"
FAST = {"title": "T", "solvers": ["?GT-(auto)"], "reference": f"?{HZ[1:]}"}


def test_fast_accuracy_judges_families_by_their_scaled_sides():
    records = [
        tangent_record("paper;form=usx;truth=rounded", 32, 9e-15, estimate=1e-13, ratio=0.1),
        tangent_record("paper;form=usx;truth=rounded", 32, 1e-15, solver=HZ),
        tangent_record("two-sided;rows_f=random;columns_f=random;g=12", 32, 2e-12, estimate=1e-11, ratio=0.2),
        tangent_record("two-sided;rows_f=random;columns_f=random;pattern=arrow", 32, 5.0, estimate=0.2, ratio=99.0),
        tangent_record("two-sided;rows_f=random;columns_f=random;pattern=band", 32, 1e-5, estimate=1e-5, ratio=3.0),
    ]
    table = fast.fast_accuracy(source(records), **FAST)
    rows = {row[0]: row[1:] for row in table.rows}
    assert rows["the paper's recipe"] == [None, 9e-15, 1e-15, 1e-13, 0.1]
    assert set(rows) >= {"(D′·B·D″, C)", "arrow, (D′·B·D″, C)", "band, (D′·B·D″, C)"}
    assert [finding.holds for finding in table.findings] == [True, True, True]
    assert fast.fast_accuracy(source(records), **FAST, factor=8).findings[0].holds is False
    assert fast.fast_accuracy(source(records), **FAST, bound=1e-12).findings[1].holds is False
    assert fast.fast_accuracy(source(records), **FAST, per_estimate=2).findings[2].holds is False
    incomplete = fast.fast_accuracy(source(records[:1]), **FAST)
    assert [finding.holds for finding in incomplete.findings] == [None, None, True]


def test_fast_speed_compares_with_the_fastest_other_variant():
    records = [
        tangent_record("random", 1024, 1e-14, wall_s=1.0),
        tangent_record("random", 1024, 1e-14, wall_s=5.0, solver=HZ),
        tangent_record("random", 1024, 1e-14, wall_s=4.0, solver=HZ + ";w=32"),
        tangent_record("random", 1024, 1e-14, wall_s=0.1, solver="cusolver:dsygvd"),
    ]
    table = fast.fast_speed(source(records), title="T", reference="?GT-(auto)", targets={"1024": 3})
    assert [row[:6] for row in table.rows] == [["random", 1024, 1.0, 5.0, 4.0, 0.1]]
    (finding,) = table.findings
    assert finding.holds is True and "4.0× as fast" in finding.text
    missed = fast.fast_speed(source(records), title="T", reference="?GT-(auto)", targets={"1024": 4.1})
    assert missed.findings[0].holds is False


def any_pair_record(generator, *, solver=HZ, reduction=None, ratio=1.5, status="passed", true_ranks=None):
    made = factory.record("t", solver, 12, generator=generator, status=status)
    made["problem"] |= true_ranks or {}
    made["metrics"] |= {"dgsvts3": [0.5, ratio, 0.1, 0.1, 0.2, 0], "sigma_backward": 1e-16}
    if reduction:
        made["metrics"]["reduction"] = reduction
    return made


def test_any_pair_counts_failures_and_other_ranks():
    given = {"k": 2, "l": 5}
    records = [
        any_pair_record("lapack;type=8;truth=rounded", true_ranks=given, reduction={"k": 3, "l": 5}),
        any_pair_record("lapack;type=8", solver="lapack:dggsvd3", ratio=7.0),
        any_pair_record("ranks;k=2;l=5", reduction=given),
        any_pair_record("ranks;k=2;l=5", solver="lapack:dggsvd3", reduction={"k": 2, "l": 6}),
        any_pair_record("integral;kernel=heat;l=2;truth=rounded", true_ranks=given, status="incorrect"),
    ]
    table = any_pair.any_pair(source(records), title="T", reference=f"?{HZ[1:]}")
    lines = {row[0]: row[1:] for row in table.rows}
    assert lines["LAPACK's type 8"] == [1, 0, 0, 1, 0, 1.5, 7.0, 1e-16, 1e-16]
    assert lines["integers, k = 2, l = 5"][3:5] == [0, 1]
    assert lines["heat, differences of order 2"][1] == 1
    assert [finding.holds for finding in table.findings] == [False, True, True, False]
    suspicious = any_pair.any_pair(source([any_pair_record("random", ratio=21)]), title="T", reference=HZ)
    assert [finding.holds for finding in suspicious.findings] == [True, False]
