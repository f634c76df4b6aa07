"""Tables on the screen and on paper: fixed-width text, Markdown, LaTeX, HTML, CSV."""

from __future__ import annotations

import csv
import io
import itertools
import math
import textwrap
import unicodedata
from collections.abc import Iterable
from html import escape

from . import remarks
from .model import Column, Table, Value
from .records import STATUSES, in_words
from .remarks import footnotes, has_mark
from .selection import is_number

MISSING = "—"


def digits(value: float, significant: int) -> str:
    """As many significant digits, without an exponent: 0.2046, 57.807, 100.64."""
    if value == 0:
        return "0"
    decimals = max(significant - 1 - math.floor(math.log10(abs(value))), 0)
    return f"{value:.{decimals}f}"


def plain(value: Value, column: Column) -> str:
    """A cell as text; a status, in the column of them or in place of a number, in words."""
    if value is None:
        return MISSING
    if not is_number(value):
        return in_words(value) if value in STATUSES else str(value)
    match column.format:
        case "integer":
            return f"{value:.0f}"
        case "seconds":
            return digits(value, 5 if value >= 1 else 4)
        case "scientific" | "precise":
            return f"{value:.5e}" if column.format == "precise" else f"{value:.2e}"
        case "percent":
            return f"{value:.6f}"
        case "ratio":
            return f"{value:.3f}" if 0.01 <= value < 1000 else f"{value:.2e}"
        case "times":
            return f"{value:.{0 if value >= 100 else 1 if value >= 10 else 2}f}×"
    return f"{value:g}"


def with_marks(text: str, value: Value, before: str = remarks.FLAGGED, after: str = remarks.NOT_PASSED) -> str:
    """The text of a cell between the marks that its value carries, in the notation of a format."""
    first = before if has_mark(value, remarks.FLAGGED) else ""
    return first + text + (after if has_mark(value, remarks.NOT_PASSED) else "")


def power(text: str, times: str, exponent: str) -> str:
    """ "3.68e-12" → "3.68·10⁻¹²" in the notation of a format."""
    mantissa, _, power_of_ten = text.partition("e")
    return f"{mantissa}{times}" + exponent.format(int(power_of_ten)) if power_of_ten else text


def is_power(text: str, value: Value) -> bool:
    return is_number(value) and "e" in text


def width(text: str) -> int:
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def pad(text: str, to: int, left: bool) -> str:
    space = " " * max(to - width(text), 0)
    return text + space if left else space + text


def groups(table: Table) -> list[tuple[str, int]]:
    """Neighbouring columns with a common head: (head, how many)."""
    return [(name, len(list(items))) for name, items in itertools.groupby(table.columns, key=lambda c: c.group)]


def is_text(column: Column) -> bool:
    return column.format == "text"


NOTE_WIDTH = 110


def text_widths(table: Table, cells: list[list[str]]) -> list[int]:
    """Wide enough for heads and cells; a common head that is wider than its columns widens the last of them."""
    widths = [
        max(width(text) for text in (*column.label.split("\n"), *(row[j] for row in cells)))
        for j, column in enumerate(table.columns)
    ]
    start = 0
    for head, count in groups(table):
        inner = sum(widths[start : start + count]) + 2 * (count - 1)
        widths[start + count - 1] += max(width(head) - inner, 0)
        start += count
    return widths


def text_heads(table: Table, widths: list[int]) -> list[str]:
    """The common heads, centred over rules, then the columns' own, which may take several lines."""
    lines = []
    if any(head for head, _ in groups(table)):
        start, parts = 0, []
        for head, count in groups(table):
            room = sum(widths[start : start + count]) + 2 * (count - 1)
            parts.append(
                f" {head} ".center(room, "-") if head and width(head) + 8 <= room else pad(head, room, left=False)
            )
            start += count
        lines.append("  ".join(parts).rstrip())
    labels = [column.label.split("\n") for column in table.columns]
    height = max(map(len, labels), default=1)
    for level in range(height):
        texts = [label[level - height + len(label)] if level >= height - len(label) else "" for label in labels]
        lines.append(text_line(table, texts, widths))
    return lines


