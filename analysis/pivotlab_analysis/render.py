# SPDX-License-Identifier: BSD-3-Clause
"""Tables on the screen and on paper: fixed-width text, Markdown, LaTeX, HTML, CSV."""

from __future__ import annotations

import itertools
import math
import textwrap
from collections.abc import Callable
from pathlib import Path

import jinja2
import pandas as pd
import tabulate
from markupsafe import escape
from pylatexenc import latexencode

from . import remarks
from .methods import STATUSES, in_words
from .model import Column, Table, Value
from .remarks import footnotes, has_mark
from .selection import is_number

MISSING = "—"
NOTE_WIDTH = 110
tabulate.MIN_PADDING = 0


def plain(value: Value, column: Column) -> str:
    """Returns a cell as text; a status is written in words."""
    if value is None:
        return MISSING
    if not is_number(value):
        return in_words(value) if value in STATUSES else str(value)
    match column.format:
        case "integer":
            return f"{value:.0f}"
        case "seconds":  # 0.2046, 57.807, 100.64
            significant = 5 if value >= 1 else 4
            return f"{value:.{max(significant - 1 - math.floor(math.log10(value)), 0)}f}" if value else "0"
        case "scientific":
            return f"{value:.2e}"
        case "precise":
            return f"{value:.5e}"
        case "percent":
            return f"{value:.6f}"
        case "ratio":
            return f"{value:.{3 if value >= 0.1 else 4}f}" if 0.01 <= value < 1000 else f"{value:.2e}"
        case "times":
            return f"{value:.{0 if value >= 100 else 1 if value >= 10 else 2}f}×"
    return f"{value:g}"


def cells(
    table: Table, write: Callable[[str, Value], str], bold: str, before: str, after: str, mixed: str = remarks.MIXED
) -> list[list[str]]:
    """Returns the cells in the notation of a format: `write` converts plain text, `bold` formats emphasized cells,
    `before` marks flagged times, `after` cases that did not pass, and `mixed` times of several machines."""

    def cell(i: int, j: int, value: Value) -> str:
        text = write(plain(value, table.columns[j]), value)
        text = bold.format(text) if (i, j) in table.emphasized else text
        first = before if has_mark(value, remarks.FLAGGED) else ""
        last = (after if has_mark(value, remarks.NOT_PASSED) else "") + (
            mixed if has_mark(value, remarks.MIXED) else ""
        )
        return first + text + last

    return [[cell(i, j, value) for j, value in enumerate(row)] for i, row in enumerate(table.rows)]


def power(text: str, value: Value, times: str, exponent: str) -> str | None:
    """ "3.68e-12" → "3.68·10⁻¹²" in the notation of a format; None for what is not a number with an exponent."""
    mantissa, e, power_of_ten = text.partition("e")
    return f"{mantissa}{times}" + exponent.format(int(power_of_ten)) if e and is_number(value) else None


def groups(table: Table) -> list[tuple[str, int]]:
    """Neighbouring columns with a common head: (head, how many)."""
    return [(name, len(list(items))) for name, items in itertools.groupby(table.columns, key=lambda c: c.group)]


def one_line(column: Column) -> str:
    """A head of several lines in one: "measured (2 cores)"."""
    first, *rest = column.label.split("\n")
    return f"{first} ({', '.join(rest)})" if rest else first


def aligned(table: Table, rows: list[list[str]], heads: list[str], format: str) -> str:
    sides = ["left" if column.format == "text" else "right" for column in table.columns]
    return tabulate.tabulate(
        rows, heads, format, colalign=sides if rows else None, disable_numparse=True, preserve_whitespace=True
    )


def to_text(table: Table) -> str:
    """Fixed width; a star marks what stands out, a dagger the time of a case that did not pass."""
    rows = cells(table, lambda text, value: text, "{}*", remarks.FLAGGED, remarks.NOT_PASSED)
    for j in range(len(table.columns)):  # numbers of a column end below each other, marks stand beside them
        marked = [
            len(text) - len(text.rstrip(f"*{remarks.NOT_PASSED}{remarks.MIXED}")) for text in (row[j] for row in rows)
        ]
        for row, count in zip(rows, marked, strict=True):
            row[j] += " " * (max(marked) - count)
    heads = ["\n".join(filter(None, (column.group, column.label))) for column in table.columns]
    lines = [table.title, "", aligned(table, rows, heads, "simple") if rows else "(not run)"]
    for note in (*table.notes, *footnotes(table)):
        lines += ["", textwrap.fill(note, NOTE_WIDTH)]
    return "\n".join(lines) + "\n"


