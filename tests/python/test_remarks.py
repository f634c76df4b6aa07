# SPDX-License-Identifier: BSD-3-Clause
"""Times of cases that did not pass, and flagged ones: marked wherever they appear, with the reason in reach."""

import csv
import io
import re

import matplotlib.pyplot as plt
import pytest
from pivotlab_analysis import interactive, plots, render
from pivotlab_analysis.exhibits.gsvd import figures, tables
from pivotlab_analysis.exhibits.ldlt import figures as ldlt_figures
from pivotlab_analysis.exhibits.ldlt import tables as ldlt_tables
from pivotlab_analysis.model import Column, Table
from pivotlab_analysis.remarks import MIXED, footnotes, has_mark
from pivotlab_analysis.selection import value_of
from pivotlab_analysis.tables import cases

import factory
from factory import source

OWN, BASELINE = "DHZ0-(ME-FB-ME)", "cusolver:dsygvd"
WHY = "incorrect (orthogonality_u 1.5 > 1.8e-11)"
FOOTNOTE = f"† Of a case that did not pass: cuSOLVER dsygvd, n = 512: {WHY}."


def record(solver, n, wall_s, *, passes=True, flags=(), **options):
    made = factory.record("t", solver, n, wall_s=wall_s, status="passed" if passes else "incorrect", **options)
    made["message"] = "" if passes else "orthogonality_u 1.5 > 1.8e-11"
    made["time"]["flags"] = list(flags)
    return made


RECORDS = [
    record(OWN, 256, 1.0),
    record(OWN, 512, 4.0),
    record(BASELINE, 256, 0.5, flags=["noisy"]),
    record(BASELINE, 512, 2.6, passes=False),
]


def speed(records, **options):
    return tables.speed(source(records), title="T", reference="?HZ0-(ME-FB-ME)", **options)


def lines_with(text, word):
    return [line for line in text.splitlines() if word in line]


def test_times_and_factors_are_marked_in_every_format_with_the_error_below():
    table = speed(RECORDS)
    assert table.rows[1] == ["cuSOLVER dsygvd", 0.5, 0.5, 2.6, 0.65]
    (own,), (baseline, note) = (lines_with(render.to_text(table), word) for word in ("DHZ0", "cuSOLVER"))
    assert baseline.split()[2:] == ["~0.5000", "~0.50×", "2.6000†", "0.65×†"] and "†" not in own and "~" not in own
    assert note == FOOTNOTE
    markdown = re.sub(" +", " ", render.to_markdown(table))
    assert r"| \~0.5000 | \~0.50× | 2.6000† | 0.65×† |" in markdown and FOOTNOTE in markdown
    latex = render.to_latex(table)
    marks = r"$\sim$0.5000 & $\sim$0.50{\texttimes} & 2.6000$^\dagger$ & 0.65{\texttimes}$^\dagger$ \\"
    assert marks in latex and r"orthogonality\_u 1.5 \ensuremath{>} 1.8e-11" in latex
    html = render.to_html(table)
    assert (
        html.count('title="incorrect (orthogonality_u 1.5 &gt; 1.8e-11)">') == 2 and "2.6000<sup>†</sup></td>" in html
    )
    assert html.count('title="noisy">~0.5') == 2
    assert FOOTNOTE.replace(">", "&gt;") in html


def test_csv_has_the_remarks_in_columns_of_their_own():
    heads, own, baseline = csv.reader(io.StringIO(render.to_csv(speed(RECORDS))))
    line = dict(zip(heads, baseline, strict=True))
    assert line["n = 512 time [s]"] == "2.6" and line["n = 512 time [s]: remarks"] == WHY
    assert line["n = 256 time [s]: remarks"] == "noisy" and line["n = 512 × as long: remarks"] == WHY
    assert [item for head, item in zip(heads, own, strict=True) if head.endswith("remarks")] == [""] * 4


def test_the_times_of_a_failing_reference_mark_what_is_compared_with_them():
    records = [record(OWN, 512, 4.0, passes=False), record(BASELINE, 512, 2.0)]
    text = render.to_text(speed(records))
    assert lines_with(text, "cuSOLVER")[0].split()[2:] == ["2.0000", "0.50×†"]
    assert f"† Of a case that did not pass: {OWN}, n = 512: incorrect" in text


def test_a_median_is_of_cases_that_passed_where_some_did():
    records = [record(OWN, 512, 4.0), record(BASELINE, 512, 9.0)]
    records += [record(BASELINE, 512, 1.0, passes=False, seed=seed) for seed in (2, 3)]
    table = speed(records)
    assert table.rows[1][1] == 9.0 and footnotes(table) == []


