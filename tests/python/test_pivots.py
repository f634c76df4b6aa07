# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of the pivots of a factorization."""

import h5py
import numpy as np
import pytest
from pivotlab_analysis.__main__ import main
from pivotlab_analysis.exhibits.ldlt import pivots


def write(path, rows=(2, 0, 1, 3), subdiagonal=(0.5, 0, 0, 0), schema="pivotlab/ldlt/1", stages=True):
    with h5py.File(path, "w") as file:
        file.attrs["schema"] = np.bytes_(schema)
        file.attrs["solver"] = np.bytes_("LDLT-RK")
        file["permutation"] = np.array(rows, "u8")
        file["D"] = np.column_stack([np.ones(len(rows)), subdiagonal])
        if stages:
            file["stages/first"] = np.array([0, 2, 3], "u8")
            file["stages/growth"] = [1.0, 2.0, 0.5]
    return path


def test_pivots_of_a_file(tmp_path):
    own = pivots.read(write(tmp_path / "f.h5"))
    assert own.sizes.tolist() == [2, 2, 1, 1] and own.rows.tolist() == [2, 0, 1, 3]
    figure = pivots.figure(own)
    places, growth = figure.panels
    assert places.title == "2 1×1, 1 2×2" and figure.notes[0].startswith("3 of 4 rows are not in their place")
    points = {series.label: list(zip(series.x, series.y, strict=True)) for series in places.series}
    assert points["2×2"] == [(1, 3), (2, 1)] and points["1×1"] == [(3, 2), (4, 4)]
    assert {series.label: list(series.y) for series in growth.series} == {"1×1": [2.0, 0.5], "2×2": [1.0]}


def test_a_baseline_has_no_growth(tmp_path):
    own = pivots.read(write(tmp_path / "f.h5", subdiagonal=(0, 0, 0.5, 0), stages=False))
    assert own.sizes.tolist() == [1, 1, 2, 2] and len(pivots.figure(own).panels) == 1


@pytest.mark.parametrize("kind", ["png", "svg", "html"])
def test_the_command_draws(tmp_path, kind, capsys):
    out = tmp_path / f"p.{kind}"
    assert main(["pivots", str(write(tmp_path / "f.h5")), "-o", str(out)]) == 0
    assert out.stat().st_size > 1000 and str(out) in capsys.readouterr().out
    assert main(["pivots", str(tmp_path / "f.h5"), "-o", str(out)]) == 2 and "--force" in capsys.readouterr().err


def test_other_files_are_refused(tmp_path, capsys):
    write(tmp_path / "eig.h5", schema="pivotlab/eig/1")
    (tmp_path / "text.h5").write_text("no")
    for name, told in (("none.h5", "no such file"), ("eig.h5", "holds no"), ("text.h5", "cannot be read")):
        assert main(["pivots", str(tmp_path / name), "-o", str(tmp_path / "p.png")]) == 2
        error = capsys.readouterr().err
        assert told in error and error.count("\n") == 1
    assert not (tmp_path / "p.png").exists()
