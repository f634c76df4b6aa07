# SPDX-License-Identifier: BSD-3-Clause
"""Descriptions of the methods: experiments/methods.json, which `pivotlab list description` prints and a test compares.

Statuses, flags of times, peaks of GPUs, and for each method its axes and the columns of its records: name, place,
heading, kind and definition of every value. The analysis has no lists of its own.
"""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from .json_files import read_object

FILE = Path(__file__).resolve().parents[2] / "experiments" / "methods.json"
NUMBERS = ("integer", "number", "scientific", "seconds", "ratio")


@cache
def names_in(place: str) -> list[str]:
    """Returns the names in a JSON pointer."""
    return place.split("/")[1:]


def at(record: dict, place: str):
    """Returns the value at a JSON pointer; None where any part of it is missing or null."""
    value = record
    for part in names_in(place):
        if not isinstance(value, dict):
            return None
        value = value.get(part)
    return value


@dataclass(frozen=True)
class Field:
    """One value of a record: a column of tables and frames."""

    name: str
    place: str
    heading: str
    kind: str
    definition: str
    unit: str = ""
    source: str = ""
    precision: str = ""
    bound: str = ""
    bound_source: str = ""
    shown: bool = False
    compared: bool = False

    @property
    def is_axis(self) -> bool:
        return self.place.startswith("/case/")

    def of(self, record: dict):
        """Returns the field's value in a record; a list becomes its length (numbers) or its items (texts)."""
        value = at(record, self.place)
        if isinstance(value, list) and self.kind == "integer":
            return len(value)
        if isinstance(value, list) and self.kind == "text":
            return ",".join(map(str, value))
        return value if self.kind not in NUMBERS or isinstance(value, int | float) else None


@dataclass(frozen=True)
class Method:
    name: str
    title: str
    fields: dict[str, Field]
    """Axes, columns of the method, and columns of all records, by name."""


def read_description() -> dict:
    """The description that a program with methods of its own, PIVOTLAB_PROGRAM, prints or has printed to the file
    PIVOTLAB_METHODS; else the project's."""
    program, file = os.environ.get("PIVOTLAB_PROGRAM"), os.environ.get("PIVOTLAB_METHODS")
    if program and not file:
        return json.loads(subprocess.run([program, "list", "description"], capture_output=True, check=True).stdout)
    return read_object(Path(file) if file else FILE, "restore it from the project")


_described = read_description()
STATUSES: list[str] = _described["statuses"]
FLAGS: dict[str, str] = {flag["name"]: flag["meaning"] for flag in _described["flags"]}
PEAKS: dict[str, float] = {peak["gpu"]: peak["flops_per_s"] for peak in _described["peaks"]}
"""Measured peaks of GPUs, flops of products in double precision a second, by name."""
COMMON = {column["name"]: Field(**column) for column in _described["columns"]}


def method_of(described: dict) -> Method:
    """Returns the method that an object of the file describes."""
    fields = [Field(a["name"], f"/case/{a['name']}", a["heading"], a["kind"], a["summary"]) for a in described["axes"]]
    fields += [Field(**column) for column in described["columns"]]
    return Method(described["name"], described["title"], {field.name: field for field in fields} | COMMON)


METHODS: dict[str, Method] = {described["name"]: method_of(described) for described in _described["methods"]}


def in_words(status: str) -> str:
    """ "not_supported" → "not supported"."""
    return status.replace("_", " ")
