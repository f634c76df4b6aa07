# SPDX-License-Identifier: BSD-3-Clause
"""scripts/equal_lines.py on a repository of its own."""

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "scripts/equal_lines.py"
EIGHT = [f"step({k});" for k in range(8)]


def found(folder: Path, files: dict[str, list[str]]) -> tuple[int, list[str]]:
    """The exit code and the lines that the script prints of a repository of these files."""
    for name, lines in files.items():
        (folder / name).write_text("\n".join(lines) + "\n")
    for command in (["init", "-q"], ["add", "-A"]):
        subprocess.run(["git", *command], cwd=folder, check=True)
    done = subprocess.run([sys.executable, SCRIPT], cwd=folder, capture_output=True, text=True, check=False)
    assert not done.stderr
    return done.returncode, done.stdout.splitlines()


def test_a_run_between_files_is_printed_once_in_its_full_length(tmp_path):
    run = [*EIGHT, "last();"]
    code, lines = found(tmp_path, {"a.cpp": ["a();", *run, "b();"], "b.py": run})
    assert (code, lines) == (1, ["9 equal lines: a.cpp:2-10 and b.py:1-9"])


def test_blanks_includes_and_closing_braces_do_not_hide_a_run(tmp_path):
    other = [f"  {text}" for text in EIGHT[:4]] + ["", "#include <new>", "}", "}  // namespace a", *EIGHT[4:]]
    assert found(tmp_path, {"a.cpp": [*EIGHT, "a();", *other]}) == (1, ["8 equal lines: a.cpp:1-8 and a.cpp:10-21"])


def test_seven_equal_lines_and_other_files_are_fine(tmp_path):
    files = {"a.cpp": EIGHT[:7], "b.cpp": EIGHT[:7], "CMakeLists.txt": EIGHT, "golden.txt": EIGHT}
    assert found(tmp_path, files) == (0, [])
