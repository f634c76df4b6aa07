# SPDX-License-Identifier: BSD-3-Clause
"""Pictures on demand: the right numbers in each kind, readable on paper, and one line for what cannot be drawn."""

import time

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text
from pivotlab_analysis import plots, screen
from pivotlab_analysis.__main__ import main
from pivotlab_analysis.errors import InputError
from pivotlab_analysis.model import HeatMap
from pivotlab_analysis.pictures import KINDS, Request, figure, looks
from pivotlab_analysis.records import load_runs

import factory

OWN, ROOK, LIBRARY = "DHZ0-(ME-FB-ME)", "DHZ0-(MM-FB-ME)", "lapack:dggsvd3"
COSTS = {OWN: 1e-8, ROOK: 2e-8, LIBRARY: 4e-8}


def sweep(
    folder, name="sweep", costs=COSTS, sizes=(64, 128, 256, 512), generators=("paper", "random"), seeds=(1, 2, 3)
):
    """Times cost·n³, times 1, 2, 3 for the seeds."""
    records = [
        factory.record(
            name, solver, n, generator=generator, seed=seed, wall_s=cost * n**3 * seed, sigma_error=1e-16 * n
        )
        for solver, cost in costs.items()
        for n in sizes
        for generator in generators
        for seed in seeds
    ]
    return load_runs([factory.write_run(folder, {"name": name, "method": "gsvd"}, records)])


@pytest.fixture
def runs(tmp_path):
    return sweep(tmp_path)


def drawn(runs, kind="lines", where=(), **options):
    return figure(runs, kind, Request(**options), where)


def lines_of(panel):
    return {line.label.partition("  ")[0]: line for line in panel.series}


def test_lines_are_medians_with_quartiles_and_a_fitted_slope(runs):
    (panel,) = drawn(runs).panels
    assert [line.label for line in panel.series] == [f"{name}  ∝ n^3.0" for name in (OWN, ROOK, "LAPACK dggsvd3")]
    line = panel.series[0]
    assert line.x == [64, 128, 256, 512] and line.y == pytest.approx([2e-8 * n**3 for n in line.x])
    assert line.low == pytest.approx([1.25e-8 * n**3 for n in line.x]) and panel.x_log and panel.y_log
    assert "generator (2), seed (3)" in drawn(runs).notes[1]


def test_the_slope_is_that_of_the_large_orders(tmp_path):
    records = [factory.record("s", OWN, n, wall_s=1e-3 + 1e-9 * n**3) for n in (16, 32, 512, 1024, 2048, 4096)]
    (run,) = load_runs([factory.write_run(tmp_path, {"name": "s", "method": "gsvd"}, records)])
    assert drawn([run]).panels[0].series[0].label.endswith("n^3.0")


def test_facets_share_a_legend_and_an_axis(runs):
    shown = drawn(runs, facet="generator")
    assert [panel.title for panel in shown.panels] == ["paper", "random"] and shown.common_legend
    assert shown.panels[0].y_span == shown.panels[1].y_span


def test_ratios_are_of_the_same_problem(runs):
    (panel,) = drawn(runs, ratio_to="lapack:*").panels
    assert panel.y_label == "compute time / LAPACK dggsvd3"
    assert {name: set(np.round(line.y, 9)) for name, line in lines_of(panel).items()} == {OWN: {0.25}, ROOK: {0.5}}


def test_ratios_are_of_the_same_problem_where_the_axis_is_an_option_of_its_name(tmp_path):
    records = [
        factory.record("g", solver, 64, generator=f"graded;g={g}", wall_s=cost * g)
        for g in (1, 2, 4)
        for solver, cost in ((OWN, 1.0), (LIBRARY, 4.0))
    ]
    runs = load_runs([factory.write_run(tmp_path, {"name": "g", "method": "gsvd"}, records)])
    (panel,) = drawn(runs, x="g", ratio_to=LIBRARY, where=["solver=DHZ*"]).panels
    assert panel.series[0].x == [1, 2, 4] and panel.series[0].y == [0.25] * 3
    (cells,) = drawn(runs, "map", x="g", by=("type",), ratio_to=LIBRARY).panels
    assert cells.values == [[0.25] * 3]


def test_an_error_over_the_time_is_a_cloud(runs):
    (panel,) = drawn(runs, x="time", y="sigma_error").panels
    assert {line.style for line in panel.series} == {"points"} and len(panel.series[0].x) == 24


