#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Write docs/reference/command-line.md and docs/reference/generators.md from the sessions in tests/cli/golden, which tests compare with
what the program prints: scripts/session_pages.py [--check]"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SESSIONS = ROOT / "tests" / "cli" / "golden"
REFERENCE = ROOT / "docs" / "reference"


def outputs(session: str) -> dict[str, str]:
    """Return what each command of a session prints."""
    text = (SESSIONS / session).read_text(encoding="utf-8")
    return {match[1]: match[2] for match in re.finditer(r"^\$ (.*)\n((?:(?!\$ |# ).*\n)*)", text, re.MULTILINE)}


def command_line() -> str:
    parts = [
        "# Command line",
        "`scripts/session_pages.py` makes this page from what `--help` prints; change the texts of the commands.",
    ]
    for command, printed in outputs("help.txt").items():
        if command.endswith(" --help"):
            parts += [
                f"## {command.removesuffix(' --help')}",
                f"```text\n{printed.rstrip()}\n```",
            ]
    return "\n\n".join(parts) + "\n"


def generators() -> str:
    _, rule, *lines = outputs("list.txt")["pivotlab list generators"].splitlines()
    ends = [match.span() for match in re.finditer("-+", rule)]
    rows = [[line[start : end if end < len(rule) else None].strip() for start, end in ends] for line in lines]
    parts = [
        "# Generators",
        "`scripts/session_pages.py` makes this page from what `pivotlab list generators` prints; change the rows in `generators/`. "
        "A name with options is `'graded;g=4;side=left'`; formula and source are at the top of the generator's file.",
    ]
    for method in dict.fromkeys(row[0] for row in rows):
        of_method = [row[1:] for row in rows if row[0] == method]
        table = ["| generator or option | default | description |", "|---|---|---|"]
        table += [f"| `{name}` | {cell(default)} | {cell(summary)} |" for name, default, summary in of_method]
        parts += [f"## {method}", "\n".join(table)]
    return "\n\n".join(parts) + "\n"


def cell(text: str) -> str:
    return re.sub(r"([\\`*_|<\[\]])", r"\\\1", text)


def main(check: bool) -> int:
    pages = {
        REFERENCE / "command-line.md": command_line(),
        REFERENCE / "generators.md": generators(),
    }
    changed = [path for path, text in pages.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    for path in changed:
        print(path.relative_to(ROOT))
        if not check:
            path.write_text(pages[path], encoding="utf-8")
    return 1 if check and changed else 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
