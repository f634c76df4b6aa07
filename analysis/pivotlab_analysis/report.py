# SPDX-License-Identifier: BSD-3-Clause
"""One self-contained HTML page: the verdict, tables, interactive plots, the environment, and every record."""

from __future__ import annotations

import base64
import datetime
import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain, zip_longest
from pathlib import Path

import pandas as pd
import plotly.offline
from markupsafe import Markup

from . import interactive, layout, render
from .exhibits import Section, judge, plural
from .methods import COMMON, METHODS, NUMBERS, at
from .model import Finding, Headline, Table
from .records import is_baseline, timing_caution
from .remarks import footnotes
from .tables import common_axes

ASSETS = Path(__file__).parent / "assets"
FEWEST_HEADLINES, MOST_HEADLINES = 4, 6
ENVIRONMENT = [f for f in COMMON.values() if f.place.startswith("/environment/") and f.kind != "ratio"]  # no loads


def listed(sections: list[Section]) -> list[dict]:
    """The columns of the list of all records: what identifies a case, what is compared of the methods, and sweeps."""
    methods = {section.run.method.name: section.run.method for section in sections} or METHODS
    columns: dict[str, dict] = {}
    for method in methods.values():
        names = ("experiment", "type", "n", "solver", "generator", "status")
        first = [method.fields[name] for name in names if name in method.fields]
        iteration = [f for f in method.fields.values() if f.shown and f.place.startswith("/convergence/")]
        for field in (*first, *iteration, *(f for f in method.fields.values() if f.compared)):
            column = columns.setdefault(field.place, {"place": field.place, "kind": field.kind, "headings": {}})
            column["headings"][field.heading] = None
    for column in columns.values():
        column |= {"heading": " / ".join(column.pop("headings")), "number": column["kind"] in NUMBERS}
    return list(columns.values())


def choices(sections: list[Section]) -> dict[str, dict]:
    """For each experiment what its page can draw: axes, numbers of variant, problem and metrics, and what is shown."""
    found = {}
    for run in (section.run for section in sections):
        fields = [f for f in run.method.fields.values() if f.kind in (*NUMBERS, "text", "flag")]
        fields = [f for f in fields if f.place not in ("/key", "/message", "/experiment")]
        found[run.name] = [
            {"name": f.name, "place": f.place, "heading": f.heading, "kind": f.kind, "number": f.kind in NUMBERS}
            | {"axis": f.is_axis, "measured": f.shown or f.compared}
            for f in fields
            if f.is_axis or f.shown or f.compared or f.place.startswith(("/variant/", "/problem/", "/metrics/"))
        ]
    return found


def environments(sections: list[Section]) -> list[dict]:
    """The different environments of all records, with the experiments that ran there and when."""
    seen: dict[str, dict] = {}
    for run, record in ((section.run, record) for section in sections for record in section.run.records):
        fields = {field.heading: field.of(record) for field in ENVIRONMENT}
        if fields["Memory"]:
            fields["Memory"] = f"{fields['Memory'] / 2**30:.1f} GiB"
        version, commit, clean = (at(record, f"/provenance/{name}") for name in ("version", "commit", "clean"))
        words = (version, commit and f"commit {commit[:12]}", clean is False and "with local changes")
        fields["pivotlab"] = ", ".join(filter(None, words))
        fields = {heading: str(value) for heading, value in fields.items() if value not in (None, "")}
        entry = seen.setdefault(json.dumps(fields), {"fields": fields, "names": [], "times": []})
        entry["names"].append(run.name)
        entry["times"].append(at(record, "/provenance/started") or "")
    return list(seen.values())


@dataclass(frozen=True)
class Linked:
    """A statement on the first screen and the place in the page that has more of it."""

    anchor: str
    statement: Finding | Headline


def anchored(s: int, section: Section) -> Iterator[tuple[str, Table]]:
    """The tables of a section, the s-th of the page, with their places."""
    return ((f"s{s}-t{t}", table) for t, table in enumerate(section.tables))


def formula_of(definition: str) -> str:
    """A definition up to its first comma or semicolon outside of parentheses."""
    ends = [m.start() for m in re.finditer("[,;] ", definition)]
    heads = (definition[:end] for end in ends)
    return next((head for head in heads if head.count("(") == head.count(")")), definition)


