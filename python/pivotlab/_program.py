# SPDX-License-Identifier: BSD-3-Clause
"""The command `pivotlab`, which is part of the package."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

from ._conventions import require_text
from ._core import InputError

HOME = Path(__file__).parent / "program"


def program() -> Path:
    """Return the file of the command `pivotlab`. PIVOTLAB_PROGRAM may name another one of the same version.

    Returns
    -------
    Path

    Examples
    --------
    >>> pivotlab.program().name
    'pivotlab'
    """
    return Path(os.environ.get("PIVOTLAB_PROGRAM") or HOME / "bin" / "pivotlab")


def environment() -> dict[str, str]:
    """The environment of the command: `pivotlab report` takes this Python."""
    return {"PIVOTLAB_PYTHON": sys.executable} | os.environ


def main() -> NoReturn:
    """The script `pivotlab` of the package: replaces itself by the command."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # Python ignores it, and the program would inherit that
    os.execve(program(), ["pivotlab", *sys.argv[1:]], environment())


def run(*arguments: str) -> str:
    """Returns what a short command prints. Raises InputError with its last line of errors if it fails."""
    done = subprocess.run([program(), *arguments], capture_output=True, text=True, env=environment())
    if done.returncode:
        raise InputError(last_line(done.stderr))
    return done.stdout


def last_line(text: str) -> str:
    return (text.strip().splitlines() or ["the command failed without a message"])[-1].removeprefix("pivotlab: ")


def listed(topic: str, method: str | None) -> list[dict[str, str]]:
    """The lines of `pivotlab list TOPIC`, of one method."""
    if method is not None:
        require_text("method", method)
    lines = json.loads(run("list", topic, "--format", "json"))
    methods = list(dict.fromkeys(line["method"] for line in lines))
    if method is not None and method not in methods:
        raise InputError(f"method: unknown {method!r}; one of {', '.join(methods)} is expected")
    return [line for line in lines if method in (None, line["method"])]