def text_line(table: Table, texts: list[str], widths: list[int]) -> str:
    return "  ".join(pad(t, w, is_text(c)) for t, w, c in zip(texts, widths, table.columns, strict=True)).rstrip()


def to_text(table: Table) -> str:
    """Fixed width; a star marks what stands out, a dagger the time of a case that did not pass."""
    starred = {j for _, j in table.emphasized}
    daggered = {j for row in table.rows for j, v in enumerate(row) if has_mark(v, remarks.NOT_PASSED)}

    def cell(i: int, j: int, value: Value) -> str:
        text = with_marks(plain(value, table.columns[j]), value)
        text += " " if j in daggered and not has_mark(value, remarks.NOT_PASSED) else ""
        return text + ("*" if (i, j) in table.emphasized else " " if j in starred else "")

    cells = [[cell(i, j, value) for j, value in enumerate(row)] for i, row in enumerate(table.rows)]
    widths = text_widths(table, cells)
    lines = [table.title, "", *text_heads(table, widths), "  ".join("-" * w for w in widths)]
    lines += [text_line(table, row, widths) for row in cells] or ["(not run)"]
    for note in (*table.notes, *footnotes(table)):
        lines += ["", *textwrap.wrap(note, NOTE_WIDTH)]
    return "\n".join(lines) + "\n"


def one_line(column: Column) -> str:
    """A head of several lines in one: "measured (2 cores)"."""
    first, *rest = column.label.split("\n")
    return f"{first} ({', '.join(rest)})" if rest else first


def to_markdown(table: Table) -> str:
    heads = [f"{c.group}: {one_line(c)}" if c.group else one_line(c) for c in table.columns]
    lines = [f"**{table.title}**", "", "| " + " | ".join(h.replace("|", "\\|") for h in heads) + " |"]
    lines.append("|" + "|".join(":---" if is_text(c) else "---:" for c in table.columns) + "|")
    for i, row in enumerate(table.rows):
        texts = [
            power(plain(v, c), "·", "10^{}") if is_power(plain(v, c), v) else plain(v, c)
            for v, c in zip(row, table.columns, strict=True)
        ]
        texts = [f"**{t}**" if (i, j) in table.emphasized else t for j, t in enumerate(texts)]
        texts = [with_marks(text, value, before=r"\~") for text, value in zip(texts, row, strict=True)]
        lines.append("| " + " | ".join(t.replace("|", "\\|") for t in texts) + " |")
    notes = [note.replace(remarks.FLAGGED, r"\~") for note in (*table.notes, *footnotes(table))]
    return "\n".join([*lines, *itertools.chain.from_iterable(("", note) for note in notes)]) + "\n"


LATEX = str.maketrans(
    {
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "\\": r"\textbackslash{}",
        "—": "---",
        "…": r"\dots{}",
        "×": r"$\times$",
        "·": r"$\cdot$",
        "κ": r"$\kappa$",
        "σ": r"$\sigma$",
        "Σ": r"$\Sigma$",
        "‖": r"$\|$",
        "−": "$-$",
        "₂": r"$_2$",
        "⁻": r"$^{-}$",
        "¹": "$^1$",
        "⁰": "$^0$",
        "ᵍ": "$^g$",
        "“": "``",
        "”": "''",
        "†": r"$^\dagger$",
        "<": "$<$",
        ">": "$>$",
    }
)


def latex_head(column: Column) -> str:
    lines = [line.translate(LATEX) for line in column.label.split("\n")]
    return lines[0] if len(lines) == 1 else r"\shortstack{" + r"\\".join(lines) + "}"


