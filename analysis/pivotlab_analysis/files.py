# SPDX-License-Identifier: BSD-3-Clause
"""Reading and writing of files, and output of text."""

from __future__ import annotations

import errno
import os
import secrets
import stat
import unicodedata
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from .errors import InputError

FULL = dict.fromkeys((errno.ENOSPC, errno.EDQUOT, errno.EFBIG), "free space there or write elsewhere")
CLOSED = dict.fromkeys((errno.EACCES, errno.EPERM, errno.EROFS), "write to a folder that you may write to")


def read_bytes(path: Path) -> bytes:
    """Returns the content of a regular file. Raises InputError for others, where reading could block forever."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise InputError(f"{path}: not a regular file; name one")
        with open(descriptor, "rb", closefd=False) as file:
            return file.read()
    finally:
        os.close(descriptor)


def require_output(path: Path, inputs: Iterable[Path], force: bool) -> None:
    """Raises InputError for an output whose folder does not exist, that is no regular file or one of the inputs, and
    for one that exists unless `force`. Commands call it before they compute anything."""
    if not path.parent.exists():
        raise InputError(f"{path}: cannot be written: No such file or directory; create the directory first")
    if not os.path.lexists(path):
        return
    if path.exists():
        if not path.is_file():
            raise InputError(f"{path}: is not a regular file; give the name of a file")
        if any(path.samefile(file) for file in inputs if file.exists()):
            raise InputError(f"{path}: is an input, which would be lost; give another name")
    if not force:
        raise InputError(f"{path}: exists; add --force to replace it, or give another name")


def write(path: Path, content: str | bytes) -> None:
    """Writes a file atomically, with the folders it needs. Raises InputError if it cannot be written; then nothing of
    it remains."""
    made: list[Path] = []
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(8)}.tmp")
    try:
        made = [folder for folder in path.parents if not folder.exists()]
        if made:
            path.parent.mkdir(parents=True, exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC  # a new file, through no link
        with open(os.open(temporary, flags, 0o666), "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException as error:
        with suppress(OSError):
            temporary.unlink()
        for folder in made:
            with suppress(OSError):
                folder.rmdir()
        if not isinstance(error, OSError):
            raise
        remedy = (FULL | CLOSED).get(error.errno, "write elsewhere")
        raise InputError(f"{path}: cannot be written: {error.strerror}; {remedy}") from None


def printable(text: str) -> str:
    """Returns a line with control characters of terminals, such as ESC, as escapes, such as \\x1b."""

    def shown(c: str) -> str:
        if "\udc80" <= c <= "\udcff":  # a byte of a file name that is not UTF-8
            return f"\\x{ord(c) - 0xDC00:02x}"
        steers = unicodedata.category(c)[0] == "C" or unicodedata.category(c) in ("Zl", "Zp")
        return c.encode("unicode_escape").decode() if steers else c

    return "".join(map(shown, text))


def show(text: str, file=None) -> None:
    """Prints lines; all commands print with it."""
    print("\n".join(map(printable, text.split("\n"))), file=file)