def headlines(sections: list[Section]) -> list[Linked]:
    """The largest errors of each method's own solvers, then numbers of tables: the first of each section, the second of
    each, and so on."""
    methods = {section.run.method.name: section.run.method for section in sections}.values()
    general = []
    for method in methods:
        compared = [field for field in method.fields.values() if field.compared and field.kind == "scientific"]
        rows = pd.concat([section.run.frame for section in sections if section.run.method is method], ignore_index=True)
        rows = rows[(rows["status"] == "passed") & ~rows["solver"].map(is_baseline)]
        for field in dict.fromkeys(compared[:1] + (compared[-1:] if len(methods) == 1 else [])):
            if rows[field.name].any():
                worst = rows.loc[rows[field.name].idxmax()]
                count = plural(int(rows[field.name].count()), "case")
                text = f"largest {field.heading} of {count}: {formula_of(field.definition)}"
                general.append(Linked(f"q=key%3D{worst['key']}", Headline(f"{worst[field.name]:.2g}", text)))
    own = []
    for s, section in enumerate(sections):
        own.append([Linked(anchor, line) for anchor, table in anchored(s, section) for line in table.headlines])
    found = [*general, *filter(None, chain.from_iterable(zip_longest(*own)))]
    statuses = [record["status"] for section in sections for record in section.run.records]
    passed = Headline(f"{statuses.count('passed')} of {len(statuses)}", "cases passed")
    return (found if len(found) >= FEWEST_HEADLINES else [*found, Linked("records", passed)])[:MOST_HEADLINES]


def findings(sections: list[Section]) -> dict[str, list[Linked]]:
    """The findings by the title of their run, each once."""
    seen, groups = set(), {}
    for s, section in enumerate(sections):
        for anchor, finding in ((anchor, f) for anchor, table in anchored(s, section) for f in table.findings):
            if finding not in seen:
                groups.setdefault(section.run.title, []).append(Linked(anchor, finding))
                seen.add(finding)
    return groups


def heading(sections: list[Section]) -> str:
    """What the page is about: the title of its run, or how many experiments it has of which methods."""
    if len(sections) == 1:
        return sections[0].run.title
    methods = dict.fromkeys(section.run.method.title for section in sections)
    return plural(len(sections), "experiment") + (f": {' and '.join(methods)}" if 0 < len(methods) < 3 else "")


def packed(content: str) -> str:
    """A text as the page's script unpacks it: base64 of its zlib format."""
    return base64.b64encode(zlib.compress(content.encode(), 9)).decode()


@cache
def plotting_library() -> str:
    """Plotly's script, packed once for all pages of a process: 4 MB."""
    return packed(plotly.offline.get_plotlyjs())


def build(sections: list[Section], title: str | None = None, now: datetime.datetime | None = None) -> str:
    """The page as text."""
    now = now or datetime.datetime.now(datetime.UTC)
    hardware = sorted({section.run.hardware for section in sections if section.run.records})
    panels = {
        f"s{s}-f{f}-p{p}": interactive.panel(panel)
        for s, section in enumerate(sections)
        for f, figure in enumerate(section.figures)
        for p, panel in enumerate(figure.panels)
    }
    data = {
        "panels": panels,
        "palettes": layout.PALETTES,
        "columns": listed(sections),
        "fields": choices(sections),
        "csv": {at: render.to_csv(table) for s, own in enumerate(sections) for at, table in anchored(s, own)},
        "records": [record for section in sections for record in section.run.in_order],
    }
    return render.TEMPLATES.get_template("report.html.j2").render(
        title=title or heading(sections),
        date=f"{now:%Y-%m-%d %H:%M} UTC",
        verdict=judge(sections),
        headlines=headlines(sections),
        findings=findings(sections),
        hardware=hardware,
        environments=environments(sections),
        sections=sections,
        caution=timing_caution,
        common=lambda run: common_axes(run.frame, run.method.fields.values()),
        footnotes=footnotes,
        to_html=lambda table: Markup(render.to_html(table)),
        columns=data["columns"],
        record_count=len(data["records"]),
        style=Markup((ASSETS / "report.css").read_text(encoding="utf-8")),
        script=Markup((ASSETS / "report.js").read_text(encoding="utf-8")),
        data=packed(json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)),
        plotly=plotting_library(),
    )
