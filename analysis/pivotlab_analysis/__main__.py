# SPDX-License-Identifier: BSD-3-Clause
"""python -m pivotlab_analysis report|tables|plots|plot|samples|history|validate RUNDIR…, or stages STAGES.json"""

from __future__ import annotations

import argparse
import errno
import sys
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

from . import collection, files, history, render
from .errors import InputError
from .exhibits import MODULES, Section, build_sections, judge
from .files import show
from .pictures import command as pictures
from .published import Library
from .records import DEFAULT_SCHEMA, files_of_runs, load_runs, read_json, timing_caution, validate


def sections_of(arguments: argparse.Namespace) -> list[Section]:
    return build_sections(load_runs(arguments.runs), Library(arguments.published))


def report(arguments: argparse.Namespace) -> int:
    from . import report as page

    files.require_output(arguments.output, files_of_runs(arguments.runs), arguments.force)
    sections = sections_of(arguments)
    if arguments.figures:
        from . import plots

        plots.save_all(sections, arguments.figures)
    files.write(arguments.output, page.build(sections, arguments.title))
    verdict = judge(sections)
    show(f"{arguments.output}\n{verdict.sentence}")
    return 1 if arguments.judge and verdict.level == "bad" else 0


def tables(arguments: argparse.Namespace) -> int:
    sections = sections_of(arguments)
    named = [(section.run.name, table) for section in sections for table in section.tables]
    write = render.FORMATS[arguments.format]
    texts = [write(replace(table, name=f"{name}-{table.name}")) for name, table in named]
    if texts:
        show("\n".join(texts).removesuffix("\n"))
    if arguments.format == "text":
        verdict, words = judge(sections), {True: "[holds]", False: "[fails]", None: "[open] "}
        caution = timing_caution(section.run for section in sections)
        findings = [f"{words[finding.holds]} {finding.text}" for finding in verdict.findings]
        show("\n".join(["", *findings, verdict.sentence, *([caution] if caution else [])]))
    return 0


def table(arguments: argparse.Namespace) -> int:
    from . import grouped

    by, values = pictures.columns(arguments.by, "--by"), pictures.columns(arguments.value, "--value")
    tables = grouped.tables(load_runs(arguments.runs), by, values, arguments.where)
    shown = tables[:1] if arguments.format == "csv" else tables  # one table for programs
    show("\n".join(map(render.FORMATS[arguments.format], shown)).removesuffix("\n"))
    return 0


def samples(arguments: argparse.Namespace) -> int:
    show(history.samples(load_runs(arguments.runs)).removesuffix("\n"))
    return 0


def histories(arguments: argparse.Namespace) -> int:
    runs = load_runs(arguments.runs)
    tables = history.histories(runs, arguments.key)
    if not tables:
        wanted = f"no case {arguments.key}" if arguments.key else "no case that several of them have"
        raise InputError(f"{', '.join(map(str, arguments.runs))}: {wanted}; name the folders of more runs")
    if not arguments.key and (overview := history.overview(runs)):
        tables.insert(0, overview)
    show("\n".join(map(render.FORMATS[arguments.format], tables)).removesuffix("\n"))
    return 0


def plots(arguments: argparse.Namespace) -> int:
    from . import plots as drawing

    for path in drawing.save_all(sections_of(arguments), arguments.output, arguments.format):
        show(str(path))
    return 0


def check(arguments: argparse.Namespace) -> int:
    runs = load_runs(arguments.runs)
    lines = validate(runs, read_json(arguments.schema))
    count = sum(len(run.records) + len(run.problems) for run in runs)
    show("\n".join([*lines, f"{count} records, " + (f"{len(lines)} violations" if lines else "all valid")]))
    return 1 if lines else 0


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        super().error(files.printable(message))


def add_force(command: argparse.ArgumentParser) -> None:
    command.add_argument("--force", action="store_true", help="replace a file that exists; an input is never replaced")


def parser() -> argparse.ArgumentParser:
    main = Parser(prog="pivotlab_analysis", description="Tables, plots and a report from the records of pivotlab.")
    commands = main.add_subparsers(dest="command", required=True)

    def command(name: str, action, help: str, reads_published: bool = True) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=help, description=help)
        where = "a run's folder, as runs/quick, or the folder of all runs"
        sub.add_argument("runs", nargs="+", type=Path, metavar="RUNDIR", help=where)
        if reads_published:
            where = "folder of the published numbers (default: the project's)"
            sub.add_argument("--published", type=Path, metavar="DIR", help=where)
        sub.set_defaults(action=action)
        return sub

    sub = command("report", report, "write one self-contained HTML page")
    sub.add_argument("-o", "--output", type=Path, default=Path("report.html"), metavar="FILE")
    add_force(sub)
    formats = "also write the figures as SVG, PNG and PDF, a folder for each run"
    sub.add_argument("--figures", type=Path, metavar="DIR", help=formats)
    sub.add_argument("--title")
    sub.add_argument("--judge", action="store_true", help="exit with 1 if the verdict is bad")
    sub = command("tables", tables, "print the tables: published | measured | ratio")
    sub.add_argument("--format", choices=sorted(render.FORMATS), default="text")
    sub = command("table", table, "print medians by columns", reads_published=False)
    sub.add_argument("--by", metavar="COLUMNS", default="n,solver")
    sub.add_argument("--value", metavar="COLUMNS", default="time,error")
    sub.add_argument("--where", metavar="CONDITION", action="append", default=[])
    sub.add_argument("--format", choices=sorted(render.FORMATS), default="text")
    sub = command("plots", plots, "write the figures")
    sub.add_argument("-o", "--output", type=Path, default=Path("figures"), metavar="DIR")
    sub.add_argument("--format", nargs="+", choices=("svg", "png", "pdf"), default=("svg", "png", "pdf"))
    pictures.add_plot(command("plot", pictures.plot, "draw one picture of cases", reads_published=False))
    pictures.add_strategy(commands)
    pictures.add_file_pictures(commands)
    command("samples", samples, "print all samples of all times as CSV", reads_published=False)
    sub = command("history", histories, "print how cases changed from run to run, by commits", reads_published=False)
    sub.add_argument("--key", metavar="KEY", help="only the case of this key, as in the names of records")
    sub.add_argument("--format", choices=sorted(render.FORMATS), default="text")
    sub = command("validate", check, "check every record against the JSON Schema", reads_published=False)
    sub.add_argument("--schema", type=Path, default=DEFAULT_SCHEMA, metavar="FILE")
    collection.add_command(commands)
    for module in MODULES.values():
        if hasattr(module, "add_command"):
            add_force(module.add_command(commands))
    return main


def main(words: list[str] | None = None) -> int:
    arguments = parser().parse_args(words)
    try:
        code = arguments.action(arguments)
        if sys.stdout is None:  # it was closed before
            raise OSError(errno.EBADF, "is closed")
        sys.stdout.flush()
        return code
    except InputError as error:
        complaint = str(error)
    except BrokenPipeError:  # the reader of our output has seen enough
        sys.stdout = None
        return 0
    except OSError as error:
        if not error.filename:
            sys.stdout = None  # what cannot be written is not tried once more
        complaint = f"{error.filename or 'standard output'}: {error.strerror}; choose another place"
    show(files.printable(f"pivotlab_analysis: {complaint}"), sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
