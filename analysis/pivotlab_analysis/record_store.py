# SPDX-License-Identifier: BSD-3-Clause
"""Reads the records of a run's folder, in whichever files they lie (experiments/engine/record_store.hpp)."""

from __future__ import annotations

import gzip
import io
import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from .errors import InputError
from .files import read_bytes
from .json_files import parse_object, read_object

PACKED = "records.jsonl.gz"
JOURNAL = re.compile(r"journal\.(run|shard-\d+-of-\d+)\.jsonl")
KEY = re.compile(rb'\{"key":"([0-9a-f]{32})"')


@dataclass
class Entry:
    """A record that has not been parsed."""

    place: str  # "<file>" or "<file>:<line>"
    key: str  # empty if it has none at its beginning
    rank: int  # of entries with the same key and start, that of the highest rank counts
    content: Path | bytes | InputError

    @property
    def remedy(self) -> str:
        return f"remove the {'file' if isinstance(self.content, Path) else 'line'} and run the experiment again"

    def parse(self) -> dict:
        """Returns the record. Raises InputError "<place>: …"."""
        if isinstance(self.content, InputError):
            raise self.content
        if isinstance(self.content, Path):
            return read_object(self.content, self.remedy)
        return parse_object(self.content, self.place, self.remedy)


def journals(run: Path) -> list[Path]:
    return sorted(path for path in run.glob("journal.*.jsonl") if JOURNAL.fullmatch(path.name) and path.is_file())


def record_files(run: Path) -> list[Path]:
    """Returns all files with records."""
    packed = run / PACKED
    return [*journals(run), *sorted((run / "records").glob("*.json")), *([packed] if packed.exists() else [])]


def of_lines(path: Path, lines: Iterable[bytes], rank: int) -> list[Entry]:
    """The entries of lines; of those with one key the last counts."""
    entries: dict[str, Entry] = {}
    for number, line in enumerate(lines, start=1):
        match = KEY.match(line)
        key = match[1].decode() if match else ""
        entries[key or str(number)] = Entry(f"{path}:{number}", key, rank, line)
    return list(entries.values())


def unread(path: Path, error: Exception) -> list[Entry]:
    """The entry that tells why a file cannot be read; none if the program has packed it meanwhile."""
    if isinstance(error, FileNotFoundError):
        return []
    known = isinstance(error, InputError)
    return [Entry(str(path), "", 0, error if known else InputError(f"{path}: {error}; restore the file"))]


def of_journal(path: Path) -> list[Entry]:
    try:
        return of_lines(path, read_bytes(path).split(b"\n")[:-1], rank=2)  # what follows the last end of a line is torn
    except (OSError, InputError) as error:
        return unread(path, error)


def of_packed(path: Path) -> list[Entry]:
    lines: list[bytes] = []
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(read_bytes(path))) as file:
            lines.extend(file)
    except (OSError, EOFError, zlib.error, InputError) as error:
        return [*of_lines(path, lines, rank=1), *unread(path, error)]
    return of_lines(path, lines, rank=1)


def read_entries(run: Path) -> Iterator[Entry]:
    """Yields the records of a run, some perhaps in several states. The packed file is read last: it contains what the
    program has packed meanwhile."""
    yield from [entry for path in journals(run) for entry in of_journal(path)]
    yield from [Entry(str(path), path.stem, 0, path) for path in sorted((run / "records").glob("*.json"))]
    yield from of_packed(run / PACKED)
