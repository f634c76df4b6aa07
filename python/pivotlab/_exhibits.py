# SPDX-License-Identifier: BSD-3-Clause
"""Tables and figures of runs."""

from __future__ import annotations

import html
import io
from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._core import InputError

if TYPE_CHECKING:
    import matplotlib.figure
    import pandas as pd

Folder = str | PathLike[str]


class _Exhibit:
    def __init__(self, data: Any) -> None:
        self.data = data

    @property
    def name(self) -> str:
        return self.data.name

    @property
    def title(self) -> str:
        return self.data.title


class Table(_Exhibit):
    """A table of a run: text, or HTML in a notebook."""

    @property
    def frame(self) -> pd.DataFrame:
        """The table with all digits."""
        import pandas as pd

        return pd.read_csv(io.StringIO(self.to("csv")))

    def to(self, format: str) -> str:
        """Returns the table as text, markdown, latex, html or csv."""
        from pivotlab_analysis import render

        if format not in render.FORMATS:
            raise InputError(f"format: unknown {format!r}; one of {', '.join(render.FORMATS)} is expected")
        return render.FORMATS[format](self.data)

    def __repr__(self) -> str:
        return self.to("text")

    def _repr_html_(self) -> str:
        return f"<h4>{html.escape(self.title)}</h4>{self.to('html')}"


class Figure(_Exhibit):
    """A figure of a run; a notebook shows it."""

    def draw(self) -> matplotlib.figure.Figure:
        """Returns the figure by matplotlib."""
        from pivotlab_analysis import plots

        return plots.draw(self.data)

    def save(self, folder: Folder, formats: Sequence[str] = ("svg", "png", "pdf")) -> list[Path]:
        """Writes <folder>/<name>.<format> and returns the files."""
        from pivotlab_analysis import plots

        return plots.save(self.data, Path(folder), formats)

    def __repr__(self) -> str:
        return f"<Figure {self.name}: {self.title}>"

    def _repr_svg_(self) -> str:
        content = io.StringIO()
        self.draw().savefig(content, format="svg")
        return content.getvalue()
