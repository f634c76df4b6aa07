#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Build the command with one method (cmake/PivotlabMethods.cmake) from objects of a finished build of all methods.

  tests/install/one_method.py SOURCE BUILD FOLDER [CMAKE_OPTION…]

Each command of FOLDER's build that compiles must be one of BUILD's, so that a build of all methods continues from one of a single
method, but for the two sources that know the methods. Then the command has this method, and says where the others are.
"""

import os
import pathlib
import shutil
import subprocess
import sys

KNOW_METHODS = ("methods.cpp.o", "engine/environment.cpp.o")


def output_of(*command: str, ok: bool = True) -> str:
    """Return what the command prints; a failure ends the test."""
    result = subprocess.run(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if ok and result.returncode != 0:
        sys.exit(f"{' '.join(command)[:300]}\n{result.stdout}")
    return result.stdout


def commands(folder: pathlib.Path) -> list[str]:
    """Return the commands that build the program, with the folder named BUILD."""
    lines = output_of(
        "ninja", "-C", str(folder), "-t", "commands", "pivotlab_cli"
    ).splitlines()
    return [
        line.replace(str(folder), "BUILD")
        for line in lines
        if not line.startswith("ninja: ")
    ]


def object_of(command: str) -> str:
    """Return the object or precompiled header that the command compiles, or nothing."""
    return (
        command.rpartition(" -o ")[2].partition(" -c ")[0] if " -c " in command else ""
    )


def main() -> None:
    """Run the test."""
    source, build, folder = (
        pathlib.Path(argument).resolve() for argument in sys.argv[1:4]
    )
    shutil.rmtree(folder, ignore_errors=True)
    output_of(
        "cmake",
        "-S",
        str(source),
        "-B",
        str(folder),
        "-G",
        "Ninja",
        "-DPIVOTLAB_METHODS=ldlt",
        *sys.argv[4:],
    )
    of_all = set(commands(build))
    for command in commands(folder):
        name = object_of(command)
        if name and not name.endswith(KNOW_METHODS):
            if command not in of_all:
                sys.exit(
                    f"{name} would be compiled anew in a build of all methods:\n{command}"
                )
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            os.link(build / name, folder / name)
        else:
            output_of(
                "sh", "-c", f"cd {folder} && {command.replace('BUILD', str(folder))}"
            )
    program = str(folder / "bin/pivotlab")
    names = {
        line.split()[0]
        for line in output_of(program, "list", "methods").splitlines()[2:]
    }
    if names != {"ldlt"}:
        sys.exit(f"pivotlab list methods has {names} in place of ldlt")
    refusal = output_of(program, "sweep", "gsvd", ok=False)
    if "built with ldlt alone" not in refusal:
        sys.exit(f"pivotlab sweep gsvd does not say that it is left out: {refusal}")
    output_of(
        program, "generate", "ldlt", "kkt", "-n", "20", "-o", str(folder / "A.mtx")
    )
    print(output_of(program, "solve", "ldlt", str(folder / "A.mtx")))


if __name__ == "__main__":
    main()
