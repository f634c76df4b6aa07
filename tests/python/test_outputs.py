# SPDX-License-Identifier: BSD-3-Clause
"""The HDF5 files that `pivotlab solve` and `pivotlab generate` write: all groups, datasets and attributes, bit by bit.

After a wanted change: python tests/python/test_outputs.py, then read the difference of outputs.json.
"""

import hashlib
import json
import os
import subprocess
import tempfile
from pathlib import Path

import h5py
import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("PIVOTLAB_PROGRAM", ROOT / "build/release/bin/pivotlab"))
COMMITTED = Path(__file__).with_name("outputs.json")
VARYING = {"compute_seconds", "seconds", "commit", "version"}

# Variants whose arithmetic is all our own, so that bits do not depend on a library.
SESSIONS = {
    "gsvd": ("gsvd paper", "gsvd {}.h5 --variant {}HZ0-(ME-FB-ME)"),
    "ldlt": ("ldlt random", "ldlt {}.h5 --pivot RK"),
    "ldlt-complete": ("ldlt random", "ldlt {}.h5 --pivot BP --alpha 0.25"),
    "eig": ("eig grcar", "eig {}.h5 --solver ZEIG-(RR);b=8;finish --left --conditions --form"),
    "eigh": ("eigh random", "eigh {}.h5 --variant HEV-CP-ME-BO"),
    "hsvd": ("hsvd random", "hsvd {}.mtx --variant HSVD-ME-BO"),
    "ghsvd": ("ghsvd random", "ghsvd {}.h5 --variant GHSVD-HZ-ME-PT"),
}


def run(*arguments: str, folder: Path) -> None:
    host = os.environ | {"CUDA_VISIBLE_DEVICES": ""}
    done = subprocess.run([PROGRAM, *arguments], cwd=folder, capture_output=True, text=True, env=host)
    assert done.returncode == 0, done.stderr


def contents(file: Path) -> dict[str, object]:
    """Every object's attributes, type, shape and digest of its bytes; of VARYING only that they are there."""

    def value(attributes, name):
        read = attributes[name]
        return "…" if name in VARYING else read.decode() if isinstance(read, bytes) else read.tolist()

    found = {}

    def visit(name: str, entry) -> None:
        line = {"attributes": {key: value(entry.attrs, key) for key in sorted(entry.attrs)}}
        if isinstance(entry, h5py.Dataset):
            digest = "…" if name.rpartition("/")[2] in VARYING else hashlib.sha256(entry[()].tobytes()).hexdigest()
            line |= {"type": str(entry.dtype), "shape": list(entry.shape), "sha256": digest}
        found[name] = line

    with h5py.File(file) as h5:
        visit("/", h5)
        h5.visititems(visit)
    return found


def written(folder: Path) -> dict[str, dict[str, object]]:
    """What all sessions write, with real and with complex numbers."""
    files = {}
    for name, (problem, solve) in SESSIONS.items():
        for letter in "dz":
            given = f"{name}-{letter}"
            suffix = ".mtx" if ".mtx" in solve else ".h5"
            run("generate", *problem.split(), "-n", "12", "--type", letter, "-o", given + suffix, folder=folder)
            command = solve.format(given, letter.upper()).split()
            run("solve", *command, "-o", f"{given}-solved.h5", folder=folder)
            for file in (given, f"{given}-solved"):
                path = folder / f"{file}.h5"
                if path.exists():
                    files[file] = contents(path)
    return files


@pytest.mark.skipif(not PROGRAM.exists(), reason=f"no {PROGRAM}")
def test_files_are_those_that_were_written_before(tmp_path):
    committed = json.loads(COMMITTED.read_text(encoding="utf-8"))
    now = json.loads(json.dumps(written(tmp_path)))
    assert list(now) == list(committed)
    for file, content in now.items():
        assert content == committed[file], file


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as room:
        COMMITTED.write_text(json.dumps(written(Path(room)), indent=1) + "\n", encoding="utf-8")
