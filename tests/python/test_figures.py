# SPDX-License-Identifier: BSD-3-Clause
"""Figures: the right series in the axes, drawn to files that are not empty and the same every time."""

from pathlib import Path

import matplotlib.pyplot as plt
import pytest
from matplotlib.colors import to_hex
from pivotlab_analysis import Library, exhibits, interactive, layout, plots
from pivotlab_analysis.exhibits.gsvd import fast, figures
from pivotlab_analysis.exhibits.gsvd.solvers import SUBVARIANTS
from pivotlab_analysis.exhibits.hsvd import speed
from pivotlab_analysis.model import Panel, Series
from pivotlab_analysis.records import load_runs

import factory
from factory import source


def lines_of(ax):
    return {line.get_label(): line for line in ax.get_lines()}


@pytest.fixture
def times():
    return figures.figure_times(source(factory.quick_records()), title="T", published="figure2", type="d", id=0)


@pytest.fixture
def errors():
    return figures.figure_errors(source(factory.quick_records()), title="T", published="figure4", type="d", id=0)


def test_times_of_four_subvariants_beside_the_published_curve(times):
    canvas = plots.draw(times)
    left = canvas.axes[0]
    assert left.get_yscale() == "log" and left.get_ylabel() == "wall time [s]"
    lines = lines_of(left)
    assert set(lines) == {*SUBVARIANTS, "published, V100"}
    assert lines["MM-FB-ME"].get_xdata().tolist() == [64, 128, 192, 256]
    assert lines["MM-FB-ME"].get_ydata()[1] == pytest.approx(2e-7 * 2.1 * 128**2.4)
    assert lines["published, V100"].get_ydata()[-1] == 198.03
    assert lines["published, V100"].get_linestyle() != "-" and lines["ME-FB-ME"].get_linestyle() == "-"
    assert {text.get_text() for text in left.get_legend().get_texts()} == set(lines)
    plt.close(canvas)


def test_labels_are_as_dark_as_their_lines(times):
    canvas = plots.draw(times)
    for ax, panel in zip(canvas.axes, times.panels, strict=True):
        shades = {text.get_text(): to_hex(text.get_color()) for text in ax.get_legend().get_texts()}
        assert shades == {line.label: layout.PALETTES["light"][line.role] for line in panel.series}
    plt.close(canvas)


def test_sweeps_of_the_two_fastest_in_the_second_panel(times):
    canvas = plots.draw(times)
    right = canvas.axes[1]
    assert right.get_yscale() == "linear"
    lines = lines_of(right)
    assert set(lines) == {"ME-FB-ME", "ME-BO-ME"}
    assert lines["ME-FB-ME"].get_ydata().tolist() == [6, 7, 8, 8]
    plt.close(canvas)


def test_cases_that_did_not_pass_leave_a_gap():
    records = [r for r in factory.quick_records() if r["case"]["solver"] != "DHZ0-(MM-BO-ME)"]
    records.append(factory.record("quick", "DHZ0-(MM-BO-ME)", 64, status="not_converged"))
    figure = figures.figure_times(source(records), title="T", published="figure2", type="d", id=0)
    assert {line.label for line in figure.panels[0].series} == {"ME-FB-ME", "ME-BO-ME", "MM-FB-ME", "published, V100"}


def test_errors_on_a_log_scale_beside_condition_numbers(errors):
    canvas = plots.draw(errors)
    left, right = canvas.axes
    assert left.get_yscale() == right.get_yscale() == "log"
    lines = lines_of(left)
    assert set(lines) == {*SUBVARIANTS, "Table 6, scaled"}
    assert lines["ME-FB-ME"].get_ydata()[-1] == pytest.approx(1.2e-16 * 256)
    assert lines["Table 6, scaled"].get_ydata()[-1] == pytest.approx(3.68432e-12 * 256 / 9728)
    kappas = lines_of(right)
    assert kappas["measured"].get_ydata().tolist() == pytest.approx([90 * n for n in (64, 128, 192, 256)])
    assert kappas["published"].get_ydata()[0] == 7.19081e4
    plt.close(canvas)


