# SPDX-License-Identifier: BSD-3-Clause
"""Over several GPUs: Tables 7 to 11 beside the published numbers, and the time of every step by rank."""

import json
from pathlib import Path

import jsonschema
import matplotlib.pyplot as plt
import pytest
from pivotlab_analysis import Library, exhibits, interactive, plots
from pivotlab_analysis.exhibits.gsvd import ranks_figures, ranks_tables
from pivotlab_analysis.model import Figure
from pivotlab_analysis.records import DEFAULT_SCHEMA, Run

import factory
from factory import source

B = "?HZ0-(ME-BO, ME-FB-ME)"
NAME = "ZHZ0-(ME-BO, ME-FB-ME)"


def table9(records, **options):
    return ranks_tables.over_ranks(
        source(records), title="T", published="table9", baseline="table7", type="z", solver=B, **options
    )


def on_gpus(ranks, n=18432, **options):
    return factory.ranks_record("table9", f"{NAME};w=32", n, ranks, devices=list(range(ranks)), **options)


def test_made_up_records_follow_the_schema():
    schema = json.loads(DEFAULT_SCHEMA.read_text(encoding="utf-8"))
    for record in (on_gpus(1), on_gpus(4), factory.ranks_record("t", NAME, 96, 2)):
        jsonschema.Draft202012Validator(schema).validate(record)


def test_speed_ups_are_over_the_papers_best_single_gpu_and_over_one_rank():
    table = table9([on_gpus(ranks, compute_s=120.0 / ranks**0.5, sweeps=8) for ranks in (1, 2, 4)])
    rows = {(row[0], row[1]): row[2:] for row in table.rows}
    assert [column.label for column in table.columns[:2]] == ["n", "GPUs"]
    assert rows[18432, 1] == [None, 120.0, None, None, 8, None, 1.0]
    assert rows[18432, 4] == pytest.approx([1085.34, 60.0, 60 / 1085.34, 9, 8, 2063.19 / 1085.34, 2.0])
    assert rows[18432, 8] == [774.97, "not run", None, 9, "not run", pytest.approx(2.66, abs=0.01), "not run"]
    assert rows[36864, 2] == ["n/a", "not run", None, "n/a", "not run", None, "not run"]


def test_a_case_that_failed_says_so_in_the_table():
    row = next(row for row in table9([on_gpus(2, status="failed")]).rows if row[:2] == [18432, 2])
    assert row[3] == row[6] == "failed" and row[4] is None


def test_goals_are_judged_on_gpus_that_are_not_shared_at_published_sizes():
    goals = {"2": 1.5, "4": 1.9}
    fast = [on_gpus(ranks, compute_s=10.0 / ranks) for ranks in (1, 2)]
    assert [finding.holds for finding in table9(fast, goals=goals).findings] == [True]
    assert "2.00× as fast on 2 GPUs" in table9(fast, goals=goals).findings[0].text
    slow = [on_gpus(ranks, compute_s=10.0) for ranks in (1, 2)]
    assert [finding.holds for finding in table9(slow, goals=goals).findings] == [False]
    shared = [on_gpus(1), factory.ranks_record("table9", NAME, 18432, 2, devices=[0, 0])]
    assert table9(shared, goals=goals).findings == [] and "2 ranks shared 1 GPU." in table9(shared).notes
    host = [factory.ranks_record("table9", NAME, n, ranks) for n in (96, 18432) for ranks in (1, 2)]
    assert table9(host, goals=goals).findings == [] and table9(host).columns[1].label == "ranks"
    assert table9([on_gpus(ranks, n=96) for ranks in (1, 2)], goals=goals).findings == []


def test_speed_ups_are_over_the_best_solver_on_one_rank():
    once = f"{NAME};w=32;pairs=once"
    records = [
        on_gpus(1, compute_s=12.0),
        on_gpus(1, n=36864, compute_s=96.0),
        factory.ranks_record("table9", f"{NAME};w=16", 18432, 1, compute_s=10.0, devices=[0]),
        factory.ranks_record("table9", once, 18432, 2, compute_s=6.25, devices=[0, 1]),
        factory.ranks_record("table9", once, 36864, 4, compute_s=25.0, devices=[0, 1, 2, 3]),
    ]
    options = {"title": "T", "type": "z", "solver": B + ";pairs=once"}
    of = source(records)
    table = ranks_tables.over_ranks(of, published="table9", baseline="table7", goals={"2": 1.5}, **options)
    assert next(row for row in table.rows if row[:2] == [18432, 2])[-1] == pytest.approx(1.6)
    weak = ranks_tables.scaling(of, **options)
    assert [row[:3] for row in weak.rows] == [[18432, 1, 18432], [18432, 2, 9216], [36864, 1, 36864], [36864, 4, 9216]]
    assert [row[4] for row in weak.rows] == pytest.approx([1, 1.6, 1, 3.84])
    assert [row[5] for row in weak.rows] == pytest.approx([1, 0.8, 10 / 96 * 8, 0.8])
    assert ranks_tables.scaling(source([]), **options).rows == []


