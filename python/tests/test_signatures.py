# SPDX-License-Identifier: BSD-3-Clause
"""The public names of the package with their signatures: a change here is a change of the interface.

After a wanted change: python python/tests/test_signatures.py, then read the difference of signatures.txt.
"""

import inspect
from pathlib import Path

import pivotlab

COMMITTED = Path(__file__).with_name("signatures.txt")


def members(cls: type) -> list[str]:
    """The public attributes of a class, inherited ones among them: fields, properties, methods with signatures."""
    lines = {}
    for base in reversed(cls.__mro__):
        if not base.__module__.startswith("pivotlab"):
            continue
        for name, kind in base.__dict__.get("__annotations__", {}).items():
            lines[name] = f"{name}: {kind}"
        for name, member in vars(base).items():
            member = getattr(member, "__func__", member)  # of class methods and static methods
            if isinstance(member, property):
                lines[name] = f"{name}: property"
            elif inspect.isfunction(member):
                lines[name] = f"{name}{inspect.signature(member)}"
    return [f"  {line}" for name, line in sorted(lines.items()) if name[0] != "_"]


def signatures() -> str:
    lines = []
    for name in pivotlab.__all__:
        entry = getattr(pivotlab, name)
        if inspect.isclass(entry):
            lines += [f"class {name}", *members(entry)]
        else:
            lines.append(f"{name}{inspect.signature(entry)}")
    return "\n".join(lines) + "\n"


def test_signatures_are_those_that_were_published():
    assert signatures() == COMMITTED.read_text(encoding="utf-8")


if __name__ == "__main__":
    COMMITTED.write_text(signatures(), encoding="utf-8")