def test_graded_panels_share_their_axis_and_show_every_solver():
    figure = figures.accuracy_graded(source(factory.graded_records()), title="T")
    assert [panel.title for panel in figure.panels] == ["Pairs (B·D, C)", "Pairs (D·B, C)", "Pairs (B·D, C·D)"]
    assert len({tuple(interactive.panel(panel)["layout"]["yaxis"]["range"]) for panel in figure.panels}) == 1
    left = {line.label: line for line in figure.panels[1].series}
    assert left["normal equations, dsygvd"].y[-1] == pytest.approx(1e16)
    assert left["DHZ0, w = 16"].x == [4, 8, 12] and left["1e-13"].y == [1e-13, 1e-13]


def test_time_against_accuracy_has_a_line_a_solver_through_its_orders():
    records = [
        factory.record("t", solver, n, wall_s=n * cost, sigma_error=error * n, generator=generator)
        for solver, cost, error in (("DGT-(auto)", 1e-4, 1e-16), ("cusolver:dsygvd", 1e-5, 1e-9))
        for n in (256, 64)
        for generator in ("paper", "random")
    ]
    figure = fast.time_accuracy(source(records), title="T")
    assert [panel.title for panel in figure.panels] == ["Singular values", "Vectors"]
    lines = {line.label: line for line in figure.panels[0].series}
    assert lines["DGT-(auto)"].x == pytest.approx([64e-4, 256e-4])
    assert lines["cuSOLVER dsygvd"].y == pytest.approx([64e-9, 256e-9])
    assert figure.panels[1].series[0].y == pytest.approx([2e-14, 2e-14])


def test_kinds_of_matrices_have_panels_of_time_against_accuracy():
    (run,) = load_runs([Path(__file__).parents[2] / "results/h200/hsvd-speed"])
    names = ["HSVD-ME-BO;exact;spectral", "cusolver:?gesvdp"]
    figure = speed.time_accuracy(exhibits.source_of(run, Library()), title="T", solvers=names)
    assert [panel.title for panel in figure.panels] == ["σ, graded;g=6", "σ, random", "Vectors"]
    lines = {line.label: line for line in figure.panels[1].series}
    assert list(lines) == ["HSVD-ME-BO;exact;spectral", "cuSOLVER dgesvdp"]
    cases = [r for r in run.records if r["case"]["solver"] == names[0] and r["case"]["type"] == "d"]
    cases = sorted((r for r in cases if r["case"]["generator"] == "random"), key=lambda r: r["case"]["n"])
    assert lines[names[0]].x == [r["time"]["compute_s"]["median"] for r in cases]
    assert lines[names[0]].y == [r["metrics"]["relative_error"] for r in cases]


def test_factors_have_a_panel_beside_the_times():
    figure = figures.speed(
        source(factory.quick_records()),
        title="T",
        reference="?HZ0-(ME-FB-ME)",
        type=["d", "z"],
        peers_only=True,
    )
    over = [f"{letter}HZ0-(ME-FB-ME)" for letter in "DZ"]
    titles = ["Real pairs", f"Real pairs, over {over[0]}", "Complex pairs", f"Complex pairs, over {over[1]}"]
    assert [panel.title for panel in figure.panels] == titles
    assert [line.label for line in figure.panels[0].series] == [over[0], "LAPACK dggsvd3"]
    (baseline,) = figure.panels[1].series
    assert (
        baseline.y[0] == pytest.approx(8e-8 * 64**3 / (2e-7 * 64**2.4)) and figure.panels[1].y_label == "times as long"
    )


def test_speed_leaves_out_what_was_timed_at_one_size():
    times = {("DHZ0-(ME-FB-ME)", 64): 1, ("DHZ0-(ME-FB-ME)", 128): 2, ("lapack:dsygvd", 64): 3}
    records = [factory.record("speed", solver, n, wall_s=t) for (solver, n), t in times.items()]
    figure = figures.speed(source(records), title="T", reference="?HZ0-(ME-FB-ME)")
    assert [line.label for line in figure.panels[0].series] == ["DHZ0-(ME-FB-ME)"]


def test_figures_take_the_plain_variants_or_the_only_ones():
    wide = [factory.record("t", "DHZ0-(ME-FB-ME);w=32", n, wall_s=9) for n in (64, 128)]
    plain = [factory.record("t", "DHZ0-(ME-FB-ME)", n, wall_s=1) for n in (64, 128)]
    for records, seconds in ((wide, 9), (wide + plain, 1)):
        figure = figures.figure_times(source(records), title="T", published="figure2", type="d", id=0)
        (measured, _) = figure.panels[0].series
        assert measured.y == [seconds, seconds]


