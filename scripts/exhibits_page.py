#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Print docs/reference/exhibits.md from the builders' docstrings: scripts/exhibits_page.py > docs/reference/exhibits.md"""

from __future__ import annotations

import inspect
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "analysis"))

from pivotlab_analysis.exhibits.registry import FIGURES, TABLES  # noqa: E402
from pivotlab_analysis.methods import METHODS  # noqa: E402

HEAD = """\
# Tables and figures of a report

`scripts/exhibits_page.py` makes this page from `experiments/exhibits.json` and the builders in `analysis/pivotlab_analysis/exhibits`; do not edit. A spec's
`report` names them by `kind`; the other members of an entry are the options below, those with "?" optional ([experiments.md](experiments.md)).
"""
MEANINGS = {
    "text": "text",
    "flag": "true or false",
    "number": "number",
    "id": "ID of Table 1, 0 to 7",
    "type": "scalar type: d, z",
    "types": "scalar type or a list of them",
    "solver": "solver; '?' is the letter of the type",
    "solvers": "list of solvers",
    "variant": "variant; '?' is the letter of the type",
    "texts": "list of texts",
    "numbers": "list of numbers",
    "names": "object {name: name}",
    "factors": "object {integer: number}",
}


def meaning(option) -> str:
    """Return the domain of an option in words."""
    if isinstance(option, str):
        return MEANINGS[option]
    ((kind, value),) = option.items()
    if kind == "published":
        return f"table in `experiments/published` with {', '.join(f'`{name}`' for name in value)}"
    if kind == "entries":
        return f"list of entries of the column `{value}` of `published`"
    return ("one of " if kind == "choice" else "list of ") + ", ".join(f"`{name}`" for name in value)


def part(title: str, described: dict, builders: dict) -> list[str]:
    lines = [f"## {title}", ""]
    for kind, options in described.items():
        builder = builders[kind]
        method = next((m for m in METHODS if f".exhibits.{m}." in builder.__module__), None)
        lines += [f"### `{kind}`" + (f" ({method})" if method else ""), "", inspect.getdoc(builder), ""]
        lines += [*(f"- `{name}`: {meaning(option)}" for name, option in options.items()), ""]
    return lines


def page() -> str:
    described = json.loads((ROOT / "experiments/exhibits.json").read_text(encoding="utf-8"))
    lines = [HEAD, *part("Tables", described["tables"], TABLES), *part("Figures", described["figures"], FIGURES)]
    return "\n".join(lines).rstrip() + "\n"


if __name__ == "__main__":
    print(page(), end="")
