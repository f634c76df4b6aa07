# SPDX-License-Identifier: BSD-3-Clause
"""The examples and the guide's lines run."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
GUIDE = ROOT / "docs" / "guide" / "examples.md"


# The same lines and pictures, of smaller sweeps.
SMALLER = {
    "out=folder": "repeat=1, out=folder",
    "[64, 128, 256]": "[64, 100, 128]",
    "seed=[1, 2, 3]": "seed=[1, 2]",
    "n=150": "n=50",
}


def form(line: str) -> str:
    """A line without its numbers."""
    return re.sub(r"[-+.e\d]+", "", line)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs(example, tmp_path):
    text = example.read_text()
    for size, smaller in SMALLER.items():
        text = text.replace(size, smaller)
    (tmp_path / example.name).write_text(text)
    command = [sys.executable, example.name] + (["."] if "argv" in text else [])
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("\n") >= 5
    pictures = [path.name for path in tmp_path.glob("*.png")]
    assert ("savefig" in text) == bool(pictures)
    shown = GUIDE.read_text().partition(f"    python examples/{example.name}\n")[2]
    assert all(f"](examples/{name})" in shown for name in pictures)
    lines = re.search(r"```text\n(.*?)```", shown, re.DOTALL)[1].splitlines()
    assert [line for line in lines if form(line) not in set(map(form, done.stdout.splitlines()))] == []


def test_there_are_five():
    assert len(EXAMPLES) == 5


def test_the_guides_sweep_runs(tmp_path, monkeypatch):
    pytest.importorskip("matplotlib").use("Agg")
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "guide" / "python.md").read_text(), re.DOTALL)
    sweep = next(block for block in blocks if "run.report" in block)
    exec(sweep.replace("[64, 128, 192]", "[16, 24]"), {})
    assert (tmp_path / "report.html").exists() and list((tmp_path / "figures").glob("*.png"))


def test_every_function_is_in_the_guide():
    import pivotlab

    guide = (ROOT / "docs" / "guide" / "python.md").read_text()
    names = [name for name in pivotlab.__all__ if name[0].islower()]
    assert [name for name in names if name not in guide and name != "program"] == []
    assert [name for name in names if not getattr(pivotlab, name).__doc__] == []
