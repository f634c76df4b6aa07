#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Write docs/reference/results.md, the pictures in docs/reference/results/, and README's table of times from committed records.

    scripts/results_page.py            # writes what has changed
    scripts/results_page.py --check    # prints what differs; exit status 1 if anything does

The page begins with two pictures and the best numbers, and has a section for each run in results/: every table with published and measured numbers, one picture, the
findings. A picture holds a digest of its points, so that it is drawn again only if they changed.
"""

from __future__ import annotations

import hashlib
import json
import sys
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "analysis"))

import readme_table  # noqa: E402
from matplotlib import style  # noqa: E402
from PIL import Image  # noqa: E402
from pivotlab_analysis import Library, interactive, plots, render  # noqa: E402
from pivotlab_analysis.exhibits import build, build_sections, source_of  # noqa: E402
from pivotlab_analysis.exhibits.registry import FIGURES  # noqa: E402
from pivotlab_analysis.model import Figure  # noqa: E402
from pivotlab_analysis.records import load_runs  # noqa: E402

GROUPS = {"h200": "On NVIDIA H200", "h100": "On NVIDIA H100", "host": "On a host with two cores"}
MOST_PANELS, MOST_ROWS = 4, 24
MARKS = {True: "✓", False: "✕", None: "?"}
FRONT = {  # the first pictures of the page, of which runs: (group, run, place of the figure, panels of it)
    "speed": (("h200", "paper", 0, [0]), ("h200", "speed-gpu", 0, [0])),
    "accuracy": (("host", "graded", 0, [0, 1]),),
}
ROUTES = (  # ways to a decomposition on an H200: a name, the run, the figure of which two panels are shown, its solvers
    ("GSVD", "fast-speed", "time-accuracy", ()),
    ("eigh", "eigh-speed", "eigh-time-accuracy", ("HEV-RK-ME-BO", "HEV-RK-ME-BO;w=64", "HEV-RK-ME-BO;spectral", "HEV-2STAGE", "cusolver:?syevd", "cusolver:?syevj")),
    ("SVD", "hsvd-speed", "hsvd-time-accuracy", ("HSVD-ME-BO", "HSVD-ME-BO;exact;spectral", "cusolver:?gesvdj", "cusolver:?gesvdp")),
)
TITLES = {
    "routes": "Time against accuracy of real problems on one H200; a point is an order, n = 256 to 9728",
    "speed": "GSVD on one H200: the paper's pairs beside the published times on a V100; random pairs beside cuSOLVER",
    "accuracy": "Largest relative error of any generalized singular value on graded pairs",
}
NUMBERS = {
    "Generalized SVD": (("h200", "paper"), ("h200", "table9")),
    "Symmetric indefinite factorization": (("h200", "ldlt-real"), ("h200", "ldlt-speed-gpu")),
    "Eigendecomposition": (("h200", "eig-accuracy"), ("h200", "eig-speed")),
}


def digest(figure: Figure) -> str:
    """Identify a picture: titles, labels, points, and the style."""
    content = [plots.STYLE.read_text(), figure.title, *figure.notes, *map(interactive.panel, figure.panels)]
    return hashlib.sha256(json.dumps(content, sort_keys=True, default=str).encode()).hexdigest()[:32]


def drawn(path: Path) -> str | None:
    """Return the digest in a picture; None without the file."""
    if not path.exists():
        return None
    with Image.open(path) as image:
        return image.info.get("Points")


def draw(figure: Figure, path: Path) -> None:
    path.parent.mkdir(exist_ok=True)
    canvas = plots.draw(figure)
    with style.context(plots.STYLE):
        canvas.savefig(path, dpi=144, facecolor="white", metadata={"Points": digest(figure), "Software": None})


def compares(table) -> bool:
    return any(column.label.startswith("published") for column in table.columns) or any(
        "published" in str(value) for row in table.rows for value in row
    )


def section(group: str, own, pictures: dict[str, Figure]) -> list[str]:
    run = own.run
    lines = [f"### `{run.path.name}`: {run.title}", "", f"`results/{group}/{run.path.name}`, {run.hardware}."]
    counts = run.frame["status"].value_counts()
    lines[-1] += " " + ", ".join(f"{count} {render.in_words(status)}" for status, count in counts.items()) + "."
    findings = dict.fromkeys(finding for table in own.tables for finding in table.findings)
    lines += ["", *(f"- {MARKS[finding.holds]} {finding.text}" for finding in findings)] if findings else []
    if own.figures and own.figures[0].panels:
        figure = replace(own.figures[0], panels=own.figures[0].panels[:MOST_PANELS])
        name = f"{group}-{run.path.name}.png"
        pictures[name] = figure
        lines += ["", f"![{figure.title}](results/{name})"]
    for table in filter(compares, own.tables):
        lines += ["", render.to_markdown(replace(table, rows=table.rows[:MOST_ROWS])).rstrip()]
        lines += ["", f"The first {MOST_ROWS} of {len(table.rows)} rows."] if len(table.rows) > MOST_ROWS else []
    return [*lines, ""]


def routes(sections: dict, library: Library) -> Figure:
    """Return time against accuracy of all ways to a GSVD, to eigenvalues and to singular values."""
    panels = []
    for name, run, kind, solvers in ROUTES:
        entry = {"kind": kind, "title": "", "type": "d", "solvers": solvers}
        found = build(entry, FIGURES, source_of(sections["h200", run].run, library), run).panels
        panels += [replace(panel, title=f"{name}: {panel.title}") for panel in found[:2]]
    return Figure("routes", TITLES["routes"], panels)


def front(sections: dict, pictures: dict[str, Figure], library: Library) -> str:
    """Return the first lines of the page; adds their figures to the pictures."""
    pictures["routes.png"] = routes(sections, library)
    for name, parts in FRONT.items():
        chosen = [(sections[group, run].figures[place], panels) for group, run, place, panels in parts]
        panels = [figure.panels[index] for figure, indices in chosen for index in indices]
        pictures[f"{name}.png"] = Figure(name, TITLES[name], panels)
    lines = [line for name in ("routes", *FRONT) for line in (f"![{TITLES[name]}](results/{name}.png)", "")]
    for title, runs in NUMBERS.items():
        found = dict.fromkeys(line for run in runs for table in sections[run].tables for line in table.headlines)
        lines.append(f"- {title}: " + "; ".join(f"**{line.value}** {line.text}" for line in list(found)[:3]) + ".")
    return "\n".join(lines) + "\n"


def main(check: bool) -> int:
    sections, pages, pictures = {}, [], {}
    library = Library()
    for group, title in GROUPS.items():
        built = build_sections(load_runs([ROOT / "results" / group]), library)
        sections |= {(group, own.run.path.name): own for own in built}
        pages += [f"## {title}", "", *(line for own in built for line in section(group, own, pictures))]
    head = "# Results\n\nMade from the records in [results/](../../results/README.md) by `scripts/results_page.py`; do not edit.\n"
    readme = ROOT / "README.md"
    runs = {"/".join(place): own.run for place, own in sections.items()}
    texts = {
        ROOT / "docs/reference/results.md": "\n".join([head, front(sections, pictures, library), *pages]).rstrip() + "\n",
        readme: readme_table.renewed(readme.read_text(encoding="utf-8"), runs),
    }
    changed = [page for page, text in texts.items() if not page.exists() or page.read_text(encoding="utf-8") != text]
    folder = ROOT / "docs/reference/results"
    stale = [name for name, figure in pictures.items() if drawn(folder / name) != digest(figure)]
    extra = [path for path in folder.glob("*.png") if path.name not in pictures]
    for path in (*changed, *(folder / name for name in stale), *extra):
        print(path.relative_to(ROOT))
    if not check:
        for path in changed:
            path.write_text(texts[path], encoding="utf-8")
        for name in stale:
            draw(pictures[name], folder / name)
        for path in extra:
            path.unlink()
    return 1 if check and (changed or stale or extra) else 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
