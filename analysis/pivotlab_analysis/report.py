"""One self-contained HTML page: the verdict, tables, interactive plots, the environment, and every record."""

from __future__ import annotations

import datetime
import json
from pathlib import Path

import jinja2
import plotly.offline
from markupsafe import Markup

from . import files, interactive, layout, render
from .exhibits import Section, Verdict, judge
from .model import Figure, Table
from .records import dig, timing_caution
from .remarks import footnotes

ASSETS = Path(__file__).parent / "assets"
ENVIRONMENT_FIELDS = {
    "host": "Host",
    "cpu": "Processor",
    "cores": "Cores",
    "memory_bytes": "Memory",
    "gpu.name": "GPU",
    "driver": "Driver",
    "os": "System",
    "compiler": "Compiler",
    "flags": "Flags",
    "blas": "BLAS",
}


def embed(value) -> Markup:
    """JSON that may stand inside a <script> element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return Markup(text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e"))


def bytes_in_words(value: float) -> str:
    return f"{value / 2**30:.1f} GiB"


def environment_of(record: dict) -> dict[str, str]:
    """A record's environment and the version of pivotlab that made it, name → text."""
    fields = {label: dig(record, f"environment.{name}") for name, label in ENVIRONMENT_FIELDS.items()}
    if fields["Memory"]:
        fields["Memory"] = bytes_in_words(fields["Memory"])
    commit = dig(record, "provenance.commit")
    changed = dig(record, "provenance.clean") is False
    words = [dig(record, "provenance.version"), commit and f"commit {commit[:12]}", changed and "with local changes"]
    fields["pivotlab"] = ", ".join(word for word in words if word)
    return {label: str(value) for label, value in fields.items() if value not in (None, "")}


def environments(sections: list[Section]) -> list[dict]:
    """The different environments of all records, with the experiments that ran there and when."""
    seen: dict[str, dict] = {}
    for section in sections:
        for record in section.run.records:
            fields = environment_of(record)
            entry = seen.setdefault(json.dumps(fields), {"fields": fields, "count": 0, "names": {}, "times": []})
            entry["count"] += 1
            entry["names"][section.run.name] = None
            entry["times"] += filter(None, [dig(record, "provenance.started")])
    return [
        entry
        | {
            "names": ", ".join(entry["names"]),
            "first": min(entry["times"], default=None),
            "last": max(entry["times"], default=None),
        }
        for entry in seen.values()
    ]


def exhibit(value: Table | Figure, anchor: str) -> dict:
    common = {"anchor": anchor, "title": value.title, "notes": [*value.notes, *footnotes(value)]}
    if isinstance(value, Table):
        return common | {
            "rows": len(value.rows),
            "html": Markup(render.to_html(value)),
            "csv": embed(render.to_csv(value)),
            "name": value.name,
        }
    return common | {
        "panels": [f"{anchor}-{i}" for i in range(len(value.panels))],
        "titles": [p.title for p in value.panels],
    }


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
        "caution": timing_caution([run]),
        "total": len(run.records),
        "missing": max((run.planned or 0) - len(run.records), 0),
        "problems": run.problems,
        "figures": [exhibit(figure, f"{anchor}-f{i}") for i, figure in enumerate(section.figures)],
        "tables": [exhibit(table, f"{anchor}-t{i}") for i, table in enumerate(section.tables)],
    }


def panels(sections: list[Section]) -> dict[str, dict]:
    return {
        f"s{s}-f{f}-{p}": interactive.panel(panel)
        for s, section in enumerate(sections)
        for f, figure in enumerate(section.figures)
        for p, panel in enumerate(figure.panels)
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
        title=title
        or (sections[0].run.title if len(sections) == 1 else "Experiments: " + ", ".join(dict.fromkeys(names))),
        date=f"{now:%Y-%m-%d %H:%M} UTC",
        verdict=verdict,
        hardware=hardware,
        environments=environments(sections),
        sections=[view(section, index) for index, section in enumerate(sections)],
        panels=embed(panels(sections)),
        palettes=embed(layout.PALETTES),
        records=embed([record for section in sections for record in section.run.records]),
        style=Markup((ASSETS / "report.css").read_text(encoding="utf-8")),
        script=Markup((ASSETS / "report.js").read_text(encoding="utf-8")),
        plotly=Markup(plotly.offline.get_plotlyjs()) if any(section.figures for section in sections) else "",
    )


def write(sections: list[Section], path: Path, title: str | None = None) -> None:
    """Writes the page whole or not at all."""
    files.write(path, build(sections, title))