def test_speed_ups_are_over_one_gpu_of_any_run_of_the_report_with_these_pairs():
    def run(*records):
        return Run(Path("runs"), {"spec": {"name": "t", "report": {"tables": [entry]}}}, list(records))

    def alone(wall_s, generator="random"):
        record = factory.record("t", "ZHZ0-(ME-FB-ME)", 18432, type="z", generator=generator, wall_s=wall_s)
        record["case"] |= {"backend": "cuda", "threads": 1}
        return record

    entry = {"kind": "over-ranks", "title": "T", "published": "table9", "baseline": "table7", "type": "z", "solver": B}
    two, other_pairs = run(on_gpus(2, compute_s=5.0)), run(alone(1.0, "paper"))
    for others, speed_up in (([run(alone(9.0)), run(alone(12.0)), other_pairs], 1.8), ([other_pairs], None)):
        section = exhibits.build_sections([two, *others], Library())[0]
        assert next(row for row in section.tables[0].rows if row[:2] == [18432, 2])[-1] == speed_up


def test_variants_over_ranks_do_not_mix():
    other = factory.ranks_record("t", "ZHZ0-(ME-FB, ME-FB-ME)", 18432, 2, compute_s=1.0)
    inside = factory.record("t", "ZHZ0-(ME-FB-ME)", 18432, type="z", wall_s=1.0)
    assert all(row[3] == "not run" for row in table9([other, inside]).rows)


def test_single_gpu_times_with_and_without_sorting():
    records = [
        factory.record("t", "ZHZ0-(ME-FB-ME);w=32", 18432, type="z", wall_s=125.0, sweeps=9),
        factory.record("t", "ZHZ0-(ME-BO-ME);w=32;sort=off", 96, type="z", wall_s=1.0),
    ]
    table = ranks_tables.single_gpu(source(records), title="T", published="table7", type="z")
    rows = {(row[0], row[1]): row[2:] for row in table.rows}
    assert rows["ZHZ0-(ME-FB-ME)", 18432] == pytest.approx([2063.19, 125.0, 125 / 2063.19, 10, 9])
    assert rows["ZHZ0-(ME-FB-ME);sort=off", 18432] == [3509.21, "not run", None, 17, "not run"]
    assert rows["ZHZ0-(ME-BO-ME);sort=off", 96] == [None, 1.0, None, None, 7]


@pytest.fixture
def times() -> Figure:
    records = [factory.ranks_record("t", f"{NAME};w=8", n, ranks) for n in (96, 192) for ranks in (1, 2, 3)]
    return ranks_figures.rank_times(source(records), title="T", type="z", solver=B)


def test_every_rank_of_the_largest_case_has_a_panel_with_all_its_steps(times):
    assert [panel.title for panel in times.panels] == ["rank 0", "rank 1", "rank 2"]
    computing, sending, waiting = times.panels[2].series
    assert computing.x == list(range(1, 11)) and computing.y == [float(k) for k in range(1, 11)]
    assert sending.low == computing.y and sending.y == [k + 1.0 for k in range(1, 11)]
    assert waiting.low == sending.y and waiting.y == [k + 3.0 for k in range(1, 11)]
    assert times.panels[0].series[2].y == times.panels[0].series[2].low  # the first to come waits
    assert list(times.panels[0].x_ticks) == [5, 10]  # where sweeps end
    assert {panel.y_span for panel in times.panels} == {(0.0, 13.0)}
    assert "n = 192, 3 ranks" in times.notes[0] and "5 steps a sweep, 2 sweeps" in times.notes[0]
    assert "13.3% of all time: 3e-06 GB, 1e-07 GB/s from each" in times.notes[0]
    assert times.notes[0].endswith("the rest, 13.3%.")


def test_steps_of_a_case_that_did_not_pass_are_marked():
    record = factory.ranks_record("t", NAME, 96, 2, status="incorrect")
    record["message"] = "orthogonality_u 1.5 > 1e-13"
    figure = ranks_figures.rank_times(source([record]), title="T", type="z", solver=B)
    assert [panel.title for panel in figure.panels] == ["rank 0 †", "rank 1 †"]
    assert figure.notes[-1] == "† The case did not pass: incorrect (orthogonality_u 1.5 > 1e-13)."


def test_bars_stand_on_each_other_on_paper_and_on_the_screen(times):
    canvas = plots.draw(times)
    bars = canvas.axes[1].patches
    assert [(bar.get_y(), bar.get_height()) for bar in bars[20:22]] == [(2.0, 1.0), (3.0, 1.0)]
    legend = [text.get_text() for text in canvas.axes[1].get_legend().get_texts()]
    assert legend == ["waiting", "sending", "computing"]
    plt.close(canvas)
    below, above, _ = interactive.panel(times.panels[1])["data"]
    assert below["type"] == above["type"] == "bar" and above["base"] == below["y"]
    assert below["offset"] == above["offset"] and set(above["y"]) == {1.0}


def test_bars_at_the_edges_are_whole(times):
    canvas = plots.draw(times)
    low, high = canvas.axes[0].get_xlim()
    assert low <= 0.5 and high >= 10.5 and canvas.axes[0].get_ylim()[0] == 0
    plt.close(canvas)


def test_without_steps_there_is_nothing_to_show():
    figure = ranks_figures.rank_times(source([on_gpus(1)]), title="T", type="z", solver=B)
    assert figure.panels == []