def test_options_of_names_are_columns_and_conditions_choose(tmp_path):
    names = [f"graded;g={g};side={side}" for g in (2, 4, 8) for side in ("left", "right")]
    runs = sweep(tmp_path, generators=names, sizes=(64,))
    (panel,) = drawn(runs, x="g", where=["side=left"]).panels
    assert panel.series[0].x == [2, 4, 8]
    assert len(drawn(runs, x="time", y="error", where=["g>2", "solver=DHZ*", "seed!=3"]).panels[0].series[0].x) == 8


def test_a_performance_profile_of_three_problems_is_that_of_paper_and_pencil(tmp_path):
    times = {OWN: (1, 4, 2), LIBRARY: (2, 1, None)}
    records = [
        factory.record("p", solver, n, wall_s=t, status="passed" if t else "failed")
        for solver, own in times.items()
        for n, t in zip((8, 16, 32), own, strict=True)
    ]
    runs = load_runs([factory.write_run(tmp_path, {"name": "p", "method": "gsvd"}, records)])
    lines = lines_of(drawn(runs, "profile").panels[0])
    assert lines[OWN].x == pytest.approx([1, 4, 4.2]) and lines[OWN].y == pytest.approx([2 / 3, 1, 1])
    assert lines["LAPACK dggsvd3"].x == pytest.approx([1, 2, 4.2])
    assert lines["LAPACK dggsvd3"].y == pytest.approx([1 / 3, 2 / 3, 2 / 3])
    data = lines_of(drawn(runs, "data-profile").panels[0])
    assert data[OWN].y[-1] == 1 and data["LAPACK dggsvd3"].y[-1] == pytest.approx(2 / 3)
    assert data[OWN].x[1:-1] == [1, 2, 4]


def test_a_ranking_has_intervals_that_cover_the_truth_and_does_not_change(tmp_path):
    random = np.random.default_rng(2)
    records = [
        factory.record("r", solver, 64, seed=seed, wall_s=cost * random.lognormal(0, 0.2))
        for seed in range(60)
        for solver, cost in ((OWN, 1.0), (ROOK, 1.0), (LIBRARY, 3.0))
    ]
    runs = load_runs([factory.write_run(tmp_path, {"name": "r", "method": "gsvd"}, records)])
    (panel,) = drawn(runs, "ranking", ratio_to=LIBRARY).panels
    points = {point.label: point for point in panel.points}
    assert list(points)[-1] == "LAPACK dggsvd3 (3)" and points["LAPACK dggsvd3 (3)"].x == pytest.approx([1], rel=1e-15)
    first = panel.points[0]
    assert first.low[0] < 1 / 3 < first.high[0] and first.label.endswith("(1–2)")
    assert drawn(runs, "ranking", ratio_to=LIBRARY).panels[0].points == panel.points


def test_a_map_has_a_ratio_in_every_cell(runs):
    shown = drawn(runs, "map", ratio_to=LIBRARY)
    assert [panel.title for panel in shown.panels] == [OWN, ROOK]
    assert shown.panels[0].columns == ["64", "128", "256", "512"] and shown.panels[0].rows == ["paper", "random"]
    assert np.array(shown.panels[0].values) == pytest.approx(0.25)


def test_convergence_is_by_sweep(runs):
    (panel,) = drawn(runs, "convergence").panels
    assert panel.series[0].x == [1, 2, 3, 4, 5, 6, 7] and panel.series[0].y == [10] * 7
    eig = factory.eig_record("e", "ZEIG-(RR)", 8)
    with pytest.raises(InputError, match="not a history of sweeps; nearest: per_sweep"):
        drawn(runs, "convergence", y="per_sweep.bigger")
    assert len(eig["convergence"]["lower"]) == eig["convergence"]["sweeps"] + 1


def test_convergence_needs_numbers_of_each_sweep(tmp_path):
    records = [factory.ldlt_record("g", "LDLT-BP", 4)]
    ldlt = load_runs([factory.write_run(tmp_path, {"name": "g", "method": "ldlt"}, records)])
    with pytest.raises(InputError, match="^--kind convergence: records of ldlt have no numbers of each sweep$"):
        drawn(ldlt, "convergence")


def test_growth_tells_the_orders_of_the_pivots(tmp_path):
    record = factory.ldlt_record("g", "LDLT-BP", 4, stages=[(0, 1, 1.0), (1, 2, 1.5), (3, 1, 1.2)])
    runs = load_runs([factory.write_run(tmp_path, {"name": "g", "method": "ldlt"}, [record])])
    (panel,) = drawn(runs, "growth").panels
    assert {line.label: (list(line.x), line.symbol) for line in panel.series} == {
        "1×1": ([1, 4], "circle"),
        "2×2": ([2], "cross"),
    }


