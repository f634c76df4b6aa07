# SPDX-License-Identifier: BSD-3-Clause
"""What is available: variants, generators, baselines."""

from __future__ import annotations

from dataclasses import dataclass

from . import _core
from ._program import listed
from .typing import Method


@dataclass(frozen=True)
class Entry:
    """A variant, generator or baseline, or an option of a generator's name."""

    method: str
    name: str
    summary: str
    default: str = ""
    """Default of an option."""


def _entries(topic: str, heading: str, method: str | None) -> list[Entry]:
    lines = listed(topic, method)
    return [Entry(line["method"], line[heading], line["summary"], str(line.get("default") or "")) for line in lines]


def variants(method: Method | None = None) -> list[Entry]:
    """List the variants of a method, or of all. options() are what their names may have after a semicolon.

    Parameters
    ----------
    method : str, optional
        gsvd, ldlt, eig, eigh, hsvd or ghsvd; by default all.

    Returns
    -------
    list of Entry

    Raises
    ------
    InputError
        An unknown method.

    Examples
    --------
    >>> {entry.method for entry in pivotlab.variants("eig")}
    {'eig'}
    """
    return _entries("variants", "variant", method)


def options(method: Method | None = None) -> list[Entry]:
    """List the options of variants' names, with defaults and, indented, the choices.

    Parameters
    ----------
    method : str, optional
        gsvd, ldlt, eig, eigh, hsvd or ghsvd; by default all.

    Returns
    -------
    list of Entry

    Raises
    ------
    InputError
        An unknown method.

    Examples
    --------
    >>> {entry.method for entry in pivotlab.options("eig")}
    {'eig'}
    """
    return _entries("options", "option", method)


def generators(method: Method | None = None) -> list[Entry]:
    """List generators of test problems and, indented, the options of their names.

    Parameters
    ----------
    method : str, optional
        gsvd, ldlt, eig, eigh, hsvd or ghsvd; by default all.

    Returns
    -------
    list of Entry

    Raises
    ------
    InputError
        An unknown method.

    Examples
    --------
    >>> {entry.method for entry in pivotlab.generators("eig")}
    {'eig'}
    """
    return _entries("generators", "generator", method)


def baselines(method: Method | None = None) -> list[Entry]:
    """List reference solvers of other libraries.

    Parameters
    ----------
    method : str, optional
        gsvd, ldlt, eig, eigh, hsvd or ghsvd; by default all.

    Returns
    -------
    list of Entry

    Raises
    ------
    InputError
        An unknown method.

    Examples
    --------
    >>> {entry.method for entry in pivotlab.baselines("eig")}
    {'eig'}
    """
    return _entries("baselines", "baseline", method)


def expand(pattern: str) -> list[str]:
    """Expand alternatives and ranges in braces.

    Parameters
    ----------
    pattern : str

    Returns
    -------
    list of str

    Raises
    ------
    InputError
        Braces that do not match.

    Examples
    --------
    >>> pivotlab.expand("DHZ{0..1}-({ME,MM}-FB-ME)")
    ['DHZ0-(ME-FB-ME)', 'DHZ0-(MM-FB-ME)', 'DHZ1-(ME-FB-ME)', 'DHZ1-(MM-FB-ME)']
    """
    return _core.expand(pattern)
