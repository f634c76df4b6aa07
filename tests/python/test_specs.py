# SPDX-License-Identifier: BSD-3-Clause
"""The experiment specs: the paper's sizes, small scales for small machines, and reports that the analysis can build."""

import inspect
import json
import re

import jsonschema
import pytest
from pivotlab_analysis import Library, exhibits
from pivotlab_analysis.exhibits.gsvd.solvers import FAMILIES
from pivotlab_analysis.exhibits.ldlt.solvers import PIVOTINGS
from pivotlab_analysis.exhibits.ldlt.tables import COUNTS
from pivotlab_analysis.records import Run

from conftest import ROOT

SPECS = {
    path.stem: json.loads(path.read_text(encoding="utf-8")) for path in (ROOT / "experiments/specs").glob("*.json")
}
FACTORIZATIONS = "speed accuracy hadamard clement real alpha-table alpha hilbert storage gjg ties"
THESIS = [f"ldlt-{name}" for name in FACTORIZATIONS.split()]
POSTER = [f"eig-{name}" for name in ("speed", "accuracy", "normality", "sweeps", "ablation", "graded", "real")]
SPEEDS = ["eigh-speed", "hsvd-speed"]
OVER_RANKS = [f"table{i}" for i in range(8, 12)]
PAPER = [f"table{i}" for i in range(2, 7)] + [f"figure{i}" for i in range(2, 6)]


def sizes(axis):
    """What an axis of n stands for."""
    values = []
    for item in axis if isinstance(axis, list) else [axis]:
        first, last, step = (
            ([int(x) for x in str(item).split(":")] + [0, 1])[:3] if ":" in str(item) else (int(item), int(item), 1)
        )
        values += range(first, last + 1, step)
    return values


def test_all_experiments_have_specs():
    assert set(SPECS) >= {*PAPER, "table7", *OVER_RANKS, *THESIS, *POSTER, *SPEEDS, "quick", "graded", "speed", "real"}


@pytest.mark.parametrize("name", sorted(SPECS))
def test_name_is_the_files_name(name):
    spec = SPECS[name]
    assert spec["schema"] == "pivotlab/spec/1" and spec["name"] == name and spec["title"]
    named = name.removeprefix("others-")
    assert spec["method"] == next((m for m in ("ldlt", "eigh", "eig", "hsvd", "ghsvd") if named.startswith(m)), "gsvd")
    assert set(spec["scales"]) == {"quick", "small", "paper"}


@pytest.mark.parametrize("name", sorted(SPECS))
def test_spec_follows_the_schema_of_the_engine(name):
    schema = ROOT / "experiments" / "spec.schema.json"
    if not schema.is_file():
        pytest.skip("no experiments/spec.schema.json")
    jsonschema.Draft202012Validator(json.loads(schema.read_text(encoding="utf-8"))).validate(SPECS[name])


@pytest.mark.parametrize("name", PAPER)
def test_paper_experiments_have_the_papers_sizes_and_small_scales(name):
    spec = SPECS[name]
    assert sizes(spec["axes"]["n"]) == list(range(512, 9729, 512))
    assert max(sizes(spec["scales"]["quick"]["axes"]["n"])) <= 128
    assert max(sizes(spec["scales"]["small"]["axes"]["n"])) <= 512
    assert spec["published"] == name and spec["scales"]["paper"] == {}


@pytest.mark.parametrize("name", OVER_RANKS)
def test_experiments_over_ranks_are_the_papers_and_have_a_scale_for_two_cores(name):
    spec, paper = SPECS[name], Library()[name]
    assert set(spec["axes"]["n"]) == set(paper.frame["n"]) and spec["axes"]["type"] == ["z"]
    own, *others = spec["axes"]["solver"]
    assert own == paper.meta["solver"].replace("ZHZ", "?HZ") + ";w=32"
    assert others == ([own + ";pairs=once"] if name == "table9" else [])
    assert spec["axes"]["ranks"] == [1, 2, 4] and spec["published"] == name
    assert max(sizes(spec["scales"]["quick"]["axes"]["n"])) <= 192
    assert max(sizes(spec["scales"]["small"]["axes"]["n"])) <= 512


def test_single_gpu_experiment_is_the_papers():
    assert SPECS["table7"]["axes"]["n"] == [18432]
    assert {len(SPECS["table7"]["axes"]["solver"])} == {2}


def test_thesis_experiments_have_the_thesis_matrices():
    assert SPECS["ldlt-hadamard"]["axes"]["n"] == SPECS["ldlt-clement"]["axes"]["n"] == [1024]
    assert SPECS["ldlt-accuracy"]["axes"]["seed"] == ["1:3"]
    assert 2000 in SPECS["ldlt-hilbert"]["axes"]["n"]
    real = SPECS["ldlt-real"]["axes"]
    assert "file:$PIVOTLAB_DATA/astro-ph.mtx.gz" in real["generator"]
    assert {6245, 22283} <= set(real["n"])
    table = SPECS["ldlt-alpha-table"]["axes"]
    assert dict(zip(table["generator"], table["n"], strict=True))["equidistant"] == 3000


@pytest.mark.parametrize("name", THESIS + POSTER)
def test_scales_of_zipped_axes_keep_their_lengths(name):
    for scale in ({}, *SPECS[name]["scales"].values()):
        axes = SPECS[name]["axes"] | scale.get("axes", {})
        for group in SPECS[name].get("zip", []):
            assert len({len(axes[axis]) for axis in group}) == 1


@pytest.mark.parametrize("name", sorted(SPECS))
def test_report_of_a_run_without_records_invents_nothing(name, tmp_path):
    section = exhibits.build_section(Run(tmp_path, {"spec": SPECS[name]}, []), Library())
    assert section.tables or section.figures
    for table in section.tables:
        own = [j for j, column in enumerate(table.columns) if column.label.startswith("measured")]
        assert all(row[j] == "not run" for row in table.rows for j in own)
    for figure in section.figures:
        assert all(line.role in ("published", "bound") for panel in figure.panels for line in panel.series)
    assert exhibits.judge([section]).sentence == "Nothing was run."


@pytest.mark.parametrize("name", sorted(SPECS))
def test_published_numbers_of_reports_exist(name):
    text = json.dumps(SPECS[name])
    for published in re.findall(r'"(?:published|maxima)": "([\w-]+)"', text):
        assert published in Library().names


EXHIBITS = json.loads((ROOT / "experiments/exhibits.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("part", "builders"), [("tables", exhibits.TABLES), ("figures", exhibits.FIGURES)])
def test_the_engine_knows_the_kinds_of_the_analysis_and_their_options(part, builders):
    def options(builder):
        parameters = list(inspect.signature(builder).parameters.values())[1:]
        return {f"{p.name}{'' if p.default is p.empty else '?'}" for p in parameters}

    assert {kind: set(known) for kind, known in EXHIBITS[part].items()} == {
        kind: options(builder) for kind, builder in builders.items()
    }


def test_the_choices_that_the_engine_knows_are_those_of_the_analysis():
    kinds = EXHIBITS["tables"] | EXHIBITS["figures"]
    assert tuple(EXHIBITS["tables"]["accuracy-graded"]["bounded?"]["choices"]) == FAMILIES
    assert set(kinds["ldlt-sheet"]["agree?"]["choices"]) == set(COUNTS)
    assert set(kinds["ldlt-alpha"]["pivoting"]["choice"]) == set(PIVOTINGS)
