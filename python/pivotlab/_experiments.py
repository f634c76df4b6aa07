# SPDX-License-Identifier: BSD-3-Clause
"""Experiments: sweeps by the command, and their records as data frames, tables and figures."""

from __future__ import annotations

import io
import re
import signal
import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._core import InputError
from ._exhibits import Figure, Folder, Table
from ._own_problems import with_problems
from ._own_solvers import split_options
from ._program import environment, last_line, program
from .typing import Method

if TYPE_CHECKING:
    import matplotlib.figure
    import pandas as pd

Names = str | Sequence[str]

PROGRESS = re.compile(r"^\[(\d+)/(\d+)\] ?(.*)")
FOLDER = re.compile(r"; records in (.*)$")


def _analysis() -> Any:
    """The package that reads records. It needs pandas and others, which the solvers do not."""
    try:
        import pivotlab_analysis
    except ImportError as error:
        raise InputError(f"{error.name}: is missing; install pivotlab[experiments]") from None
    return pivotlab_analysis


# ---- Sweeps ----


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, str) or not isinstance(value, Iterable):
        return str(value)
    return ",".join(map(_text, value))


def _option(name: str, value: Any) -> list[str]:
    """An option of `pivotlab sweep`: names have _ in place of -, values are lists, True for a flag."""
    spelled = f"--{name.replace('_', '-')}" if len(name) > 1 else f"-{name}"
    if name in FLAGS:
        return [spelled] if value else []
    if not isinstance(value, str) and isinstance(value, Sized) and len(value) == 0:
        if name == "baseline":
            return []
        raise InputError(f"{name}: is an empty list; give values, or leave it out")
    if name in ("generator", "solver") and not isinstance(value, str):
        return [word for one in value for word in (spelled, str(one))]  # names of files and commands may contain commas
    return [spelled, _text(value)]


FLAGS = ("extend", "fresh", "gjg", "no_variants", "takeover")


class _Bar:
    """A progress bar of tqdm, or nothing where tqdm is missing."""

    def __init__(self, wanted: bool) -> None:
        self._make: Callable[..., Any] | None = None
        self._bar: Any = None
        if wanted:
            try:
                from tqdm.auto import tqdm
            except ImportError:
                return
            self._make = tqdm

    def show(self, done: int, total: int, text: str) -> None:
        if self._make and self._bar is None:
            self._bar = self._make(total=total, unit="case")
        if self._bar is not None:
            self._bar.set_postfix_str(text.partition("  ")[0], refresh=False)
            self._bar.update(done - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


def sweep(
    method: Method,
    *,
    solver: Any = None,
    matrices: Any = None,
    out: Folder | None = None,
    progress: bool = True,
    check: bool = False,
    **axes: Any,
) -> Runs:
    """Run all combinations of the listed values, as `pivotlab sweep` does.

    The command runs in a process of its own; cases that have a record in `out` are not run again, and others are added
    to it. Ctrl-C ends the command, and the same call continues later.

    Parameters
    ----------
    method : str
        gsvd, ldlt, eig, eigh, hsvd or ghsvd.
    solver : callable, str, or a list of them, optional
        Functions of your own (docs/guide/own-solvers.md), and names of variants, baselines, commands, shared libraries
        and other versions. Axes that are keyword arguments of a function are its options. Of functions of a notebook,
        cloudpickle writes files to the folder notebook_solvers.
    matrices : array_like, a list or a dict of them, optional
        Problems of your own beside those of `generator`: square matrices, pairs (F, G) for gsvd and ghsvd, m × n for
        hsvd. They are written into the folder `matrices` beside that of the records; keys of a dict name their files.
        `generator` may be a function in a file that makes them (docs/guide/own-matrices.md).
    out : path, optional
        Folder of the records; by default runs/sweep-<hash of the options> in the current folder.
    progress : bool
        Show a progress bar, if tqdm is installed.
    check : bool
        Raise StatusError if some case has failed, is incorrect, or has not run.
    **axes
        Options of `pivotlab sweep METHOD --help`, - written as _: a value, a list of values, or a text with lists and
        ranges such as "64:256:64"; repeat=N, timeout=SECONDS and jobs=N among them.

    Returns
    -------
    Runs

    Raises
    ------
    InputError
        An unknown axis or value, with the nearest ones; a folder of another method or experiment.

    Examples
    --------
    >>> run = pivotlab.sweep("ldlt", n=[6, 8], pivot=["BP", "RK"], progress=False)
    >>> run.status, sorted(set(run.frame["n"]))
    ({'passed': 4}, [6, 8])
    """
    _analysis()  # what is missing is told before anything runs
    axes = with_problems(method, axes, matrices, (Path(out).parent if out else Path("runs")) / "matrices")
    if solver is not None:
        names, axes = split_options(method, solver, axes)
        axes = {"solver": names} | axes
    words = [word for name, value in axes.items() if value is not None for word in _option(name, value)]
    words += [] if out is None else ["--out", str(Path(out))]
    command = [str(program()), "sweep", method, *words, "--format", "csv"]
    bar, errors = _Bar(progress), []
    # CSV on standard output is not read: it goes nowhere, so that its pipe never fills.
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    ) as process:
        assert process.stderr is not None
        try:
            for line in process.stderr:
                if match := PROGRESS.match(line):
                    bar.show(int(match[1]), int(match[2]), match[3])
                else:
                    errors.append(line)
            process.wait()
        except BaseException:
            process.send_signal(signal.SIGINT)  # the command ends its workers and keeps all records
            process.wait()
            raise
        finally:
            bar.close()
    return _finished(method, process.returncode, "".join(errors), check)


