# SPDX-License-Identifier: BSD-3-Clause
"""Samples of times, and the history of a case."""

import csv
import io
import math

import pytest
from pivotlab_analysis import history
from pivotlab_analysis.__main__ import main
from pivotlab_analysis.records import load_runs

import factory

SOLVER = "DHZ0-(ME-FB-ME)"


def write(folder, commit, started, seconds, status="passed"):
    record = factory.record("quick", SOLVER, 64, wall_s=seconds, status=status)
    record["provenance"] |= {"commit": commit, "started": started, "clean": commit != "b" * 40}
    return factory.write_run(
        folder, factory.spec("quick"), [record, factory.record("quick", SOLVER, 128 + int(seconds))]
    )


@pytest.fixture
def folders(tmp_path):
    later = write(tmp_path / "later", "b" * 40, "2026-11-22T09:00:00Z", 1.0)
    return [later, write(tmp_path / "earlier", "a" * 40, "2026-11-21T09:00:00Z", 4.0)]


def test_a_line_for_each_record_by_its_start(folders):
    (table,) = history.histories(load_runs(folders))  # of the one case that both runs have
    heads = [column.label for column in table.columns]
    assert table.title.startswith("type d, n 64")
    assert [row[heads.index("commit")] for row in table.rows] == ["a" * 12, "b" * 12 + " with changes"]
    assert [row[heads.index("× as fast")] for row in table.rows] == [1, 4]
    assert table.rows[0][heads.index("res F")] == 4e-14


def test_a_case_that_did_not_pass_has_no_factor(tmp_path):
    folders = [
        write(tmp_path / s, "a" * 40, f"2026-11-2{k}", 1.0 + k, s) for k, s in enumerate(("incorrect", "passed"))
    ]
    (table,) = history.histories(load_runs(folders))
    heads = [column.label for column in table.columns]
    assert [row[heads.index("× as fast")] for row in table.rows] == [None, 1]


def test_commands(folders, capsys, tmp_path):
    assert main(["history", *map(str, folders)]) == 0 and "× as fast" in capsys.readouterr().out
    assert main(["history", str(folders[0])]) == 2 and "no case that several" in capsys.readouterr().err
    key = factory.record("quick", SOLVER, 64)["key"]
    assert main(["history", str(folders[0]), "--key", key]) == 0 and "bbbb" in capsys.readouterr().out
    assert main(["samples", *map(str, folders)]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert len(rows) == 4 * 3 and {row["key"] for row in rows} > {key}
    assert [float(row["compute_s"]) for row in rows if row["key"] == key][:3] == pytest.approx([0.9, 1.0, 1.1], rel=0.1)


def record_of(commit, number, solver, n, seconds):
    record = factory.record("quick", solver, n, wall_s=seconds)
    record["provenance"] |= {"commit": commit * 40, "started": f"2026-11-2{number}T09:00:00Z", "clean": True}
    samples = [seconds * (1 + 0.002 * k) for k in (-2, -1, 0, 1, 2)]
    record["time"]["compute_s"] |= {"samples": samples, "median": seconds, "q1": samples[1], "q3": samples[3]}
    record["time"]["flags"] = []
    return record


def write_commits(tmp_path, factors):
    """Runs of five cases at commits 1, 2, …, whose times are as many times those of the first."""
    folders = []
    for number, factor in enumerate(factors, start=1):
        cases = [record_of(str(number), number, SOLVER, 32 * k, 0.1 * k * factor) for k in range(1, 6)]
        others = [record_of(str(number), number, "lapack:dggsvd3", 32 * k, 0.2 * k) for k in range(1, 6)]
        folders.append(factory.write_run(tmp_path / f"run{number}", factory.spec("quick"), [*cases, *others]))
    return load_runs(folders)


def test_an_overview_marks_changes(tmp_path):
    table = history.overview(write_commits(tmp_path, [1, 1.004, 0.8, 0.801, 1.1]))
    heads = [column.label for column in table.columns]
    assert heads == ["solver", "cases", *(str(k) * 12 for k in range(1, 6))]
    assert table.rows[0] == [SOLVER, 5, "1.000", "1.004", "0.800 faster!", "0.801", "1.100 slower!"]
    assert table.rows[1] == ["lapack:dggsvd3", 5, *["1.000"] * 5]


def test_an_overview_takes_no_disturbed_time(tmp_path):
    runs = write_commits(tmp_path, [1, 2])
    for record in runs[1].records:
        record["time"]["flags"] = ["loaded"]
    assert [row[2:] for row in history.overview(runs).rows] == [["1.000", None]] * 2
    assert history.overview(runs[:1]) is None


def test_an_overview_without_changes_has_few_marks():
    import random

    chance = random.Random(1)
    marked = 0
    for _ in range(300):
        before, after = ({str(k): (math.exp(chance.gauss(0, 0.005)), 0.005) for k in range(8)} for _ in range(2))
        mean, probability = history.change(before, after)
        marked += probability <= history.FALSE_ALARMS and abs(mean) >= history.LEAST_CHANGE
    assert marked <= 3
