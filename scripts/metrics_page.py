# SPDX-License-Identifier: BSD-3-Clause
"""Print docs/reference/metrics.md from experiments/methods.json: python3 scripts/metrics_page.py > docs/reference/metrics.md"""

import json
import re
from pathlib import Path

DESCRIBED = Path(__file__).parents[1] / "experiments" / "methods.json"
INTRODUCTION = """\
# Metrics and columns of records

`scripts/metrics_page.py` makes this page from `experiments/methods.json`; change the rows in `experiments/<method>`.

Names are those of records, of CSV and JSON, and of the analysis' data frames; headings are those of tables. The place of a value in a record is the section's
name and its own, and `pivotlab list schema` prints the types. A number that does not exist is null.

A case has passed if its solver has, and every metric with a bound below is at most that bound (`verdict_bounds` of the record holds the bounds' values;
null: no bound there). Matrices are m × n; m_F and m_G are the rows of F and G. Columns are denoted by small letters: f_i, z_j. "double" has 53 bits."""
SECTIONS = {
    "metrics": "Metrics",
    "problem": "Problem",
    "convergence": "Convergence",
    "variant": "Variant",
    "time": "Times",
    "batch": "Batch",
    "environment": "Environment",
    "provenance": "Provenance",
}
COLUMNS = {
    "name": "name",
    "heading": "heading",
    "definition": "definition",
    "unit": "unit",
    "precision": "computed in",
    "source": "source",
}
BOUNDS = {"name": "metric", "bound": "bound", "bound_source": "follows from"}


def cell(text):
    return re.sub(r"([\\`*_|<\[\]])", r"\\\1", text)


def table(rows, columns):
    """Columns that no row fills are left out; names stand in code."""
    used = {key: title for key, title in columns.items() if any(row.get(key) for row in rows)}
    lines = [" | ".join(used.values()), " | ".join("---" for _ in used)]
    for row in rows:
        lines.append(" | ".join(f"`{row[key]}`" if key == "name" else cell(row.get(key, "")) for key in used))
    return "\n".join(f"| {line} |" for line in lines)


def section(title, rows):
    parts = [f"### {title}", table(rows, COLUMNS)]
    if compared := [f"`{row['name']}`" for row in rows if row.get("compared")]:
        parts.append(f"`pivotlab compare` compares {', '.join(compared)}.")
    if bounded := [row for row in rows if row.get("bound")]:
        parts += ["Bounds of a passed case:", table(bounded, BOUNDS)]
    return parts


def sections(columns):
    """Those of SECTIONS in their order, then what stands outside of them."""
    of = {title: [] for title in (*SECTIONS.values(), "Record")}
    for column in columns:
        _, first, *rest = column["place"].split("/")
        of[SECTIONS[first] if rest else "Record"].append(column)
    return [part for title, rows in of.items() if rows for part in section(title, rows)]


def page(described):
    parts = [INTRODUCTION]
    for method in described["methods"]:
        axes = [axis | {"definition": axis["summary"], "heading": ""} for axis in method["axes"]]
        parts += [f"## {method['name']}", cell(method["title"]) + ": " + cell(method["summary"]) + "."]
        if method["proved"]:
            proved, unproved = (cell(method[claim]) for claim in ("proved", "unproved"))
            parts += [f"The verdict `passed` proves that {proved}. It does not prove {unproved}."]
        parts += [*sections(method["columns"]), *section("Axes", axes)]
    return "\n\n".join([*parts, "## All methods", *sections(described["columns"])]) + "\n"


if __name__ == "__main__":
    print(page(json.loads(DESCRIBED.read_text(encoding="utf-8"))), end="")