def _finished(method: Method, code: int, errors: str, check: bool) -> Runs:
    from ._status import StatusError

    places = [match[1] for line in errors.splitlines() if (match := FOLDER.search(line))]
    if code not in (0, 1) or not places:
        raise InputError(last_line(errors))
    runs = load_runs(places[-1])
    if check and code:
        failures = "; ".join(line for run in runs.data for line in run.failures.values())
        raise StatusError(f"sweep of {method}", "failed", failures or "a case has not run", runs)
    return runs


# ---- Records ----


class Runs(Sequence["Runs"]):
    """Records of one or more runs. runs["table2"] and runs[0] are one of them."""

    def __init__(self, data: list[Any]) -> None:
        self.data = data
        """What pivotlab_analysis reads: manifest, records, problems of each run."""

    def __len__(self) -> int:
        return len(self.data)

    def __getitem__(self, which: int | slice | str) -> Runs:  # type: ignore[override]
        if isinstance(which, str):
            named = [run for run in self.data if run.name == which]
            if not named:
                raise KeyError(f"no run {which!r}; one of {', '.join(self.names)} is expected")
            return Runs(named)
        return Runs(self.data[which] if isinstance(which, slice) else [self.data[which]])

    def __iter__(self) -> Iterator[Runs]:
        return (Runs([run]) for run in self.data)

    @property
    def names(self) -> list[str]:
        return [run.name for run in self.data]

    @property
    def folders(self) -> list[Path]:
        return [run.path for run in self.data]

    @property
    def records(self) -> list[dict]:
        """The records as they are in the files."""
        return [record for run in self.data for record in run.records]

    @property
    def status(self) -> dict[str, int]:
        """Number of cases by status; "missing": planned cases without a record."""
        counts: dict[str, int] = {}
        for record in self.records:
            counts[record["status"]] = counts.get(record["status"], 0) + 1
        missing = sum(run.missing for run in self.data)
        return counts | ({"missing": missing} if missing else {})

    @cached_property
    def frame(self) -> pd.DataFrame:
        """One row per case: axes, metrics, times in seconds, flags, environment, commit, options in names of generators
        and solvers. Columns that no case has are left out; frame.attrs["units"] has the units, `columns` defines all.
        Several runs have a column `run`."""
        import pandas as pd
        from pivotlab_analysis.pictures.data import with_options

        frames = [run.frame.assign(run=run.name) for run in self.data]
        frame = pd.concat(frames, ignore_index=True) if len(frames) > 1 else frames[0].drop(columns="run")
        frame = with_options(frame.dropna(axis="columns", how="all").copy(), self._fields)[0]
        frame.attrs["units"] = {name: f.unit for name, f in self._fields.items() if f.unit and name in frame}
        return frame

    @property
    def _fields(self) -> dict[str, Any]:
        return {name: field for run in self.data for name, field in run.method.fields.items()}

    @property
    def columns(self) -> pd.DataFrame:
        """Heading, unit, definition, precision, bound and source of every column of `frame`."""
        import pandas as pd

        of = ("heading", "unit", "definition", "precision", "bound", "source")
        rows = {
            name: [getattr(field, what) for what in of] for name, field in self._fields.items() if name in self.frame
        }
        return pd.DataFrame.from_dict(rows, orient="index", columns=list(of))

    @property
    def samples(self) -> pd.DataFrame:
        """One row per timed solution: key and axes of the case, seconds of the compute phase and in all."""
        import pandas as pd
        from pivotlab_analysis import history

        return pd.read_csv(io.StringIO(history.samples(self.data)))

    def _sections(self) -> list[Any]:
        from pivotlab_analysis.exhibits import build_sections
        from pivotlab_analysis.published import Library

        return build_sections(self.data, Library())

    def tables(self) -> list[Table]:
        """The tables that the runs' specs ask for, beside published numbers; else the list of all cases."""
        return [Table(table) for section in self._sections() for table in section.tables]

    def figures(self) -> list[Figure]:
        """The figures that the runs' specs ask for; else time, error and speed-up over the axis that varies."""
        return [Figure(figure) for section in self._sections() for figure in section.figures]

    def table(self, by: Names = ("n", "solver"), value: Names = ("time", "error"), where: Names = ()) -> Table:
        """Medians of the columns `value` for each combination of the values of `by`, as `pivotlab table` prints.
        Cases of several machines have columns of their own. `where`: conditions such as "n<500"."""
        from pivotlab_analysis import grouped

        from ._pictures import complaints, listed

        with complaints():
            return Table(grouped.tables(self.data, listed(by), listed(value), listed(where))[0])

    def plot(self, kind: str = "lines", **options: Any) -> matplotlib.figure.Figure:
        """A picture of the cases: `pivotlab.plot(self, kind, **options)`."""
        from ._pictures import plot

        return plot(self, kind, **options)

    def extend(self, *, progress: bool = True, check: bool = False, **axes: Any) -> Runs:
        """Add to the folder of one sweep the cases of these values with all other values of the sweep, and return all
        its records. What has a record is not run again; without axes `repeat=N` adds samples to the cases."""
        if len(self.data) != 1:
            raise InputError(f"extend: these are {len(self.data)} runs; extend one of them, runs[0]")
        run = self.data[0]
        return sweep(run.method.name, out=run.path, extend=True, progress=progress, check=check, **axes)

    def report(self, file: Folder) -> None:
        """Writes one self-contained HTML page with all tables, interactive figures and environments."""
        from pivotlab_analysis import files, report

        files.write(Path(file), report.build(self._sections()))

    def __repr__(self) -> str:
        counts = ", ".join(f"{count} {status.replace('_', ' ')}" for status, count in self.status.items())
        return f"<Runs {', '.join(self.names)}: {counts or 'no cases'}>"

    def _repr_html_(self) -> str:
        return "".join(table._repr_html_() for table in self.tables())


