# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of parallel strategies, and what is refused in files of them."""

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest
from pivotlab_analysis import plots
from pivotlab_analysis.__main__ import main
from pivotlab_analysis.errors import InputError
from pivotlab_analysis.pictures import orderings, sweep

from test_pictures import overlapping

SIX = "0 5 1 2 3 4\n0 4 1 3 2 5\n\n0 3 1 5 2 4  # the third\n0 2 1 4 3 5\n0 1 2 3 4 5\n"
TWICE = "0 3 1 2\n1 3 0 2\n2 3 0 1\n0 3 1 2\n"


def file_of(folder: Path, text: str) -> Path:
    path = folder / "mine.txt"
    path.write_text(text)
    return path


def test_a_strategy_is_read_and_written_again(tmp_path):
    own = orderings.read(file_of(tmp_path, SIX))
    assert (own.name, own.order, len(own.steps), own.repeated) == ("mine", 6, 5, 0)
    assert own.first[1, 3] == 1 and own.steps[2] == [(0, 3), (1, 5), (2, 4)]
    again = orderings.read(file_of(tmp_path, orderings.text(own)))
    assert again == own


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "mine.txt: no pairs; "),
        ("0 1 2", "mine.txt:1: 3 numbers make no pairs; "),
        ("0 1\n0 a", "mine.txt:2: 'a' is not a column; "),
        ("0 -1", "mine.txt:1: '-1' is not a column; "),
        ("0 1 1 2", "mine.txt:1: column 1 is in two pairs of this step; "),
        ("2 2", "mine.txt:1: 2 2 is not a pair; "),
        ("0 1\n\n1 0", "mine.txt:3: pair 0 1 was met in line 1; "),
        ("0 1 2 3\n0 2 1 3", "mine.txt: pair 0 3 of order 4 is missing; "),
        ("0 999999999", "mine.txt:1: column 999999999: at most 256 columns can be drawn"),
    ],
)
def test_a_wrong_file_is_refused_with_its_place(tmp_path, text, complaint):
    with pytest.raises(InputError) as error:
        orderings.read(file_of(tmp_path, text))
    assert str(error.value).startswith(f"{tmp_path}/{complaint}")


def test_only_own_strategies_may_repeat_pairs(tmp_path):
    path = file_of(tmp_path, TWICE)
    with pytest.raises(InputError, match="mine.txt:4: pair 0 3 was met in line 1; meet each pair once"):
        orderings.read(path)
    assert orderings.read(path, "MM").repeated == 2


@pytest.mark.parametrize("width", plots.WIDTHS)
@pytest.mark.parametrize("text", [SIX, TWICE], ids=["cyclic", "quasi-cyclic"])
def test_the_matrix_has_every_pair_in_the_colour_of_its_step(tmp_path, text, width):
    own = orderings.read(file_of(tmp_path, text), "MM")
    canvas = sweep.draw(own, plots.WIDTHS[width])
    steps = np.asarray(canvas.axes[0].images[0].get_array())
    assert steps[0, own.order - 1] == steps[own.order - 1, 0] == 1
    assert np.isfinite(steps).sum() == own.order * (own.order - 1)
    assert len(canvas.axes[1].collections[0].get_segments()) == sum(map(len, own.steps))
    assert overlapping(canvas) == [] and canvas.get_figwidth() == pytest.approx(plots.WIDTHS[width])


def test_the_animation_is_valid_and_shows_all_pairs_without_it(tmp_path):
    own = orderings.read(file_of(tmp_path, SIX))
    root = ElementTree.fromstring(sweep.animated(own))
    groups = root.findall("{http://www.w3.org/2000/svg}g")
    assert [group.get("id") for group in groups] == [f"s{k}" for k in range(5)]
    paths = [group[0].get("d") for group in groups]
    assert [path.count("M") for path in paths] == [6] * 5 and all("opacity" not in group.attrib for group in groups)
    assert sum(f"@keyframes s{k}{{" in root.find("{http://www.w3.org/2000/svg}style").text for k in range(5)) == 5


def test_the_command_writes_pictures_and_the_file_itself(tmp_path, capsys):
    path = file_of(tmp_path, SIX)
    for name, words in {"a.png": [], "a.svg": ["--animate"], "a.html": [], "a.txt": []}.items():
        assert main(["strategy", "-o", str(tmp_path / name), *words, "--", str(path)]) == 0
    assert (tmp_path / "a.html").read_text().count("<svg") == 1
    assert main(["strategy", "--animate", "-o", str(tmp_path / "b.png"), "--", str(path)]) == 2
    assert main(["strategy", "--force", "-o", str(path), "--", str(path)]) == 2
    assert main(["strategy", "--", str(tmp_path / "none")]) == 2
    errors = capsys.readouterr().err.splitlines()
    assert len(errors) == 3 and "is not a .svg or .html file" in errors[0] and "is an input" in errors[1]
    assert "cannot be read: No such file" in errors[2] and path.read_text() == SIX
