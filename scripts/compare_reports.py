#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compare two report pages: columns of tables, findings, notes, and the points of figures.

    scripts/compare_reports.py before.html after.html

The pages come from `pivotlab_analysis report` of two checkouts on the same records. Exhibits are matched by experiment
and title, columns of tables by their values in every digit, lines of figures by their points. A column or line with
other values counts as lost and new; one with another name or other displayed digits counts as changed. Prints one line for
every difference; the exit status is 1 if there are any.
"""

from __future__ import annotations

import base64
import csv
import html
import io
import json
import re
import sys
import zlib
from pathlib import Path

EXPERIMENT = re.compile(r'<section class="experiment" id="s\d+">(.*?)</section>', re.DOTALL)
EXHIBIT = re.compile(r"<(figure|article)[^>]* id=\"([^\"]+)\">(.*?)</\1>", re.DOTALL)
DATA = re.compile(r'id="data">(.*?)</script>', re.DOTALL)
STATEMENTS = re.compile(r'<(div class="verdict.*?</div|details class="findings.*?</details)>', re.DOTALL)
TEXT = re.compile(r"<(p|li|h[1-4]|dd)\b[^>]*>(.*?)</\1>", re.DOTALL)
ROW = re.compile(r"<tr>(.*?)</tr>", re.DOTALL)
CELL = re.compile(r"<td[^>]*>(.*?)</td>", re.DOTALL)

Exhibit = dict[str, dict[tuple, str]]
"""{"column": {values: head}, "shown": {values: texts of the cells}, "line": {points: name}, "text": {(text,): ""}}"""


def plain(piece: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", piece)).split())


def texts(piece: str) -> dict[tuple, str]:
    outside = re.sub(r"<script.*?</script>|<table.*?</table>", "", piece, flags=re.DOTALL)
    return {(plain(text),): "" for _, text in TEXT.findall(outside)}


def columns(text: str) -> dict[tuple, str]:
    rows = list(csv.reader(io.StringIO(text)))
    return {(k, *values[1:]): values[0] for k, values in numbered(zip(*rows, strict=True))}


def shown(piece: str, known: dict[tuple, str]) -> dict[tuple, str]:
    """Return the displayed cells of a table, by the values of their columns."""
    rows = [[plain(cell) for cell in CELL.findall(row)] for row in ROW.findall(piece)]
    texts = zip(*filter(None, rows), strict=True)
    keys = (key for key, head in known.items() if not head.endswith(": remarks"))
    return dict(zip(keys, map(" | ".join, texts), strict=False))


def numbered(values):
    """Number equal columns: yield (occurrence, column)."""
    seen: dict[tuple, int] = {}
    for column in values:
        seen[column[1:]] = seen.get(column[1:], 0) + 1
        yield seen[column[1:]], column


def lines(panels: dict, place: str) -> dict[tuple, str]:
    found = {}
    for name, panel in panels.items():
        if re.fullmatch(rf"{re.escape(place)}-p?\d+", name):
            for trace in panel["data"]:
                points = json.dumps([trace["x"], trace["y"], trace.get("base")])
                found[panel["title"], points, trace.get("fill", "")] = trace.get("name", "").removesuffix(" quartiles")
    return found


def read(path: str) -> dict[tuple[str, str], Exhibit]:
    page = Path(path).read_text(encoding="utf-8")
    data = json.loads(zlib.decompress(base64.b64decode(DATA.search(page)[1])))
    found = {("", "verdict"): {"text": texts("".join(piece for piece in STATEMENTS.findall(page)))}}
    for section in EXPERIMENT.findall(page):
        head, _, _ = section.partition("</header>")
        name = plain(head.partition("</p>")[0])
        found[name, "head"] = {"text": texts(head)}
        for _, place, piece in EXHIBIT.findall(section):
            title = plain(re.search(r"<h3>(.*?)</h3>", piece, re.DOTALL)[1])
            exhibit = {
                "column": columns(data["csv"].get(place, "")),
                "text": texts(piece),
            }
            exhibit["line"] = lines(data["panels"], place)
            exhibit["shown"] = shown(piece, exhibit["column"])
            found[name, f"{title} ({place.rpartition('-')[2]})"] = exhibit
    return found


def differences(before: Exhibit, after: Exhibit) -> list[str]:
    found = []
    for kind in before:
        old, new = before[kind], after[kind]
        for word, one, other in (("lost", old, new), ("new", new, old)) if kind != "shown" else ():
            for key in one:
                if key not in other:
                    found.append(f"{kind} {word}: {one[key] or ''} {' '.join(map(str, key))[:160]}")
        renamed = {(old[key], new[key]): None for key in old if key in new and old[key] != new[key]}
        found += [f"{kind} changed: {one[:80]} → {other[:80]}" for one, other in renamed]
    return found


def main(before: str, after: str) -> int:
    one, other = read(before), read(after)
    count = compared = 0
    for key in dict.fromkeys([*one, *other]):
        if key not in one or key not in other:
            found = ["only in " + ("the first" if key in one else "the second")]
        else:
            found = differences(one[key], other[key])
            compared += sum(map(len, one[key].values()))
        for line in found:
            print(f"{key[0]}: {key[1]}: {line}")
        count += len(found)
    print(f"{len(one)} exhibits, {compared} columns, lines and texts, {count} differences")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
