"""The one kind of error that a user can act on."""


class InputError(Exception):
    """One line: `<file or option>: <place>: <what>; <remedy>`."""
