#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Find comments that begin with words that make them incomplete sentences, and long lines of ARCHITECTURE.md.

    scripts/prose_check.py [FOLDER…]

The default folders are those of the library. Prints file:line for every violation; the exit status is 1 if there are any.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = (
    "include",
    "kernels",
    "variants",
    "support",
    "generators",
    "benchmarks",
)
SOURCES = {".hpp", ".cpp", ".cu", ".c"}
FRAGMENT = re.compile(
    r"//[/<]* (?:Likewise|Of (?!course)|Told|Tells|What(?!ever\w)|Whoever|For whoever)\b"
)
COMMENT_BEFORE = re.compile(r"^\s*//")
LONGEST_LINE, MOST_LINES = 140, 150


def fragments(path: Path) -> list[int]:
    """Return the lines on which a comment begins with such a word."""
    before, found = "", []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        begins = (
            not COMMENT_BEFORE.match(line)
            or not COMMENT_BEFORE.match(before)
            or before.strip() in ("//", "///")
        )
        if begins and FRAGMENT.search(line) and '"' not in line.split("//")[0]:
            found.append(number)
        before = line
    return found


def main(folders: list[str]) -> int:
    paths = (
        path
        for folder in folders
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in SOURCES
    )
    found = [
        f"{path.relative_to(ROOT)}:{line}: the comment is no sentence"
        for path in paths
        for line in fragments(path)
    ]
    lines = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        if len(line) > LONGEST_LINE:
            found.append(
                f"ARCHITECTURE.md:{number}: more than {LONGEST_LINE} characters"
            )
    if len(lines) > MOST_LINES:
        found.append(f"ARCHITECTURE.md: more than {MOST_LINES} lines")
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or list(FOLDERS)))
