# SPDX-License-Identifier: BSD-3-Clause
"""Fetches matrices of the SuiteSparse collection into a folder of this machine, for `pivotlab data fetch`."""

from __future__ import annotations

import argparse
import contextlib
import csv
import gzip
import hashlib
import io
import os
import tarfile
import tempfile
import urllib.error
import urllib.request
from pathlib import Path

from .errors import InputError
from .files import show

SITE = "https://sparse.tamu.edu"
INDEX = Path(__file__).parent / "assets" / "suitesparse.csv"
LONGEST_WAIT_S = 60


def digest(content: bytes) -> str:
    """The first 32 digits of the SHA-256 of a Matrix Market file's matrix, whatever its form and comments: shape, then
    row, column and value of each nonzero element by columns, in 8 bytes each, complex values in 16."""
    import numpy as np
    import scipy.io
    import scipy.sparse

    matrix = scipy.sparse.csc_array(scipy.io.mmread(io.BytesIO(content)))
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    matrix.sort_indices()
    columns = np.repeat(np.arange(matrix.shape[1]), np.diff(matrix.indptr))
    dtype = "<c16" if matrix.dtype.kind == "c" else "<f8"
    parts = (
        np.array(matrix.shape, "<i8"),
        matrix.indices.astype("<i8"),
        columns.astype("<i8"),
        matrix.data.astype(dtype),
    )
    return hashlib.sha256(b"".join(part.tobytes() for part in parts)).hexdigest()[:32]


def download(url: str) -> bytes:
    try:
        with urllib.request.urlopen(url, timeout=LONGEST_WAIT_S) as answer:
            return answer.read()
    except (urllib.error.URLError, OSError, ValueError) as error:
        reason = getattr(error, "reason", error)
        raise InputError(f"{url}: cannot be fetched: {reason}") from None


def known_digests() -> dict[str, str]:
    with INDEX.open(encoding="utf-8") as lines:
        return {row["name"]: row["digest"] for row in csv.DictReader(lines)}


def matrix_in(archive: bytes, name: str, url: str) -> bytes:
    """The Matrix Market file NAME/NAME.mtx of an archive of the collection."""
    member = f"{name}/{name}.mtx"
    with (
        contextlib.suppress(tarfile.TarError, KeyError, EOFError, OSError),
        tarfile.open(fileobj=io.BytesIO(archive), mode="r:gz") as files,
    ):
        content = files.extractfile(member)
        if content is not None:
            return content.read()
    raise InputError(f"{url}: has no {member}; it is not an archive of the collection")


def put(file: Path, content: bytes) -> None:
    """Writes a file under another name of its folder and renames it."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=file.parent, prefix=".", delete=False) as part:
            part.write(content)
        os.chmod(part.name, 0o644)
        os.replace(part.name, file)
    except OSError as error:
        raise InputError(f"{file}: cannot be written: {error.strerror}; choose another folder with --to") from None


def fetch(name: str, folder: Path, site: str) -> str:
    """Fetches GROUP/NAME into <folder>/suitesparse/GROUP/NAME.mtx.gz and returns a line about it."""
    group, _, short = name.partition("/")
    file = folder / "suitesparse" / group / f"{short}.mtx.gz"
    if file.exists():
        return f"{file}: is there"
    url = f"{site}/MM/{group}/{short}.tar.gz"
    try:
        archive = download(url)
    except InputError as error:
        raise InputError(f"{error}; or put the matrix at {file} or {file.with_suffix('')}") from None
    content = matrix_in(archive, short, url)
    known = known_digests().get(name)
    remark = "" if known in (None, digest(content)) else "; its elements are not those that published records are of"
    put(file, gzip.compress(content, mtime=0))
    return f"{file}{remark}"


def fetch_all(arguments: argparse.Namespace) -> int:
    site = os.environ.get("PIVOTLAB_SUITESPARSE") or SITE
    if arguments.index:
        file = arguments.to / "suitesparse" / "ssstats.csv"
        put(file, download(f"{site}/files/ssstats.csv"))
        show(str(file))
    for name in arguments.names:
        show(fetch(name, arguments.to, site))
    return 0


def add_command(commands) -> None:
    sub = commands.add_parser("fetch", help="fetch matrices of the SuiteSparse collection")
    sub.add_argument("names", nargs="*", metavar="GROUP/NAME")
    sub.add_argument("--to", type=Path, required=True, metavar="DIR")
    sub.add_argument("--index", action="store_true", help="fetch the collection's index, too")
    sub.set_defaults(action=fetch_all)