def to_latex(table: Table) -> str:
    """A booktabs table."""

    def cell(value: Value, column: Column, bold: bool) -> str:
        text = plain(value, column)
        if is_power(text, value):
            math = power(text, r" \cdot ", "10^{{{}}}")
            text = rf"$\mathbf{{{math}}}$" if bold else f"${math}$"
        else:
            text = text.translate(LATEX)
        return with_marks(text, value, before=r"$\sim$", after=r"$^\dagger$")

    columns = "".join("l" if is_text(c) else "r" for c in table.columns)
    lines = [
        r"\begin{table}",
        rf"\caption{{{table.title.translate(LATEX)}}}",
        rf"\label{{tab:{table.name}}}",
        r"\centering",
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
    ]
    if any(head for head, _ in groups(table)):
        lines.append(
            " & ".join(rf"\multicolumn{{{k}}}{{c}}{{{head.translate(LATEX)}}}" for head, k in groups(table)) + r" \\"
        )
    lines.append(" & ".join(latex_head(c) for c in table.columns) + r" \\")
    lines.append(r"\midrule")
    for i, row in enumerate(table.rows):
        lines.append(
            " & ".join(
                cell(v, c, (i, j) in table.emphasized) for j, (v, c) in enumerate(zip(row, table.columns, strict=True))
            )
            + r" \\"
        )
    lines += [r"\bottomrule", r"\end{tabular}"]
    lines += [rf"\par\small {note.translate(LATEX)}" for note in (*table.notes, *footnotes(table))]
    return "\n".join([*lines, r"\end{table}"]) + "\n"


def html_head(column: Column) -> str:
    first, *rest = map(escape, column.label.split("\n"))
    return "".join([first, *(f"<small>{line}</small>" for line in rest)])


def to_html(table: Table) -> str:
    """A <table> in a scrollable box, with the notes below."""

    def cell(value: Value, column: Column, bold: bool) -> str:
        text = plain(value, column)
        if is_power(text, value):
            text = power(text, "·", "10<sup>{}</sup>").replace("<sup>-", "<sup>−")
        else:
            text = escape(text.replace("-", "−") if is_number(value) else text)
        names = ["number"] if not is_text(column) else []
        names += ["missing"] if value is None or not is_number(value) and not is_text(column) else []
        names += [f"status {value}"] if column.label == "status" else []
        text = with_marks(f"<strong>{text}</strong>" if bold else text, value, after="<sup>†</sup>")
        why = remarks.in_words(value)
        names += ["doubtful"] if has_mark(value, remarks.NOT_PASSED) else []
        return f'<td class="{" ".join(names)}"' + (f' title="{escape(why)}"' if why else "") + f">{text}</td>"

    lines = ['<div class="table-box"><table>', "<thead>"]
    if any(head for head, _ in groups(table)):
        lines.append(
            "<tr>"
            + "".join(f'<th colspan="{k}" class="group">{escape(head)}</th>' for head, k in groups(table))
            + "</tr>"
        )
    lines.append(
        "<tr>"
        + "".join(f'<th class="{"" if is_text(c) else "number"}">{html_head(c)}</th>' for c in table.columns)
        + "</tr>"
    )
    lines.append("</thead><tbody>")
    for i, row in enumerate(table.rows):
        lines.append(
            "<tr>"
            + "".join(
                cell(v, c, (i, j) in table.emphasized) for j, (v, c) in enumerate(zip(row, table.columns, strict=True))
            )
            + "</tr>"
        )
    lines.append("</tbody></table></div>")
    lines += [f'<p class="note">{escape(note)}</p>' for note in (*table.notes, *footnotes(table))]
    return "\n".join(lines)


def to_csv(table: Table) -> str:
    """Every digit; empty where nothing is known. A column of numbers with remarks is followed by one of these."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    remarked = {j for row in table.rows for j, value in enumerate(row) if remarks.remarks_of(value)}

    def line(values: Iterable[str | int], words: Iterable[str]) -> list[str | int]:
        pairs = enumerate(zip(values, words, strict=True))
        return [item for j, (value, word) in pairs for item in ((value, word) if j in remarked else (value,))]

    heads = [f"{c.group} {one_line(c)}".strip() for c in table.columns]
    writer.writerow(line(heads, [f"{head}: remarks" for head in heads]))
    for row in table.rows:
        exact = ["" if v is None else repr(v) if isinstance(v, float) else v for v in row]
        writer.writerow(line(exact, map(remarks.in_words, row)))
    return out.getvalue()


FORMATS = {"text": to_text, "markdown": to_markdown, "latex": to_latex, "html": to_html, "csv": to_csv}