def test_a_goal_is_open_where_a_case_did_not_pass():
    records = [record(OWN, 512, 1.0), record("lapack:dggsvd3", 512, 20.0, passes=False)]
    (finding,) = speed(records, targets={"512": 15}).findings
    assert finding.holds is None and "20.0× as fast as LAPACK dggsvd3 at n = 512 (goal: 15×)" in finding.text
    assert finding.text.endswith(f"but not every case passed: LAPACK dggsvd3, n = 512: {WHY}.")


def test_figures_cross_out_points_and_factors():
    figure = figures.speed(source(RECORDS), title="T", reference="?HZ0-(ME-FB-ME)")
    times, factors = figure.panels
    assert factors.series[0].y == [0.5, 0.65]
    for panel in figure.panels:
        assert interactive.panel(panel)["data"][-1]["marker"]["symbol"] == ["diamond", "x"]
    drawn = interactive.panel(times)["data"]
    assert drawn[1]["marker"]["symbol"] == ["diamond", "x"] and drawn[0]["marker"]["symbol"] == "circle"
    assert drawn[1]["text"] == ["<br>noisy", f"<br>{WHY}"] and "%{text}" in drawn[1]["hovertemplate"]
    canvas = plots.draw(figure)
    (cross,) = [line for line in canvas.axes[0].get_lines() if line.get_marker() == "x"]
    assert cross.get_xdata().tolist() == [512] and cross.get_ydata().tolist() == [2.6]
    assert "(points crossed out): cuSOLVER dsygvd, n = 512: " + WHY in " ".join(canvas.get_supxlabel().split())
    plt.close(canvas)


@pytest.mark.parametrize(("made", "solver"), [(factory.record, OWN), (factory.ldlt_record, "LDLT-BP")])
def test_lists_of_cases_mark_times(made, solver):
    table = cases(source([made("t", solver, 8), made("t", solver, 16, status="incorrect")]), title="T")
    text = render.to_text(table)
    assert text.count("†") == 3 and "† Of a case that did not pass, as its status says" in text  # both times
    assert "incorrect" in render.to_csv(table)


def test_sheets_mark_times_of_cases_that_did_not_pass():
    records = [factory.ldlt_record("t", "LDLT-BP", 64, generator="hadamard", status="incorrect")]
    records[0]["message"] = "dsyt01 99 > 30"
    table = ldlt_tables.sheet(source(records), title="T", published="ldlt-sheets", matrices=["hadamard"])
    assert "0.5000†" in render.to_text(table)
    assert footnotes(table) == ["† Of a case that did not pass: LDLT-BP, n = 64: incorrect (dsyt01 99 > 30)."]


def test_speed_ups_of_flagged_times_say_so_under_the_cursor():
    records = [factory.ldlt_record("t", solver, n) for solver in ("LDLT-BP", "lapack:dsytrf") for n in (8, 16)]
    records[0]["time"]["flags"] = ["noisy"]
    figure = ldlt_figures.speed(source(records), title="T", type="d", reference="LDLT-BP")
    (gain,) = interactive.panel(figure.panels[1])["data"]
    assert gain["text"] == ["<br>noisy", ""]


def test_many_failures_of_a_solver_are_counted_below_a_table():
    records = [record(BASELINE, n, 1.0, passes=False) for n in range(100, 140)] + [
        record(OWN, n, 1.0, passes=n != 120) for n in range(100, 140)
    ]
    (note,) = footnotes(speed(records))
    first, second = note.removeprefix("† Of a case that did not pass: ").split("; ")
    assert {first, second} == {f"cuSOLVER dsygvd, n = 100: {WHY}, and 39 more", f"{OWN}, n = 120: {WHY}."}


def test_a_median_over_several_machines_is_marked():
    records = [factory.record("t", "DHZ0-(ME-FB-ME)", n, seed=seed) for n in (64, 128) for seed in (1, 2)]
    records[1]["environment"]["cpu"] = "AMD EPYC"
    rows = source(records).frame
    alone, mixed = (value_of(rows[rows["n"] == n], "compute_s") for n in (128, 64))
    assert not has_mark(alone, MIXED) and has_mark(mixed, MIXED)
    assert not has_mark(value_of(rows, "sigma_error"), MIXED)  # errors are those of any machine
    table = Table("t", "T", [Column("time s", "seconds")], [[mixed], [alone]])
    assert "0.5000‡" in render.to_text(table) and "‡ Of cases on several machines." in render.to_text(table)
    assert r"0.5000$^\ddagger$" in render.to_latex(table) and "<sup>‡</sup>" in render.to_html(table)
    assert "of several machines" in render.to_csv(table)
