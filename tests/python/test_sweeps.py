# SPDX-License-Identifier: BSD-3-Clause
"""Figures of a run whose spec asks for none."""

import pytest
from pivotlab_analysis import Library, exhibits
from pivotlab_analysis.records import load_run

import factory


def section_of(folder, records):
    run = load_run(factory.write_run(folder, {"name": "sweep", "method": "gsvd", "report": None}, records))
    return exhibits.build_section(run, Library())


def figures_of(folder, records):
    return {figure.name: figure for figure in section_of(folder, records).figures}


def record(solver, n, **options):
    return factory.record("sweep", solver, n, **options)


def test_time_error_and_speedup_over_n_by_type_and_generator(tmp_path):
    records = [
        record(solver, n, type=type, generator=generator, seed=seed, wall_s=seed * n / (1e3 if ":" in solver else 4e3))
        for type, solvers in {"d": ("DHZ0-(ME-FB-ME)", "lapack:dggsvd3"), "z": ("ZHZ0-(ME-FB-ME)",)}.items()
        for solver in solvers
        for n in (32, 64, 512)
        for generator in ("paper", "random")
        for seed in (1, 2, 3)
    ]
    figures = figures_of(tmp_path, records)
    assert list(figures) == ["time", "error", "speed-up"]
    titles = ["real, paper", "real, random", "complex, paper", "complex, random"]
    assert [panel.title for panel in figures["time"].panels] == titles
    panel = figures["time"].panels[0]
    assert panel.x_label == "n" and panel.x_log and [line.label for line in panel.series][1] == "LAPACK dggsvd3"
    line = panel.series[0]
    assert line.x == [32, 64, 512] and line.y == pytest.approx([2 * n / 4e3 for n in line.x])  # of the median seed
    assert line.low == pytest.approx([n / 4e3 for n in line.x]) and line.high[2] == pytest.approx(3 * 512 / 4e3)
    assert [panel.title for panel in figures["speed-up"].panels] == titles[:2]  # one solver alone has none
    (speedup,) = figures["speed-up"].panels[0].series
    assert speedup.label == "DHZ0-(ME-FB-ME)" and speedup.y == pytest.approx([4, 4, 4]) and speedup.low is None
    assert figures["speed-up"].panels[0].y_label == "times as fast as LAPACK dggsvd3"


def test_headlines_compare_the_first_baseline_with_the_fastest_variant_at_the_largest_common_order(tmp_path):
    times = {"DHZ0-(ME-FB-ME)": (2, 4), "DHZ1-(ME-FB-ME)": (1, 5), "lapack:dggsvd3": (3, 8), "lapack:dsygvd": (1, 2)}
    records = [record(name, n, wall_s=s) for name, own in times.items() for n, s in zip((32, 64), own, strict=True)]
    (table,) = section_of(tmp_path, [*records, record("DHZ0-(ME-FB-ME)", 128, wall_s=9)]).tables
    (line,) = table.headlines
    assert line.value == "8 s → 4 s" and line.text == "LAPACK dggsvd3 → DHZ0-(ME-FB-ME), n = 64: 2× as fast"


def test_headlines_without_a_baseline_compare_the_variants_and_tell_the_largest_rate(tmp_path):
    times = {"DHZ0-(ME-FB-ME)": (2, 4), "DHZ1-(ME-FB-ME)": (1, 5)}
    records = [record(name, n, wall_s=s) for name, own in times.items() for n, s in zip((32, 64), own, strict=True)]
    records[2]["time"]["gflops"] = 8514.0
    (table,) = section_of(tmp_path, records).tables
    assert [(line.value, line.text) for line in table.headlines] == [
        ("5 s → 4 s", "DHZ1-(ME-FB-ME) → DHZ0-(ME-FB-ME), n = 64: 1.25× as fast"),
        ("8514 Gflop/s", "largest rate: DHZ1-(ME-FB-ME), n = 32"),
    ]
    (alone,) = section_of(tmp_path / "alone", records[:1]).tables
    assert alone.headlines == []


def test_rates_of_records_stand_beside_the_peak_of_their_gpu(tmp_path):
    records = [record(solver, n, wall_s=n / 1e3) for solver in ("DHZ0-(ME-FB-ME)", "lapack:dggsvd3") for n in (32, 64)]
    for own in records[:2]:
        own["time"]["gflops"] = 160.0 * own["case"]["n"]
    assert [line.label for line in figures_of(tmp_path, records)["rate"].panels[0].series] == ["DHZ0-(ME-FB-ME)"]
    for own in records[:2]:
        own["environment"]["gpu"] = {"name": "NVIDIA H200"}
    figures = figures_of(tmp_path / "gpu", records)
    assert list(figures) == ["time", "rate", "error", "speed-up"]
    line, peak = figures["rate"].panels[0].series
    assert line.label == "DHZ0-(ME-FB-ME)" and line.y == [160.0 * 32, 160.0 * 64]
    assert peak.label == "peak; 18 % reached" and peak.x == [32, 64] and peak.y == [57e3, 57e3]
    assert any("for each sweep" in note for note in figures["rate"].notes)


def test_an_option_in_the_names_is_the_axis_where_n_does_not_vary(tmp_path):
    names = ("DHZ0-(ME-FB-ME);w=8", "DHZ0-(ME-FB-ME)", "DHZ0-(ME-FB-ME);w=32")
    (panel,) = figures_of(tmp_path / "w", [record(name, 64) for name in names])["time"].panels
    assert panel.x_label == "w" and [line.label for line in panel.series] == ["DHZ0-(ME-FB-ME)"]
    assert panel.series[0].x == [8, 16, 32]  # 16 is the default, which the record has
    pairs = [record("DHZ0-(ME-FB-ME)", 64, generator=f"graded;g={g}") for g in (4, 8)]
    assert figures_of(tmp_path / "g", pairs)["error"].panels[0].series[0].x == [4, 8]


def test_axes_that_vary_for_one_solver_are_in_its_name(tmp_path):
    records = [record("DHZ0-(ME-FB-ME)", n) for n in (32, 64, 32, 64)]
    for place, own in enumerate(records):
        own["case"]["threads"] = 1 + place // 2
        own["key"] = f"{place:032x}"
    (panel,) = figures_of(tmp_path, records)["time"].panels
    assert [line.label for line in panel.series] == ["DHZ0-(ME-FB-ME), threads 1", "DHZ0-(ME-FB-ME), threads 2"]


def test_cases_that_did_not_pass_have_no_time_but_an_error(tmp_path):
    records = [record("DHZ0-(ME-FB-ME)", n, status="incorrect" if n == 64 else "passed") for n in (32, 64)]
    figures = figures_of(tmp_path, records)
    assert figures["time"].panels[0].series[0].x == [32] and figures["error"].panels[0].series[0].x == [32, 64]


def test_without_a_numeric_axis_or_records_there_is_no_figure(tmp_path):
    assert figures_of(tmp_path / "a", [record("DHZ0-(ME-FB-ME)", 32)]) == {}
    assert figures_of(tmp_path / "b", []) == {}