def to_markdown(table: Table) -> str:
    def write(text: str, value: Value) -> str:
        return power(text, value, "·", "10^{}") or text.replace("|", r"\|")

    heads = [f"{c.group}: {one_line(c)}" if c.group else one_line(c) for c in table.columns]
    rows = cells(table, write, "**{}**", r"\~", remarks.NOT_PASSED)
    body = aligned(table, rows, [head.replace("|", r"\|") for head in heads], "pipe")
    notes = [note.replace(remarks.FLAGGED, r"\~") for note in (*table.notes, *footnotes(table))]
    return "\n\n".join([f"**{table.title}**", body, *notes]) + "\n"


SUPERSCRIPTS = {ord(c): rf"\ensuremath{{^{plain}}}" for c, plain in zip("ᵀᴴᵍ", "THg", strict=True)}
LATEX = latexencode.UnicodeToLatexEncoder(
    conversion_rules=[latexencode.UnicodeToLatexConversionRule(latexencode.RULE_DICT, SUPERSCRIPTS), "defaults"],
    unknown_char_policy="keep",
    unknown_char_warning=False,
).unicode_to_latex
TEMPLATES = jinja2.Environment(
    loader=jinja2.FileSystemLoader(Path(__file__).parent / "assets"),
    autoescape=jinja2.select_autoescape(["html.j2"]),
    trim_blocks=True,
    lstrip_blocks=True,
)


def to_latex(table: Table) -> str:
    """A booktabs table."""

    def write(text: str, value: Value) -> str:
        number = power(text, value, r" \cdot ", "10^{{{}}}")
        return f"${number}$" if number else LATEX(text)

    def head(column: Column) -> str:
        lines = [LATEX(line) for line in column.label.split("\n")]
        return lines[0] if len(lines) == 1 else r"\shortstack{" + r"\\".join(lines) + "}"

    return TEMPLATES.get_template("table.tex.j2").render(
        name=table.name,
        title=LATEX(table.title),
        sides="".join("l" if column.format == "text" else "r" for column in table.columns),
        groups=[(LATEX(head), count) for head, count in groups(table)],
        heads=map(head, table.columns),
        rows=cells(table, write, r"{{\boldmath\bfseries {}}}", r"$\sim$", r"$^\dagger$", r"$^\ddagger$"),
        notes=map(LATEX, (*table.notes, *footnotes(table))),
    )


def to_html(table: Table) -> str:
    """A <table> in a scrollable box, with the notes below."""

    def write(text: str, value: Value) -> str:
        number = power(text, value, "·", "10<sup>{}</sup>")
        if number:
            return number.replace("<sup>-", "<sup>−")
        return str(escape(text.replace("-", "−") if is_number(value) else text))

    def classes(value: Value, column: Column) -> str:
        names = ["number"] if column.format != "text" else []
        names += ["missing"] if value is None or not is_number(value) and names else []
        names += [f"status {value}"] if column.label == "status" else []
        return " ".join([*names, *(["doubtful"] if has_mark(value, remarks.NOT_PASSED) else [])])

    return TEMPLATES.get_template("table.html.j2").render(
        table=table,
        texts=cells(table, write, "<strong>{}</strong>", remarks.FLAGGED, "<sup>†</sup>", "<sup>‡</sup>"),
        classes=classes,
        why=remarks.in_words,
        groups=groups(table),
        notes=[*table.notes, *footnotes(table)],
    )


def to_csv(table: Table) -> str:
    """Every digit; empty where nothing is known. A column of numbers with remarks is followed by one of these."""
    columns: list[tuple[str, list]] = []
    for column, values in zip(table.columns, zip(*table.rows, strict=True), strict=False):
        head = f"{column.group} {one_line(column)}".strip()
        columns.append((head, values))
        if any(map(remarks.remarks_of, values)):
            columns.append((f"{head}: remarks", list(map(remarks.in_words, values))))
    heads = [head for head, _ in columns] or [one_line(column) for column in table.columns]
    lines = zip(*(values for _, values in columns), strict=True)
    return pd.DataFrame(lines, columns=heads, dtype=object).to_csv(index=False, lineterminator="\n")


FORMATS = {"text": to_text, "markdown": to_markdown, "latex": to_latex, "html": to_html, "csv": to_csv}
