"""One self-contained HTML page: the verdict, tables, interactive plots, the environment, and every record."""

from __future__ import annotations

import datetime
import json
from pathlib import Path

import plotly.offline
from markupsafe import Markup

from . import interactive, layout, render
from .exhibits import Section, judge
from .methods import COMMON, METHODS, NUMBERS, at
from .records import timing_caution
from .remarks import footnotes

ASSETS = Path(__file__).parent / "assets"
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


def build(sections: list[Section], title: str | None = None, now: datetime.datetime | None = None) -> str:
    """The page as text."""
    now = now or datetime.datetime.now(datetime.UTC)
    names = [section.run.name for section in sections]
    hardware = sorted({section.run.hardware for section in sections if section.run.records})
    return render.TEMPLATES.get_template("report.html.j2").render(
        title=title
        or (sections[0].run.title if len(sections) == 1 else "Experiments: " + ", ".join(dict.fromkeys(names))),
        date=f"{now:%Y-%m-%d %H:%M} UTC",
        verdict=judge(sections),
        hardware=hardware,
        environments=environments(sections),
        sections=sections,
        caution=timing_caution,
        footnotes=footnotes,
        to_csv=render.to_csv,
        to_html=lambda table: Markup(render.to_html(table)),
        panels={
            f"s{s}-f{f}-p{p}": interactive.panel(panel)
            for s, section in enumerate(sections)
            for f, figure in enumerate(section.figures)
            for p, panel in enumerate(figure.panels)
        },
        palettes=layout.PALETTES,
        columns=listed(sections),
        records=[record for section in sections for record in section.run.records],
        style=Markup((ASSETS / "report.css").read_text(encoding="utf-8")),
        script=Markup((ASSETS / "report.js").read_text(encoding="utf-8")),
        plotly=Markup(plotly.offline.get_plotlyjs()) if any(section.figures for section in sections) else "",
    )