def load_runs(*folders: Folder) -> Runs:
    """Read the records of runs.

    Parameters
    ----------
    folders : path
        Folders such as runs/quick, or the folder of all runs; by default "runs".

    Returns
    -------
    Runs

    Raises
    ------
    InputError
        No such folder, or no records in it.

    Examples
    --------
    >>> run = pivotlab.sweep("ldlt", n=8, progress=False, out="runs/one")
    >>> pivotlab.load_runs("runs/one").status
    {'passed': 1}
    """
    analysis = _analysis()
    try:
        return Runs(analysis.load_runs(folders or ("runs",)))
    except analysis.InputError as error:
        raise InputError(str(error)) from None


def records(*folders: Folder) -> pd.DataFrame:
    """Read the cases of several runs as one data set: the frame of `load_runs(*folders)` with its folder and machine.

    Parameters
    ----------
    folders : path
        As in load_runs().

    Returns
    -------
    pandas.DataFrame
        A row for each record: the columns of Runs.frame, `folder`, and `machine`, the processor with its cores or the
        GPU. A case that several folders have occurs as often.

    Raises
    ------
    InputError
        As load_runs().

    Examples
    --------
    >>> for name, n in ("first", 8), ("second", 16):
    ...     run = pivotlab.sweep("ldlt", n=n, progress=False, out=f"runs/{name}")
    >>> pivotlab.records("runs/first", "runs/second").groupby(["machine", "n"]).size().tolist()
    [1, 1]
    """
    import pandas as pd
    from pivotlab_analysis.pictures.data import with_options
    from pivotlab_analysis.records import hardware_of

    runs = load_runs(*folders)
    frames = [
        run.frame.assign(run=run.name, folder=str(run.path), machine=[hardware_of(record) for record in run.in_order])
        for run in runs.data
    ]
    frame = pd.concat(frames, ignore_index=True).dropna(axis="columns", how="all").copy()
    return with_options(frame, runs._fields)[0]
