# SPDX-License-Identifier: BSD-3-Clause
"""The published numbers: whole, consistent with each other, and as the paper states them elsewhere in its text."""

import json
import math

import pandas as pd
import pytest
from pivotlab_analysis import InputError, Library
from pivotlab_analysis.methods import METHODS
from pivotlab_analysis.selection import Source
from pivotlab_analysis.tables import others

from conftest import ROOT

SIZES = list(range(512, 9729, 512))
ALL = ["table2", "table3", "table4", "table5", "table6", "table7", "table8", "table9", "table10", "table11"] + [
    f"figure{i}" for i in (2, 3, 4, 5)
]

POSTER = ["eig-accuracy", "eig-geev"]
THESIS = ["ldlt-alpha-table", "ldlt-hilbert", "ldlt-sheets"]
SMALL = [f"others-{method}-small" for method in ("eig", "eigh", "hsvd", "ldlt")]
OTHERS = ["others-eig-cusolver", "others-eigh-cusolver", "others-ldlt-growth", "others-ldlt-multipliers", *SMALL]


@pytest.fixture
def library():
    return Library()


def test_every_published_table_is_there(library):
    assert library.names == sorted(ALL + THESIS + POSTER + OTHERS)


@pytest.mark.parametrize("name", ["figure2", "figure3", "figure4", "figure5", "table4", "table5"])
def test_tables_over_the_small_dataset_have_its_19_sizes(library, name):
    assert library[name].frame["n"].tolist() == SIZES


@pytest.mark.parametrize("name", ["table2", "table3"])
def test_averages_of_slowdowns_lie_between_the_extremes(library, name):
    frame = library[name].frame
    assert (frame["slowdown_min"] < frame["slowdown_avg"]).all()
    assert (frame["slowdown_avg"] < frame["slowdown_max"]).all()
    reference = int(library[name].meta["reference"][3])
    assert sorted([*frame["id"], reference]) == list(range(8))


def test_speedups_that_the_paper_states_follow_from_tables_7_and_9(library):
    baseline = library["table7"].frame["wall_s"].min()
    rows = library["table9"].frame.query("n == 18432")
    assert [round(baseline / t, 2) for t in rows["wall_s"]] == [1.28, 1.90, 2.66]


def test_smallest_errors_of_table_6_are_those_of_enhanced_dot_products(library):
    frame = library["table6"].frame.set_index("id")
    assert frame["residual_f_d"].idxmin() == 5
    assert frame["residual_f_z"].idxmin() in (3, 7) and frame["residual_g_z"].idxmin() in (1, 5)
    assert frame["residual_g_d"].idxmin() == 2


def test_digits_stay_as_printed():
    text = (ROOT / "experiments/published/figure3.json").read_text(encoding="utf-8")
    assert "[7168, 109.60]" in text and "[6656, 92.670]" in text
    assert "1.90070e6" in (ROOT / "experiments/published/figure4.json").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ALL)
def test_every_table_names_its_source_and_units(library, name):
    data = json.loads((library.folder / f"{name}.json").read_text(encoding="utf-8"))
    assert data["source"]["title"].startswith("An implicit Hari–Zimmermann algorithm")
    assert data["source"]["item"].lower().replace(" ", "").startswith(name)
    assert all(len(row) == len(data["columns"]) for row in data["rows"])
    timed = [c["unit"] for c in data["columns"] if c["name"] == "wall_s"]
    assert timed in ([], ["s"]) and (not timed or "V100" in data["hardware"])


@pytest.mark.parametrize("name", THESIS)
def test_tables_of_the_thesis_name_source_and_hardware(library, name):
    data = json.loads((library.folder / f"{name}.json").read_text(encoding="utf-8"))
    assert data["source"]["authors"] == "A. Kruchinina" and data["hardware"] == "NVIDIA Tesla S2050"
    assert data["name"] == name and all(len(row) == len(data["columns"]) for row in data["rows"])


def test_expected_eigendecompositions_are_within_the_poster_s_claim(library):
    frame = library["eig-accuracy"].frame
    assert (frame["residual"] <= 3e-13).all() and (frame["residual_geev"] <= frame["residual"]).all()
    assert library["eig-geev"].column("compute_s")[1024] == 0.285


@pytest.mark.parametrize("name", OTHERS)
def test_tables_of_others_name_their_source_and_say_why_numbers_differ(library, name):
    data = json.loads((library.folder / f"{name}.json").read_text(encoding="utf-8"))
    assert data["name"] == name and data["difference"].endswith(".")
    assert data["source"]["authors"] == ("A. Kruchinina" if data["hardware"] is None else "pivotlab")
    assert [column["name"] for column in data["columns"][:2]] == ["routine", "n"]
    assert all(len(row) == 3 for row in data["rows"])


def test_bounds_of_the_thesis_are_those_of_its_formulas(library):
    alpha = (1 + 17**0.5) / 8
    assert set(library["others-ldlt-multipliers"].frame["max_multiplier"]) == {round(1 / (1 - alpha) + 5e-4, 3)}
    growth = library["others-ldlt-growth"].frame.set_index(["routine", "n"])["max_growth"]
    for n in (50, 100, 200, 400):
        f = math.prod(k ** (1 / (k - 1)) for k in range(2, n + 1))
        assert growth["Bunch", n] == pytest.approx(n**0.5 * f * 3.07 * (n - 1) ** 0.446, rel=1e-3)
        assert growth["2.57^(n − 1)", n] == pytest.approx(2.57 ** (n - 1), rel=1e-4)


def test_published_numbers_of_others_stand_beside_measured_ones(library):
    times = pd.DataFrame({"n": [16, 16, 32, 48], "label": ["a", "b", "a", "a"], "compute_s": [2e-6, 1e-3, 4e-6, 1.0]})
    rest = {"type": "d", "status": "passed", "flags": "", "message": "", "cpu": "c", "gpu": "g"}
    source = Source(METHODS["eigh"], times.assign(**rest), library, "this machine")
    table = others(source, title="T", published="others-eigh-small", value="compute_s")
    assert [row[1:4] for row in table.rows] == [[16, 0.27e-6, "a"], [16, 0.27e-6, "b"], [32, 0.88e-6, "a"]]
    assert [row[4] for row in table.rows] == [2e-6, 1e-3, 4e-6]
    assert [row[5] for row in table.rows] == pytest.approx([2 / 0.27, 1e-3 / 0.27e-6, 4 / 0.88])
    assert table.notes[-1].startswith("The published times are per matrix of a batch")


def test_pivots_of_the_thesis_add_up_to_the_rank(library):
    frame = library["ldlt-sheets"].frame
    assert (frame["pivots_1x1"] + 2 * frame["pivots_2x2"] == frame["rank"]).all()
    assert (frame["swaps_2x2"] <= 2 * frame["pivots_2x2"]).all() and (frame["swaps_1x1"] <= frame["pivots_1x1"]).all()


def test_usual_alpha_gives_the_errors_of_the_data_sheets(library):
    frame, sheets = library["ldlt-alpha-table"].frame, library["ldlt-sheets"].column("residual", "matrix")
    assert len(frame) == 9 and frame["alpha"].isna().sum() == 1
    usual = frame[frame["alpha"].isna()].iloc[0]
    for name in ("astro-ph", "alemdar"):
        assert usual[name] == pytest.approx(sheets[name], rel=5e-4)


def test_unknown_table_names_those_that_exist(library):
    with pytest.raises(InputError, match=r"table12\.json: no such published table; there are .*table11"):
        library["table12"]
