"""Errors that a user can correct."""


class InputError(Exception):
    """One line: `<file or option>: <place>: <what>; <remedy>`."""
