"""Print docs/performance-jacobi.md: python3 scripts/jacobi_floors.py > docs/performance-jacobi.md"""

BANDWIDTH, RATE = 4.3e12, 57e12  # bytes/s of a copy, flop/s of large FP64 products
CACHE = 50e6  # bytes
SHAPES = [(1024, 16), (4096, 32), (9728, 32)]
PAGE = """\
# Floors of hyperbolic Jacobi sweeps on a GPU

**No GPU has run the kernels of `kernels/jacobi/device` yet.** `scripts/jacobi_floors.py` makes this page from the bytes that the kernels move and the operations
that they do, and from two rates of an H200 ([performance-gpu.md](performance-gpu.md)): a copy moves 4.3 TB/s, and large FP64 products run at 57 TF/s.

A sweep over n columns of length n with blocks of w columns has n/w − 1 steps (order ME), each with n/(2w) tiles of r = 2w real columns, or r = 4w for complex numbers.
Per step and real number, G is read and written so often:

| kernel | reads and writes of G | flops per tile |
|---|---|---|
| Gram | 1 | 2n·(r²/2 + 8r): the upper triangle in subtiles of 16 × 8 |
| PostMultiply, without V | 2 | 2n·r² |
| PostMultiply, with V | 4 | 4n·r² |

The floor of a kernel is the larger time of both, and the flops alone if the matrices that it reads fit the L2 cache (50 MB). CholeskyFactor and OrthogonalizeTile move O(w·n) bytes, and take
the time of a chain of dependent steps in shared memory; this page has no floor for them, but they will dominate for small n.

{table}

The check of convergence at the end takes the Gram matrices of one more sweep.

`PIVOTLAB_GPU_LARGE=1 jacobi_gpu_test` compares the bits on a GPU with the emulation and with `results/digests/jacobi.txt`, and prints the times of `eigh()` for the real orders above."""


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


def page():
    return PAGE.format(table=table()) + "\n"


if __name__ == "__main__":
    print(page(), end="")
