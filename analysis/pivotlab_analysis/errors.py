# SPDX-License-Identifier: BSD-3-Clause
"""Errors that a user can correct."""


class InputError(Exception):
    """One line: `<file or option>: <place>: <what>; <remedy>`."""
