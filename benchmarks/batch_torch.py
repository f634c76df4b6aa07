#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Run batch_loop_benchmark and PyTorch's batched functions on one GPU, and print one table a scalar type.

  benchmarks/batch_torch.py build/release/gpu/batch_loop_benchmark --n 16,32,64,128,256 --types d,z -o FILE.json

Microseconds a matrix. PyTorch's functions take stacks, of as many matrices as fit in about a second; some of them loop over
the matrices inside.
"""

import argparse
import json
import pathlib
import re
import subprocess

import torch

LINE = re.compile(r"^ *(\d+) +(.+?) +([\d.]+|-)  (.*)$")
FUNCTIONS = {
    "torch ldl_factor": ("symmetric", torch.linalg.ldl_factor),
    "torch eigh": ("symmetric", torch.linalg.eigh),
    "torch svd": ("general", lambda A: torch.linalg.svd(A, full_matrices=False)),
    "torch eig": ("general", torch.linalg.eig),
}


def of_program(program: str, n: str, kind: str, count: int, sample: int) -> list[dict]:
    """Return the lines of batch_loop_benchmark; a loop belongs to the batch before it."""
    options = ["--n", n, "--type", kind, "--count", count, "--sample", sample]
    command = [program, *map(str, options)]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    rows = []
    for line in output.splitlines()[1:]:
        if not (found := LINE.match(line)):
            continue
        order, name, time, remark = found.groups()
        group = (
            name.split(",")[0].split()[0]
            if name.endswith(", batch")
            else rows[-1]["group"]
        )
        value = None if time == "-" else float(time)
        rows.append(
            {
                "group": group,
                "name": name.strip(),
                "n": int(order),
                "us": value,
                "remark": remark,
            }
        )
    return rows


def seconds(function, stack: torch.Tensor) -> float:
    """Return the seconds of a call by events, after a first one."""
    function(stack)
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    begin.record()
    function(stack)
    end.record()
    torch.cuda.synchronize()
    return begin.elapsed_time(end) / 1000


def of_torch(n: int, kind: str, most: int) -> list[dict]:
    """Time PyTorch's functions on stacks of 8 matrices, and then of as many as take about a second."""
    dtype = {"d": torch.float64, "z": torch.complex128}[kind]
    generator = torch.Generator("cuda").manual_seed(n)
    general = torch.randn((most, n, n), dtype=dtype, device="cuda", generator=generator)
    stacks = {"general": general, "symmetric": general + general.mH}
    rows = []
    for name, (which, function) in FUNCTIONS.items():
        try:
            first = seconds(function, stacks[which][:8]) / 8
            count = max(8, min(most, int(1 / first)))
            time = 1e6 * seconds(function, stacks[which][:count]) / count
            remark = f"{count} matrices"
        except RuntimeError as error:
            time, remark = None, str(error).splitlines()[0]
        group = {"ldl_factor": "ldlt"}.get(name.split()[1], name.split()[1])
        rows.append(
            {"group": group, "name": name, "n": n, "us": time, "remark": remark}
        )
    return rows


def table(rows: list[dict], orders: list[int]) -> str:
    """Return a Markdown table with a row a solver and a column an order."""
    times = {(row["group"], row["name"], row["n"]): row["us"] for row in rows}
    lines = ["| µs a matrix | " + " | ".join(f"n = {n}" for n in orders) + " |"]
    lines.append("|---" * (len(orders) + 1) + "|")
    groups = list(dict.fromkeys(row["group"] for row in rows))
    for group in groups:
        for name in dict.fromkeys(row["name"] for row in rows if row["group"] == group):
            cells = [times.get((group, name, n)) for n in orders]
            texts = ("" if time is None else f"{time:.3g}" for time in cells)
            lines.append(f"| {name} | " + " | ".join(texts) + " |")
    return "\n".join(lines)


def main() -> None:
    """Run both, print the tables, and write all numbers."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("program")
    parser.add_argument("--n", default="16,32,64,128,256")
    parser.add_argument("--types", default="d,z")
    parser.add_argument("--count", type=int, default=10000, help="matrices of a batch")
    parser.add_argument("--sample", type=int, default=20, help="matrices of a loop")
    parser.add_argument("-o", "--output", type=pathlib.Path)
    arguments = parser.parse_args()
    orders = [int(n) for n in arguments.n.split(",")]
    results = {
        "gpu": torch.cuda.get_device_name(),
        "torch": torch.__version__,
        "rows": {},
    }
    for kind in arguments.types.split(","):
        rows = []
        for n in orders:
            rows += of_program(
                arguments.program, str(n), kind, arguments.count, arguments.sample
            )
            rows += of_torch(n, kind, min(arguments.count, 2**28 // n**2))
            results["rows"][kind] = rows
            if arguments.output:
                arguments.output.write_text(json.dumps(results, indent=1))
        print(
            f"\n{results['gpu']}, {'complex' if kind == 'z' else 'real'}, PyTorch {results['torch']}\n"
        )
        print(table(rows, orders), flush=True)


if __name__ == "__main__":
    main()
