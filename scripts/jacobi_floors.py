# SPDX-License-Identifier: BSD-3-Clause
"""Print the table of floors in docs/notebook/performance-jacobi.md: python3 scripts/jacobi_floors.py"""

BANDWIDTH, RATE = 4.3e12, 57e12  # bytes/s of a copy, flop/s of large FP64 products
CACHE = 50e6  # bytes
SHAPES = [(1024, 16), (4096, 32), (9728, 32)]


def floors(n, w, complex_numbers):
    """Seconds of a step in Gram and in PostMultiply without and with V."""
    parts = 2 if complex_numbers else 1
    r, tiles, matrix = 2 * w * parts, n // (2 * w), 8 * parts * n**2
    work = [(1, 1, r**2 / 2 + 8 * r), (1, 2, r**2), (2, 4, 2 * r**2)]  # matrices, reads and writes, products per row
    return [
        max(2 * n * tiles * products / RATE, times * matrix / BANDWIDTH if matrices * matrix > CACHE else 0)
        for matrices, times, products in work
    ]


def table():
    lines = [
        "| | w | steps | Gram, step | PostMultiply, step | a sweep | with V | Gram matrices of a sweep |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for scalar in ("real", "complex"):
        for n, w in SHAPES:
            gram, multiply, multiply_v = floors(n, w, scalar == "complex")
            steps = n // w - 1
            sweeps = [steps * (gram + multiply), steps * (gram + multiply_v), steps * gram]
            times = [f"{1e6 * x:.3g} µs" for x in (gram, multiply)] + [f"{1e3 * x:.3g} ms" for x in sweeps]
            lines.append(f"| {scalar}, n = {n} | {w} | {steps} | {' | '.join(times)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(table())