def test_machines_are_never_of_one_line(tmp_path):
    runs = [*sweep(tmp_path / "a", seeds=(1,)), *sweep(tmp_path / "b", seeds=(1,))]
    for record in runs[1].records:
        record["environment"] |= {"cpu": "AMD EPYC", "cores": 64}
    names = [line.label.partition("  ")[0] for line in drawn(runs, where=["solver=DHZ0-(ME*"]).panels[0].series]
    assert names == [f"{OWN}, EPYC, 64 cores", f"{OWN}, Xeon Gold 6140, 2 cores"]
    assert len(drawn(runs, y="error").panels[0].series) == 3  # errors do not depend on it


def test_a_solver_has_one_look_in_all_pictures(runs):
    pictures = [
        drawn(runs),
        drawn(runs, "profile"),
        drawn(runs, "convergence"),
        drawn(runs, where=["solver=DHZ*"]),
        drawn(runs, facet="generator"),
    ]
    looks = {}
    for panel in (panel for picture in pictures for panel in picture.panels):
        for name, line in lines_of(panel).items():
            looks.setdefault(name, set()).add((line.role, line.symbol))
    for point in drawn(runs, "ranking").panels[0].points:
        looks[point.label.rpartition(" (")[0]].add((point.role, point.symbol))
    assert {len(own) for own in looks.values()} == {1}
    assert len({role for (own,) in looks.values() for role, _ in [own]}) == 3
    assert len({symbol for (own,) in looks.values() for _, symbol in [own]}) == 3


def test_looks_follow_from_names_not_from_what_else_was_run():
    alone = looks.of_solvers([OWN, LIBRARY])
    beside = looks.of_solvers([OWN, LIBRARY, "DHZ9-(ZZ)", "lapack:zzz"])
    assert {name: beside[name] for name in alone} == alone
    many = looks.of_solvers([f"DHZ{k}" for k in range(10)])
    assert len({tuple(own.values()) for own in many.values()}) == 10  # two colours each, the second dashed


def overlapping(canvas):
    """Texts on each other, texts beyond the edge, and texts below 9 points."""
    renderer = FigureCanvasAgg(canvas).get_renderer()
    canvas.draw_without_rendering()
    faults = []
    edge = canvas.bbox
    texts = [text for text in canvas.findobj(Text) if text.get_text().strip() and text.get_visible()]
    for ax in canvas.axes:
        for axis, place in ((ax.xaxis, 0), (ax.yaxis, 1)):
            if not ax.axison:
                continue
            low, high = sorted(axis.get_view_interval())
            ticks = [
                label for t in axis.get_major_ticks() if low <= t.get_loc() <= high for label in (t.label1, t.label2)
            ]
            shown = [t for t in ticks if t.get_text() and t.get_visible()]
            boxes = sorted((t.get_window_extent(renderer) for t in shown), key=lambda b: b.p0[place])
            faults += [f"ticks {a} {b}" for a, b in zip(boxes, boxes[1:], strict=False) if a.overlaps(b)]
            hidden = {*axis.get_majorticklabels(), *axis.get_minorticklabels()} - {*ticks}
            texts = [text for text in texts if text not in hidden]
    for text in texts:
        box = text.get_window_extent(renderer)
        if box.x0 < edge.x0 - 1 or box.x1 > edge.x1 + 1 or box.y0 < edge.y0 - 1 or box.y1 > edge.y1 + 1:
            faults.append(f"beyond the edge: {text.get_text()}")
        if text.get_fontsize() < 9:
            faults.append(f"small: {text.get_text()}")
    return faults


