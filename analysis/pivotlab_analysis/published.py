# SPDX-License-Identifier: BSD-3-Clause
"""Published numbers as data: experiments/published/*.json."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pandas as pd

from .errors import InputError
from .json_files import read_object

SCHEMA = "pivotlab/published/1"


@dataclass(frozen=True)
class Published:
    """One table of a paper."""

    name: str
    meta: dict
    frame: pd.DataFrame

    @property
    def item(self) -> str:
        return self.meta["source"]["item"]

    @property
    def hardware(self) -> str:
        """Short name of the hardware for a column's head: "V100"."""
        words = (self.meta["hardware"] or "").replace("-", " ").split()
        return next((word for word in words if word[0] in "VAHBP" and word[1:].isdigit()), " ".join(words))

    def column(self, value: str, index: str = "n") -> dict:
        """Returns the published values of a column, keyed by another column."""
        return dict(zip(self.frame[index].tolist(), self.frame[value].tolist(), strict=True))


class Library:
    """All published tables of a folder, each read on first use."""

    def __init__(self, folder: Path | None = None):
        self.folder = folder or Path(__file__).resolve().parents[2] / "experiments" / "published"
        if not self.folder.is_dir():
            raise InputError(f"{self.folder}: no folder of published numbers; name one with --published")

    @cached_property
    def names(self) -> list[str]:
        return sorted(path.stem for path in self.folder.glob("*.json"))

    def __getitem__(self, name: str) -> Published:
        path = self.folder / f"{name}.json"
        if not path.exists():
            raise InputError(f"{path}: no such published table; there are {', '.join(self.names)}")
        data = read_object(path, "repair the JSON")
        if data.get("schema") != SCHEMA:
            found = f"schema: {data.get('schema')!r} instead of {SCHEMA!r}"
            raise InputError(f"{path}: {found}; use a file of this version")
        columns = [column["name"] for column in data.pop("columns")]
        return Published(name, data, pd.DataFrame(data.pop("rows"), columns=columns))
