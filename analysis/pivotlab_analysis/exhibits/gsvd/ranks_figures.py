# SPDX-License-Identifier: BSD-3-Clause
"""Times of the outermost steps of a decomposition over ranks, one panel per rank."""

from __future__ import annotations

from ...figures import slug
from ...model import Figure, Panel, Series
from ...remarks import NOT_PASSED
from ...selection import Source, remarks_on_time
from .. import registry
from .ranks_tables import rows_of


@registry.figure("rank-times")
def rank_times(source: Source, *, title: str, type: str, solver: str) -> Figure:
    """Seconds of each step, computing, sending and waiting one on the other, of the largest case on the most ranks.

    Who comes last to an exchange waits for nobody: the shortest one of a step is the sending, what others take longer
    is waiting.
    """
    rows = rows_of(source, solver, type)
    rows = rows[[isinstance(ranks, list) and bool(ranks[0]["compute_s"]) for ranks in rows["by_rank"]]]
    if rows.empty:
        return Figure(slug(title), title, [])
    (row,) = rows.sort_values(["n", "ranks"], kind="stable").tail(1).itertuples()
    steps = len(row.by_rank[0]["compute_s"])
    a_sweep = steps // int(row.sweeps)
    failed = [remark for remark in remarks_on_time(row) if remark.mark == NOT_PASSED]
    tops = [map(sum, zip(rank["compute_s"], rank["exchange_s"], strict=True)) for rank in row.by_rank]
    sending = [min(step) for step in zip(*(rank["exchange_s"] for rank in row.by_rank), strict=True)]
    same = {"y_log": False, "x_ticks": range(a_sweep, steps + 1, a_sweep), "y_span": (0.0, max(map(max, tops)))}
    panels = []
    for index, rank in enumerate(row.by_rank):
        name = f"rank {index}" + ("" if rank["device"] is None else f", GPU {rank['device']}")
        name += f" {NOT_PASSED}" if failed else ""
        panels.append(Panel(name, "outermost step", "time [s]", bars(rank, sending), **same))
    notes = [note(source, row, a_sweep, sum(sending))]
    notes += [f"{NOT_PASSED} The case did not pass: {remark.text}." for remark in failed]
    return Figure(slug(title), title, panels, notes)


def bars(rank: dict, sending: list[float]) -> list[Series]:
    compute, exchange = rank["compute_s"], rank["exchange_s"]
    sent = [a + b for a, b in zip(compute, sending, strict=True)]
    whole = [a + b for a, b in zip(compute, exchange, strict=True)]
    levels = {"computing": ("solver-0", [0.0] * len(compute), compute), "sending": ("solver-4", compute, sent)}
    levels["waiting"] = ("solver-2", sent, whole)
    steps = list(range(1, len(compute) + 1))
    return [Series(name, role, steps, top, low=low, style="bars") for name, (role, low, top) in levels.items()]


def note(source: Source, row, steps: int, sending: float) -> str:
    ranks = len(row.by_rank)
    bytes_sent, exchanging, computing = (
        sum(sum(rank[name]) for rank in row.by_rank) for name in ("bytes_sent", "exchange_s", "compute_s")
    )
    whole = exchanging + computing
    return (
        f"{row.solver}, n = {row.n}, {row.ranks:.0f} ranks on {source.hardware}; {steps} steps a sweep, "
        f"{row.sweeps:.0f} sweeps. Sending is the shortest exchange of a step, {ranks * sending / whole:.1%} of all "
        f"time: {bytes_sent / 1e9:.3g} GB, {bytes_sent / ranks / sending / 1e9:.3g} GB/s from each. Waiting for others "
        f"is the rest, {(exchanging - ranks * sending) / whole:.1%}."
    )
