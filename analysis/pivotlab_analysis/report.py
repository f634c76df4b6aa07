"""One self-contained HTML page: the verdict, tables, interactive plots, the environment, and every record."""

from __future__ import annotations

import datetime
import json
from pathlib import Path

import jinja2
import plotly.offline
from markupsafe import Markup

from . import interactive, layout, render
from .exhibits import Section, Verdict, judge
from .model import Figure, Table
from .records import dig, hardware_of

ASSETS = Path(__file__).parent / "assets"
ENVIRONMENT_FIELDS = {
    "host": "Host", "cpu": "Processor", "cores": "Cores", "memory_bytes": "Memory", "gpu": "GPU", "driver": "Driver",
    "os": "System", "compiler": "Compiler", "flags": "Flags", "blas": "BLAS",
}  # fmt: skip


def embed(value) -> Markup:
    """JSON that may stand inside a <script> element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return Markup(text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e"))


def bytes_in_words(value: float) -> str:
    return f"{value / 2**30:.1f} GiB"


def environments(section: Section) -> list[dict]:
    """The different environments of a run's records, with how many records each made."""
    seen: dict[str, dict] = {}
    for record in section.run.records:
        fields = {name: dig(record, f"environment.{name}") for name in ENVIRONMENT_FIELDS}
        commit = dig(record, "provenance.commit")
        fields = {ENVIRONMENT_FIELDS[name]: value for name, value in fields.items() if value is not None}
        if "Memory" in fields:
            fields["Memory"] = bytes_in_words(fields["Memory"])
        fields["pivotlab"] = " ".join(
            part for part in (dig(record, "provenance.version"), commit and f"commit {commit[:12]}",
                              "with local changes" if dig(record, "provenance.clean") is False else None) if part)  # fmt: skip
        entry = seen.setdefault(json.dumps(fields, sort_keys=True), {"fields": fields, "count": 0, "first": None, "last": None})
        started = dig(record, "provenance.started")
        entry["count"] += 1
        if started:
            entry["first"] = min(filter(None, (entry["first"], started)))
            entry["last"] = max(filter(None, (entry["last"], started)))
    return list(seen.values())


def exhibit(value: Table | Figure, anchor: str) -> dict:
    common = {"anchor": anchor, "title": value.title, "notes": value.notes}
    if isinstance(value, Table):
        return common | {"rows": len(value.rows), "html": Markup(render.to_html(value)), "csv": render.to_csv(value), "name": value.name}
    return common | {"panels": [f"{anchor}-{i}" for i in range(len(value.panels))], "titles": [p.title for p in value.panels]}


def view(section: Section, index: int) -> dict:
    """What the template needs of a section."""
    run, anchor = section.run, f"s{index}"
    statuses = run.frame["status"].value_counts().to_dict()
    return {
        "anchor": anchor,
        "name": run.name,
        "title": run.title,
        "source": run.spec.get("source"),
        "scale": run.spec.get("scale"),
        "hardware": run.hardware,
        "statuses": statuses,
        "total": len(run.records),
        "missing": max((run.planned or 0) - len(run.records), 0),
        "problems": run.problems,
        "figures": [exhibit(figure, f"{anchor}-f{i}") for i, figure in enumerate(section.figures)],
        "tables": [exhibit(table, f"{anchor}-t{i}") for i, table in enumerate(section.tables)],
        "environments": environments(section),
    }


def panels(sections: list[Section]) -> dict[str, dict]:
    return {
        f"s{s}-f{f}-{p}": interactive.panel(panel)
        for s, section in enumerate(sections)
        for f, figure in enumerate(section.figures)
        for p, panel in enumerate(figure.panels)
    }


def summarize(record: dict, section: str) -> dict:
    """A record for the page: what the list shows, and the record itself."""
    return {
        "section": section,
        "name": dig(record, "experiment"),
        "hardware": hardware_of(record),
        "record": record,
    }


def build(sections: list[Section], title: str | None = None, now: datetime.datetime | None = None) -> str:
    """The page as text."""
    now = now or datetime.datetime.now(datetime.UTC)
    verdict: Verdict = judge(sections)
    names = [section.run.name for section in sections]
    loader = jinja2.FileSystemLoader(ASSETS)
    environment = jinja2.Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True)
    hardware = sorted({section.run.hardware for section in sections if section.run.records})
    return environment.get_template("report.html.j2").render(
        title=title or (sections[0].run.title if len(sections) == 1 else "Experiments: " + ", ".join(dict.fromkeys(names))),
        date=f"{now:%Y-%m-%d %H:%M} UTC",
        verdict=verdict,
        hardware=hardware,
        sections=[view(section, index) for index, section in enumerate(sections)],
        panels=embed(panels(sections)),
        palettes=embed(layout.PALETTES),
        records=embed([summarize(r, f"s{i}") for i, section in enumerate(sections) for r in section.run.records]),
        style=Markup((ASSETS / "report.css").read_text(encoding="utf-8")),
        script=Markup((ASSETS / "report.js").read_text(encoding="utf-8")),
        plotly=Markup(plotly.offline.get_plotlyjs()) if any(section.figures for section in sections) else "",
    )


def write(sections: list[Section], path: Path, title: str | None = None) -> None:
    """Writes the page whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.part")
    temporary.write_text(build(sections, title), encoding="utf-8")
    temporary.replace(path)
