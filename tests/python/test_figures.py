"""Figures: the right series in the axes, drawn to files that are not empty and the same every time."""

import matplotlib.pyplot as plt
import pytest
from pivotlab_analysis import Library, figures, interactive, layout, plots
from pivotlab_analysis.model import Panel, Series
from pivotlab_analysis.records import Run
from pivotlab_analysis.selection import SUBVARIANTS, Source

import factory


def source(records):
    run = Run(None, {}, records)
    return Source(run.frame, Library(), run.hardware)


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
    assert {text.get_text() for text in left.texts} == set(lines)
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
    assert len({layout.scales(panel)[1] for panel in figure.panels}) == 1
    left = {line.label: line for line in figure.panels[1].series}
    assert left["normal equations, dsygvd"].y[-1] == pytest.approx(1e16)
    assert left["DHZ0, w = 16"].x == [4, 8, 12] and left["10⁻¹³"].y == [1e-13, 1e-13]


def test_speed_labels_points_with_factors():
    figure = figures.speed(
        source(factory.quick_records()), title="T", reference="?HZ0-(ME-FB-ME)", type=["d", "z"], peers_only=True
    )
    assert [panel.title for panel in figure.panels] == ["Real pairs", "Complex pairs"]
    own, peer = figure.panels[0].series
    assert own.label == "DHZ0-(ME-FB-ME)" and not own.marks
    assert peer.marks[0].text == f"{8e-8 * 64**3 / (2e-7 * 64**2.4):.2g}×"


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


def test_labels_never_touch_and_keep_their_order():
    for ends in ([0.5] * 6, [0.0, 0.01, 0.02, 0.03], [0.97, 0.98, 0.99], [0.1, 0.5, 0.9]):
        places = layout.spread(ends, 0.065)
        assert all(b - a >= 0.065 - 1e-12 for a, b in zip(places, places[1:], strict=False))
        assert places[0] >= 0 and places[-1] <= 1
    assert layout.spread([0.1, 0.5, 0.9], 0.065) == [0.1, 0.5, 0.9]


def test_labels_of_bars_stand_beside_the_last_bar():
    bars = Series("computing", "solver-0", [1, 2, 3], [2.0, 2.0, 1.0], low=[0.0] * 3, style="bars", symbol="none")
    (label,) = layout.labels(Panel("P", "x", "y", [bars], y_log=False))
    assert (label.x, label.end_x, label.is_away) == (3.5, 3.5, False)


def test_labels_of_many_lines_that_end_early_are_beside_the_panel_with_leaders():
    early = [Series(f"early {k}", "solver-0", [1.0, 2.0], [1.0, 10.0**k]) for k in range(layout.MANY_EARLY_ENDS)]
    panel = Panel("P", "x", "y", [*early, Series("late", "solver-1", [1.0, 8.0], [1.0, 100.0])], x_log=True, y_log=True)
    labels = layout.labels(panel)
    assert {label.x for label in labels} == {8.0}
    assert [label.series.label for label in labels][-1] == f"early {layout.MANY_EARLY_ENDS - 1}"
    assert {label.series.label for label in labels if label.is_away} >= {line.label for line in early}
    drawn = interactive.panel(panel)["layout"]["shapes"]
    assert {(shape["x0"], shape["x1"]) for shape in drawn if shape["x0"] != shape["x1"]} == {(2.0, 8.0)}
    canvas, ax = plt.subplots()
    plots.draw_panel(ax, panel)
    assert sum(text.arrow_patch is not None for text in ax.texts) == len(drawn)
    plt.close(canvas)


def test_ticks_of_an_axis_have_one_notation():
    assert layout.numbers([0.01, 1, 100]) == ["0.01", "1", "100"]
    assert layout.numbers([1e4, 1e5, 2e6]) == ["10⁴", "10⁵", "2·10⁶"]
    assert layout.numbers([1e-5, 1.0, 1e5]) == ["10⁻⁵", "1", "10⁵"]


def test_interactive_panel_draws_the_same_points(times):
    drawn = interactive.panel(times.panels[0])
    traces = {trace["name"]: trace for trace in drawn["data"]}
    for line in times.panels[0].series:
        assert traces[line.label]["y"] == list(line.y)
    assert traces["published, V100"]["line"]["dash"] == "dash"
    assert {a["text"] for a in drawn["layout"]["annotations"]} == {line.label for line in times.panels[0].series}


def luminance(color):
    channels = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("theme, paper", [("light", "#ffffff"), ("dark", "#161b22")])
def test_every_colour_stands_out_from_its_paper(theme, paper):
    for role, color in layout.PALETTES[theme].items():
        bright, dim = sorted((luminance(color), luminance(paper)), reverse=True)
        assert (bright + 0.05) / (dim + 0.05) >= 3.0, (theme, role)


def test_series_of_equal_sizes_fit_any_scale():
    panel = Panel("T", "n", "s", [Series("one", "ME-FB-ME", [64], [0.5])])
    x, y = layout.scales(panel)
    assert x.low < 64 < x.high and y.low < 0.5 < y.high
    assert layout.x_ticks(panel) == [64] and layout.y_ticks(panel)


def test_errors_lie_over_the_condition_beside_roundoff_times_it():
    records = [
        factory.record("t", "DHZ0-(ME-FB-ME)", 64, seed=seed, kappa_f=10.0**seed, sigma_error=10.0 ** (seed - 17))
        for seed in (5, 3)
    ]
    (panel,) = figures.error_by_condition(source(records), title="T").panels
    points, bound = panel.series
    assert points.style == "points" and points.x == [1e3 + 3e3, 1e5 + 3e3] and points.y == [1e-14, 1e-12]
    assert bound.y == [2.0**-53 * kappa for kappa in points.x]
    assert panel.x_ticks == [1e4, 1e5]


def test_the_label_of_a_line_that_ends_early_keeps_clear_of_the_others():
    long = Series("long", "solver-0", [0.0, 1.0], [1.0, 1.0])
    short = Series("short", "solver-1", [0.0], [1.0])
    other = Series("other", "solver-2", [0.0, 1.0], [100.0, 0.01])
    panel = Panel("P", "x", "y", [long, short, other])
    (place,) = [label for label in layout.labels(panel) if label.series is short]
    _, y_scale = layout.scales(panel)
    assert abs(place.y_fraction - y_scale.fraction(1.0)) >= 0.6 * 0.065
