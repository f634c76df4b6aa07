#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""equal_lines.py [--least N]: find code that stands twice, as runs of at least N equal lines.

Lines are compared without the blanks around them; blank lines, includes, closing braces and Python's docstrings neither
count nor end a run: functions with the same parameters describe them alike.
Every maximal run is printed once, with both places. The exit code is 1 if there is any.
"""

import argparse
import ast
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

SOURCES = ("*.hpp", "*.cpp", "*.cu", "*.cuh", "*.py", "CMakeLists.txt", "*.cmake")
IGNORED = re.compile(r"#\s*include\b.*|[})\];,\s]*(//.*)?")


def docstring_lines(source: str) -> set[int]:
    """The numbers of the lines of docstrings."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, documented)]
    strings = [node.body[0] for node in nodes if ast.get_docstring(node, clean=False) is not None]
    return {number for string in strings for number in range(string.lineno, string.end_lineno + 1)}


def read_lines(files: list[str]) -> list[tuple[str, int, str]]:
    """All lines that count, as (file, number, text); a line of its own ends each file."""
    lines = []
    for file in files:
        source = Path(file).read_text()
        skipped = docstring_lines(source) if file.endswith(".py") else ()
        for number, line in enumerate(source.splitlines(), 1):
            if number not in skipped and not IGNORED.fullmatch(text := line.strip()):
                lines.append((file, number, text))
        lines.append((file, 0, f"end of {file}"))
    return lines


def find_runs(lines: list[tuple[str, int, str]], least: int) -> list[tuple[int, int, int]]:
    """The maximal runs as (first line here, first line there, length); the two do not overlap."""
    texts = [text for _, _, text in lines]
    places = defaultdict(list)
    for i in range(len(texts) - least + 1):
        places[tuple(texts[i : i + least])].append(i)
    runs = []
    for i in range(len(texts)):
        for j in places.get(tuple(texts[i : i + least]), ()):
            if j < i + least or (i > 0 and texts[i - 1] == texts[j - 1]):
                continue  # the same lines, or the rest of a run that began before
            length = least
            while i + length < j and j + length < len(texts) and texts[i + length] == texts[j + length]:
                length += 1
            runs.append((i, j, length))
    return runs


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--least", type=int, default=8, metavar="N", help="lines of a run at least (default: 8)")
    least = parser.parse_args().least
    files = subprocess.run(["git", "ls-files", *SOURCES], capture_output=True, text=True, check=True).stdout.split()
    lines = read_lines(files)
    runs = find_runs(lines, least)
    for i, j, length in runs:
        places = (f"{lines[k][0]}:{lines[k][1]}-{lines[k + length - 1][1]}" for k in (i, j))
        print(f"{length} equal lines: {' and '.join(places)}")
    return 1 if runs else 0


if __name__ == "__main__":
    sys.exit(main())
