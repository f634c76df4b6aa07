#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Print the times of a build's commands: sums by folder, and the longest ones.

  scripts/build_times.py [BUILD_FOLDER] [--longest N]

Reads BUILD_FOLDER/.ninja_log (default build/release), where ninja stores the wall time of the latest run of each command.
Their sum is CPU time if each command had its own core and the compiler cache had no hits.
"""

import argparse
import pathlib
import re
from collections import defaultdict


def command_times(log: pathlib.Path) -> dict[str, float]:
    """Return the seconds of the latest command for each output."""
    times = {}
    for line in log.read_text().splitlines()[1:]:
        start, end, _, output, _ = line.split("\t")
        times[output] = (int(end) - int(start)) / 1000
    return times


def folder_of(output: str) -> str:
    """Return the folder of the source: tests/gsvd for tests/gsvd/CMakeFiles/gsvd_test.dir/gsvd_test.cpp.o."""
    source = re.sub(r"CMakeFiles/[^/]*\.dir/", "", output)
    return "/".join(pathlib.PurePath(source).parts[:-1][:2]) or "programs and archives"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "folder", nargs="?", type=pathlib.Path, default=pathlib.Path("build/release")
    )
    parser.add_argument(
        "--longest",
        type=int,
        default=15,
        metavar="N",
        help="how many commands to name (default 15)",
    )
    arguments = parser.parse_args()
    times = command_times(arguments.folder / ".ninja_log")
    folders = defaultdict(list)
    for output, seconds in times.items():
        folders[folder_of(output)].append(seconds)
    print(f"{sum(times.values()):8.1f} s  {len(times):4d} commands")
    for folder, seconds in sorted(folders.items(), key=lambda item: -sum(item[1])):
        print(f"{sum(seconds):8.1f} s  {len(seconds):4d}  {folder}")
    print("\nThe longest")
    for output, seconds in sorted(times.items(), key=lambda item: -item[1])[
        : arguments.longest
    ]:
        print(f"{seconds:8.1f} s  {output}")


if __name__ == "__main__":
    main()
