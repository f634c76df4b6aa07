#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Examines random problems of methods against exact or multiprecision truth; see harness.py.

    python tests/truth/run.py all --count 5000 --jobs 2 -o results/truth     # the committed experiment
    python tests/truth/run.py gsvd --count 500                               # prints counts and faults
    python tests/truth/run.py gsvd --problem 17                              # one problem

Needs the modules pivotlab, flint and mpmath. The exit status is 1 if anything was told wrongly.
"""

import argparse
import json
import sys
from pathlib import Path

import harness


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("method", choices=[*harness.METHODS, "all"])
    parser.add_argument("--count", type=int, default=500, help="number of problems (default 500)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="processes (default 1)")
    parser.add_argument(
        "--largest",
        type=int,
        default=harness.LARGEST_ORDER,
        help="largest order (default 40)",
    )
    parser.add_argument("--problem", type=int, help="examine this problem only")
    parser.add_argument("--lines", help=argparse.SUPPRESS)  # FIRST:STOP, one line of JSON a problem
    parser.add_argument("-o", "--output", type=Path, help="folder for one JSON file a method")
    options = parser.parse_args()
    if options.lines:
        for k in range(*map(int, options.lines.split(":"))):
            print(
                json.dumps(harness.examine(options.method, options.seed, k, options.largest)),
                flush=True,
            )
        return 0
    if options.problem is not None:
        outcome = harness.examine(options.method, options.seed, options.problem, options.largest)
        print(json.dumps(outcome, indent=1))
        return bool(outcome["faults"])
    wrong = False
    for method in harness.METHODS if options.method == "all" else [options.method]:
        result = harness.run(method, options.count, options.seed, options.jobs, options.largest)
        wrong |= any(result["faults"].values())
        for outcome in result["examples"]:
            for kind, text in outcome["faults"]:
                print(f"{method} {outcome['problem']} ({outcome['family']}): {kind}: {text}")
        counts = [f"{count} {verdict}" for verdict, count in sorted(result["verdicts"].items())]
        faults = [f"{kind} {count}" for kind, count in result["faults"].items()]
        print(
            f"{method}: {result['problems']} problems: {', '.join(counts)}; {', '.join(faults)}",
            flush=True,
        )
        if options.output:
            options.output.mkdir(parents=True, exist_ok=True)
            (options.output / f"{method}.json").write_text(json.dumps(result, indent=1) + "\n")
    return wrong


if __name__ == "__main__":
    sys.exit(main())
