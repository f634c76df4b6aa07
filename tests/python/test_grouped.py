# SPDX-License-Identifier: BSD-3-Clause
"""Tables on demand over several runs."""

import pytest
from pivotlab_analysis import grouped
from pivotlab_analysis.__main__ import main
from pivotlab_analysis.errors import InputError
from pivotlab_analysis.remarks import has_mark

from test_pictures import LIBRARY, OWN, sweep


def cells(table):
    return {tuple(row[:2]): row[2:] for row in table.rows}


def test_two_folders_are_one_set_of_cases(tmp_path):
    runs = [*sweep(tmp_path / "a", sizes=(64,)), *sweep(tmp_path / "b", "more", sizes=(128,))]
    table, environments = grouped.tables(runs, ["n", "solver"], ["time", "error"])
    assert [row[:2] for row in table.rows][:3] == [[64, OWN], [64, "DHZ0-(MM-FB-ME)"], [64, "LAPACK dggsvd3"]]
    assert cells(table)[128, OWN] == pytest.approx([2e-8 * 128**3, 1.28e-14], rel=1e-9)
    assert len(table.columns) == 4 and "Medians over generator (2), seed (3)." in table.notes
    assert [column.label for column in environments.columns] == ["", "sweep", "more"]
    assert ["Cores", "2", "2"] in environments.rows


def test_machines_stand_side_by_side(tmp_path):
    runs = [*sweep(tmp_path / "a", seeds=(1,)), *sweep(tmp_path / "b", seeds=(2,), sizes=(64,))]
    for record in runs[1].records:
        record["environment"] |= {"cpu": "AMD EPYC", "cores": 64}
    table, environments = grouped.tables(runs, ["n", "solver"], ["time"])
    assert [column.group for column in table.columns[2:]] == ["EPYC, 64 cores", "Xeon Gold 6140, 2 cores"]
    assert cells(table)[64, OWN] == pytest.approx([2e-8 * 64**3, 1e-8 * 64**3])
    assert cells(table)[128, OWN][0] == "not run"
    assert [column.label for column in environments.columns[1:]] == ["a/sweep", "b/sweep"]
    (alone, _) = grouped.tables(runs, ["machine", "solver"], ["time"])
    assert len(alone.columns) == 3 and len(alone.rows) == 6


def test_commits_of_a_folder_that_has_grown_are_named(tmp_path):
    runs = sweep(tmp_path, seeds=(1, 2), generators=("paper",))
    for record in runs[0].records:
        record["provenance"]["commit"] = ("a" if record["case"]["seed"] == 1 else "b") * 40
    half = len(runs[0].records) // 2
    (table,) = grouped.tables(runs, ["n", "solver"], ["time"])
    assert table.notes[-1] == (
        f"sweep has cases of several commits: {half} of commit {'a' * 12}, {half} of commit {'b' * 12}."
    )
    (alike,) = grouped.tables(sweep(tmp_path / "alike"), ["n", "solver"], ["time"])
    assert not any("several commits" in note for note in alike.notes)


def test_marks_of_times_stay(tmp_path):
    runs = sweep(tmp_path, seeds=(1,), generators=("paper",))
    for record in runs[0].records:
        record["time"]["flags"] = ["noisy"]
    (table,) = grouped.tables(runs, ["n", "solver"], ["time"], [f"solver={LIBRARY}"])
    assert all(has_mark(row[2], "~") for row in table.rows) and len(table.rows) == 4


@pytest.mark.parametrize(
    ("by", "values", "complaint"),
    [
        (["size"], ["time"], "--by: no column 'size'"),
        (["n"], ["solver"], "--value: 'solver' is not a number"),
        (["n"], ["n"], "--value: n is a column of --by; name another one"),
    ],
)
def test_wrong_columns_are_refused(tmp_path, by, values, complaint):
    with pytest.raises(InputError) as error:
        grouped.tables(sweep(tmp_path), by, values)
    assert str(error.value).startswith(complaint)


def test_the_command_prints_every_format(tmp_path, capsys):
    (run,) = sweep(tmp_path, seeds=(1,))
    for kind, start in {
        "text": "Medians by",
        "markdown": "**Medians",
        "csv": "n,solver,time s",
        "latex": "",
        "html": "",
    }.items():
        assert main(["table", "--by", "n,solver", "--value", "time", "--format", kind, "--", str(run.path)]) == 0
        assert capsys.readouterr().out.startswith(start)
