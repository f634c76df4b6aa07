# SPDX-License-Identifier: BSD-3-Clause
"""Samples of times, and the history of a case."""

import csv
import io

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