@pytest.mark.parametrize("width", plots.WIDTHS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_picture_is_readable_in_a_column_and_on_a_page(runs, kind, width):
    facet = None if kind == "map" else "generator"
    for own in {None, facet}:
        shown = drawn(runs, kind, facet=own, ratio_to=LIBRARY if kind == "map" else None)
        canvas = plots.draw(shown, plots.WIDTHS[width])
        assert overlapping(canvas) == []
        assert canvas.get_figwidth() == pytest.approx(plots.WIDTHS[width])
        assert canvas.get_figheight() < plots.PAGE_HEIGHT * 1.05
        assert "Plotly.newPlot" in screen.page(shown)


@pytest.mark.parametrize("width", plots.WIDTHS)
@pytest.mark.parametrize("gap", [1e-3, 0.03, 0.2, 1])
def test_a_ranking_of_close_solvers_is_readable(tmp_path, gap, width):
    costs = {solver: 1e-8 * (1 + gap) ** k for k, solver in enumerate((OWN, "DHZ0-(ME-BO-ME);w=128;sort=off", LIBRARY))}
    runs = sweep(tmp_path, costs=costs)
    for record in runs[0].records:  # intervals are not empty
        record["time"]["compute_s"]["median"] *= 1 + gap * (int(record["key"][:4], 16) % 7) / 7
    canvas = plots.draw(drawn(runs, "ranking"), plots.WIDTHS[width])
    assert overlapping(canvas) == []


def test_two_thousand_cases_are_drawn_within_seconds(tmp_path):
    sizes, generators = range(64, 704, 64), [f"graded;g={g}" for g in range(8)]
    costs = COSTS | {"DHZ0-(ME-BO-ME)": 3e-8, "DHZ0-(MM-BO-ME)": 5e-8}
    runs = sweep(tmp_path, costs=costs, sizes=sizes, generators=generators, seeds=(1, 2, 3, 4, 5))
    assert len(runs[0].records) == 2000
    start = time.monotonic()
    for kind, options in {"lines": {}, "profile": {}, "ranking": {}, "map": {"ratio_to": LIBRARY}}.items():
        plots.write(plots.draw(drawn(runs, kind, **options)), tmp_path / f"{kind}.png")
    assert time.monotonic() - start < 30


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--x", "solver"], "--x: 'solver' is not a number; "),
        (["--y", "timee"], "--y: no number 'timee'; "),
        (["--by", ","], "--by: no column; "),
        (["--by", "seed,n,generator"], "too many: 24 lines, at most 12 are readable; choose with --where seed=…"),
        (["--where", "n"], "--where: 'n' is not a condition; "),
        (["--where", "n<x"], "--where: 'n<x': 'x' is not a number; write one"),
        (["--where", "n=65"], "--where: no case has n=65; nearest: 64"),
        (["--kind", "pie"], "--kind: no picture 'pie' of gsvd; nearest: profile"),
        (["--kind", "growth"], "--kind: no picture 'growth' of gsvd; "),
        (["--kind", "map"], "--ratio-to: missing; "),
        (["--ratio-to", "lapack:dsygvd"], "--ratio-to: 'lapack:dsygvd' is not a solver of these cases; "),
        (["--ratio-to", "DHZ*"], "--ratio-to: 'DHZ*' means 2 solvers; "),
        (["-o", "picture.gif"], "picture.gif: its name tells no format; end it in .svg, .png, .pdf or .html"),
    ],
)
def test_what_cannot_be_drawn_is_said_in_one_line(runs, tmp_path, capsys, monkeypatch, words, complaint):
    monkeypatch.chdir(tmp_path)
    assert main(["plot", *words, "--", str(runs[0].path)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"pivotlab_analysis: {complaint}")
    assert not list(tmp_path.glob("p*.*"))


def test_runs_of_two_methods_and_unreadable_records_are_refused(runs, tmp_path):
    other = load_runs(
        [factory.write_run(tmp_path, {"name": "l", "method": "ldlt"}, [factory.ldlt_record("l", "LDLT-BP", 8)])]
    )
    with pytest.raises(InputError, match="is of gsvd, .*/l of ldlt; name runs of one method"):
        drawn([*runs, *other])
    runs[0].problems.append("records.jsonl.gz:7: torn; remove the line")
    with pytest.raises(InputError, match="torn"):
        drawn(runs)


def test_the_command_writes_every_format_and_replaces_nothing_unasked(runs, tmp_path, capsys):
    for kind, start in {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF", "html": b"<!doctype html>"}.items():
        path = tmp_path / f"a.{kind}"
        assert main(["plot", "-o", str(path), "--", str(runs[0].path)]) == 0
        assert path.read_bytes().startswith(start)
        assert main(["plot", "-o", str(path), "--", str(runs[0].path)]) == 2
    assert "exists; add --force" in capsys.readouterr().err


def test_texts_of_records_are_no_markup(tmp_path):
    runs = sweep(tmp_path, generators=("$x_1$<script>", "b"), seeds=(1,))
    shown = drawn(runs, "map", ratio_to=LIBRARY)
    assert isinstance(shown.panels[0], HeatMap) and "<script>$" not in screen.page(shown).replace("x_1$<script>", "", 0)
    assert "$x_1$<script>" not in screen.page(shown)
    plots.draw(shown)
