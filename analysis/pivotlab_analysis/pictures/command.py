# SPDX-License-Identifier: BSD-3-Clause
"""The commands `plot` and `strategy`, and those of files that solvers write."""

from __future__ import annotations

import argparse
from pathlib import Path

from .. import files
from ..errors import InputError
from ..exhibits import MODULES
from ..model import Figure
from ..records import files_of_runs, load_runs
from . import Request, figure
from .data import listed

FORMATS = ("svg", "png", "pdf", "html")


def add_output(command: argparse.ArgumentParser, name: str) -> None:
    command.add_argument(
        "-o", "--output", type=Path, default=Path(name), metavar="FILE", help=".svg, .png, .pdf or .html"
    )
    command.add_argument("--force", action="store_true", help="replace a file that exists; an input is never replaced")
    command.add_argument("--width", choices=("column", "page"), help="86 or 178 mm")


def kind_of(path: Path, kinds: tuple[str, ...] = FORMATS) -> str:
    """The format that a file's name means."""
    kind = path.suffix[1:]
    if kind not in kinds:
        raise InputError(f"{path}: its name tells no format; end it in .{', .'.join(kinds[:-1])} or .{kinds[-1]}")
    return kind


def add_plot(command: argparse.ArgumentParser) -> None:
    usual = Request()
    command.add_argument("--kind", default="lines")
    command.add_argument("--x", metavar="COLUMN")
    command.add_argument("--y", metavar="COLUMN", default=usual.y)
    command.add_argument("--by", metavar="COLUMNS", default=",".join(usual.by))
    command.add_argument("--facet", metavar="COLUMN")
    command.add_argument("--where", metavar="CONDITION", action="append", default=[])
    command.add_argument("--ratio-to", metavar="SOLVER")
    command.add_argument("--log", action="store_true")
    add_output(command, "plot.png")


def columns(text: str, option: str) -> tuple[str, ...]:
    """The names in a list of columns."""
    if not (names := tuple(listed(text))):
        raise InputError(f"{option}: no column; name one, as solver")
    return names


def plot(arguments: argparse.Namespace) -> int:
    path, _ = arguments.output, kind_of(arguments.output)
    files.require_output(path, files_of_runs(arguments.runs), arguments.force)
    by = columns(arguments.by, "--by")
    options = {name: getattr(arguments, name) for name in ("x", "y", "facet", "log", "ratio_to")}
    write(figure(load_runs(arguments.runs), arguments.kind, Request(by=by, **options), arguments.where), arguments)
    return 0


def write(drawn: Figure, arguments: argparse.Namespace) -> None:
    path, kind = arguments.output, kind_of(arguments.output)
    if kind == "html":
        from .. import screen

        files.write(path, screen.page(drawn))
    else:
        from .. import plots

        plots.write(plots.draw(drawn, plots.WIDTHS.get(arguments.width)), path)
    files.show(str(path))


def add_file_pictures(commands) -> None:
    for method, module in MODULES.items():
        for name, picture in getattr(module, "FILE_PICTURES", {}).items():
            help = f"draw the {name} in a file of pivotlab solve {method}"
            command = commands.add_parser(name, help=help, description=help)
            command.add_argument("file", type=Path)
            add_output(command, f"{name}.png")
            command.set_defaults(action=draw_file, picture=picture)


def draw_file(arguments: argparse.Namespace) -> int:
    files.require_output(arguments.output, [arguments.file], arguments.force)
    write(arguments.picture.figure(arguments.picture.read(arguments.file)), arguments)
    return 0


def add_strategy(commands) -> None:
    help = "draw a sweep of a parallel strategy from a file with the pairs of a step in each line"
    command = commands.add_parser("strategy", help=help, description=help)
    command.add_argument("file", type=Path)
    command.add_argument("--name", help="of one of pivotlab's own strategies, which may repeat pairs")
    command.add_argument("--animate", action="store_true", help="an animated .svg")
    add_output(command, "strategy.png")
    command.set_defaults(action=strategy)


def strategy(arguments: argparse.Namespace) -> int:
    from . import orderings

    path, kind = arguments.output, kind_of(arguments.output, (*FORMATS, "txt"))
    if arguments.animate and kind not in ("svg", "html"):
        raise InputError(f"--animate: {path} is not a .svg or .html file; end its name so")
    files.require_output(path, [arguments.file], arguments.force)
    own = orderings.read(arguments.file, arguments.name)
    if kind == "txt":
        files.write(path, orderings.text(own))
    elif kind == "html" or arguments.animate:
        from . import sweep

        svg = sweep.animated(own)
        files.write(path, svg if kind == "svg" else f"<!doctype html>\n<meta charset='utf-8'>\n{svg}")
    else:
        from .. import plots
        from . import sweep

        plots.write(sweep.draw(own, plots.WIDTHS.get(arguments.width)), path)
    files.show(str(path))
    return 0
