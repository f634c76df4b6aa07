"""Where the time of a decomposition over ranks goes: every outermost step, a panel a rank."""

from __future__ import annotations

from .ldlt_figures import slug
from .model import Figure, Panel, Series
from .ranks_tables import rows_of
from .remarks import NOT_PASSED
from .selection import Source, remarks_on_time


def rank_times(source: Source, *, title: str, type: str, solver: str) -> Figure:
    """Seconds of each step, computing, sending and waiting one on the other, of the largest case on the most ranks.

    Who comes last to an exchange waits for nobody: the shortest one of a step is the sending, what others take longer
    is waiting.
    """
    rows = rows_of(source, solver, type)
    rows = rows[[isinstance(ranks, list) and bool(ranks[0]["compute_s"]) for ranks in rows["by_rank"]]]
    if rows.empty:
        return Figure(slug(title), title, [])
    largest = rows.sort_values(["n", "ranks"], kind="stable").tail(1)
    row = largest.iloc[0]
    steps = len(row["by_rank"][0]["compute_s"])
    a_sweep = steps // int(row["sweeps"])
    failed = [r for case in largest.itertuples() for r in remarks_on_time(case) if r.mark == NOT_PASSED]
    mark = f" {NOT_PASSED}" if failed else ""
    tops = [map(sum, zip(rank["compute_s"], rank["exchange_s"], strict=True)) for rank in row["by_rank"]]
    span = (0.0, max(max(top) for top in tops))
    sending = [min(step) for step in zip(*(rank["exchange_s"] for rank in row["by_rank"]), strict=True)]
    panels = [
        Panel(
            f"rank {index}" + ("" if rank["device"] is None else f", GPU {rank['device']}") + mark,
            "outermost step",
            "time [s]",
            bars(rank, sending),
            y_log=False,
            x_ticks=list(range(a_sweep, steps + 1, a_sweep)),
            y_span=span,
        )
        for index, rank in enumerate(row["by_rank"])
    ]
    notes = [note(source, row, a_sweep, sum(sending))]
    notes += [f"{NOT_PASSED} The case did not pass: {remark.text}." for remark in failed]
    return Figure(slug(title), title, panels, notes)


def bars(rank: dict, sending: list[float]) -> list[Series]:
    compute, exchange = rank["compute_s"], rank["exchange_s"]
    steps = list(range(1, len(compute) + 1))
    sent = [a + b for a, b in zip(compute, sending, strict=True)]
    all = [a + b for a, b in zip(compute, exchange, strict=True)]
    return [
        Series("computing", "solver-0", steps, compute, low=[0.0] * len(steps), style="bars", symbol="none"),
        Series("sending", "solver-4", steps, sent, low=compute, style="bars", symbol="none"),
        Series("waiting", "solver-2", steps, all, low=sent, style="bars", symbol="none"),
    ]


def note(source: Source, row, steps: int, sending: float) -> str:
    ranks = len(row["by_rank"])
    bytes_sent = sum(sum(rank["bytes_sent"]) for rank in row["by_rank"])
    exchanging = sum(sum(rank["exchange_s"]) for rank in row["by_rank"])
    whole = exchanging + sum(sum(rank["compute_s"]) for rank in row["by_rank"])
    return (
        f"{row['solver']}, n = {row['n']}, {row['ranks']:.0f} ranks on {source.hardware}; {steps} steps a sweep, "
        f"{row['sweeps']:.0f} sweeps. Sending is the shortest exchange of a step, {ranks * sending / whole:.1%} of all "
        f"time: {bytes_sent / 1e9:.3g} GB, {bytes_sent / ranks / sending / 1e9:.3g} GB/s from each. Waiting for others "
        f"is the rest, {(exchanging - ranks * sending) / whole:.1%}."
    )


BUILDERS = {"rank-times": rank_times}
