#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Run the commands of README.md in the order of the page, in a fresh folder: check.py [README]

`pivotlab` and `python` are those beside the Python that runs this script. The text block below a command is what it
must print: words and integers as they are, other numbers within a factor of a hundred, because the page shows
magnitudes of rounding errors. Commands that set the project up (./test, ./reproduce, pip install) are only looked for.
"""

import math
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NUMBER = re.compile(r"~?\d+(\.\d+)?(e[-+]\d+)?")
SPREAD = 2  # decades


def commands(page: str):
    """Yield (command, is Python, the text shown below it) of every block and of inline code that calls pivotlab."""
    pattern = r"^```(\w+)\n(.*?)^```|^((?: {4}[^\n]*\n)+)|`(pivotlab [^`]*)`"
    found = list(re.finditer(pattern, page, re.MULTILINE | re.DOTALL))
    for place, block in enumerate(found):
        following = found[place + 1] if place + 1 < len(found) else None
        shown = following[2] if following and following[1] == "text" else ""
        if block[1] == "python":
            yield block[2], True, shown
        elif block[1] != "text":
            lines = (block[2] or block[3] or block[4]).strip().splitlines()
            for line in lines:
                yield line.strip(), False, shown if line is lines[-1] else ""


def agrees(word: str, printed: str) -> bool:
    if word == printed or set(word) == set(printed) == {"-"}:
        return True
    if not (NUMBER.fullmatch(word) and NUMBER.fullmatch(printed) and re.search("[.e]", word)):
        return False
    a, b = (float(text.lstrip("~")) for text in (word, printed))
    return a == b or (a > 0 and b > 0 and abs(math.log10(a / b)) <= SPREAD)


def differences(shown: str, printed: str) -> list[str]:
    """Return the lines of `shown` that the command has not printed, in this order."""
    lines, missing = iter(printed.splitlines()), []
    for line in shown.splitlines():
        words = line.split()
        if not any(len(words) == len(row.split()) and all(map(agrees, words, row.split())) for row in lines):
            missing.append(line)
            break
    return missing


def check(command: str, is_python: bool, shown: str, folder: Path, environment: dict[str, str]) -> str:
    """Return what is wrong, or nothing."""
    program = command.split()[0]
    if program.startswith("./"):
        return "" if os.access(ROOT / program, os.X_OK) else "no such program"
    if program == "pip":
        extra = re.search(r"\[(\w+)\]", command)[1]
        return "" if f"\n{extra} = [" in (ROOT / "pyproject.toml").read_text() else "no such extra"
    if "fast-speed" in command:  # a picture's experiment, which needs a GPU
        command = "pivotlab plan fast-speed"
    arguments = [sys.executable, "-c", command] if is_python else ["bash", "-c", command]
    done = subprocess.run(arguments, cwd=folder, env=environment, capture_output=True, text=True)
    if done.returncode != 0 and not (done.returncode == 1 and "incorrect" in shown):
        return f"exit code {done.returncode}: {done.stderr[-2000:]}"
    missing = differences(shown, done.stdout)
    return f"it does not print '{missing[0]}' but\n{done.stdout}" if missing else ""


def main(page: Path) -> int:
    environment = os.environ | {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "CUDA_VISIBLE_DEVICES": "",
    }
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        for command, is_python, shown in commands(page.read_text(encoding="utf-8")):
            fault = check(command, is_python, shown, Path(folder), environment)
            print(
                "FAILED" if fault else "passed",
                command.splitlines()[0],
                f"\n{fault}" if fault else "",
            )
            faults += bool(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "README.md"))