@pytest.mark.parametrize("kind", ["svg", "png", "pdf"])
def test_files_are_written_and_repeatable(errors, tmp_path, kind):
    (first,) = plots.save(errors, tmp_path / "a", [kind])
    (second,) = plots.save(errors, tmp_path / "b", [kind])
    start = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}[kind]
    assert first.read_bytes().startswith(start) and first.stat().st_size > 10_000
    assert first.read_bytes() == second.read_bytes()


def test_plot_without_records_says_not_run(tmp_path):
    empty = Panel("T", "n", "s", [])
    canvas, ax = plt.subplots()
    plots.draw_panel(ax, empty)
    assert ax.texts[0].get_text() == "not run"
    plt.close(canvas)


def test_interactive_panel_draws_the_same_points(times):
    drawn = interactive.panel(times.panels[0])
    traces = {trace["name"]: trace for trace in drawn["data"]}
    for line in times.panels[0].series:
        assert traces[line.label]["y"] == list(line.y)
    assert traces["published, V100"]["line"]["dash"] == "dash"


def luminance(color):
    channels = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("theme, paper", [("light", "#ffffff"), ("dark", "#161b22")])
def test_every_colour_stands_out_from_its_paper(theme, paper):
    for role, color in layout.PALETTES[theme].items():
        bright, dim = sorted((luminance(color), luminance(paper)), reverse=True)
        assert (bright + 0.05) / (dim + 0.05) >= 3.0, (theme, role)


def test_the_legend_lists_lines_by_where_they_end():
    lines = [Series(name, "solver-0", [1, 2], [1.0, end]) for name, end in (("low", 1.0), ("high", 9.0), ("mid", 3.0))]
    panel = Panel("T", "n", "s", [*lines, Series("none", "bound", [], [])])
    assert [line.label for line in layout.by_height(panel)][:3] == ["high", "mid", "low"]
    ranks = {trace["name"]: trace["legendrank"] for trace in interactive.panel(panel)["data"]}
    assert ranks["high"] < ranks["mid"] < ranks["low"]
    canvas, ax = plt.subplots()
    plots.draw_panel(ax, panel)
    assert [text.get_text() for text in ax.get_legend().get_texts()][:3] == ["high", "mid", "low"]
    plt.close(canvas)


def test_ticks_are_where_points_are_without_touching():
    panel = Panel("T", "n", "s", [], x_ticks=[64, 128, 256, 512, 1024, 2048, 4096, 8192])
    assert layout.x_ticks(panel) == [128, 2048, 4096, 8192][1:] or layout.x_ticks(panel)[-1] == 8192
    ticks = layout.x_ticks(panel)
    assert all(b - a >= (8192 - 64) / layout.MOST_TICKS for a, b in zip(ticks, ticks[1:], strict=False))
    panel.x_log = True
    assert layout.x_ticks(panel) == panel.x_ticks


def test_errors_lie_over_the_condition_beside_roundoff_times_it():
    records = [
        factory.record("t", "DHZ0-(ME-FB-ME)", 64, seed=seed, kappa_f=10.0**seed, sigma_error=10.0 ** (seed - 17))
        for seed in (5, 3)
    ]
    (panel,) = figures.error_by_condition(source(records), title="T").panels
    points, bound = panel.series
    assert points.style == "points" and points.x == [1e3 + 3e3, 1e5 + 3e3] and points.y == [1e-14, 1e-12]
    assert bound.y == [2.0**-53 * kappa for kappa in points.x]


def test_ticks_of_a_logarithmic_axis_reach_over_the_band():
    line = Series("own", "solver-0", [1, 2], [1e-15, 5e-14], low=[1e-15, 1e-15], high=[1e-12, 1e-11])
    y = interactive.panel(Panel("T", "n", "error", [line]))["layout"]["yaxis"]
    assert y["dtick"] == 1 and "tickvals" not in y


def test_long_labels_on_the_screen_have_fewer_ticks():
    line = Series("own", "solver-0", [1024, 2048, 4096, 6245, 10000, 22283], [1.0] * 6)
    panel = Panel("T", "order n", "time [s]", [line], x_log=True)
    assert layout.x_ticks(panel) == list(line.x)
    assert interactive.panel(panel)["layout"]["xaxis"]["ticktext"] == ["1024", "4096", "10000", "22283"]
