#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs small inputs that once gave wrong numbers, and prints "N of M wrong".

    PIVOTLAB_BIN=build/release/bin/pivotlab python tests/hostile/check.py            # all
    PIVOTLAB_BIN=... python tests/hostile/check.py -v N5 N13-d                       # some, with what the program gives

The interpreter needs the module pivotlab of the same build, NumPy, h5py, mpmath and python-flint. cases/*.json have the
commands, right answers (exact rational arithmetic, or mpmath with 50 to 700 digits) and how they were computed;
python_cases.py has the cases of the Python module. The exit status is 0 if no case is wrong.
"""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from math import inf, isfinite, log
from pathlib import Path

import numpy as np

from matrix_market import read

HERE = Path(__file__).resolve().parent
INPUTS = HERE / "inputs"
BIN = str(Path(os.environ.get("PIVOTLAB_BIN", "pivotlab")))
TIMEOUT = 120
PYTHON_KINDS = ("sigma_error", "eigenvectors", "graded_solution", "growth", "single")


def number(text):
    return inf if text == "inf" else Fraction(text)


def relative(x, truth):
    """|x - truth|/|truth| without rounding of the truth; inf for NaN and for x != 0 = truth."""
    x = float(x)
    if not isfinite(x):
        return 0.0 if x == truth else inf
    if truth == inf:
        return inf
    if truth == 0:
        return 0.0 if x == 0 else inf
    error = abs(Fraction(x) - truth) / abs(truth)
    return float(error) if error < 10**300 else inf


def distance(x, truth):
    """Orders candidates for x: the same sign first, then by the ratio."""
    if x == 0 or truth == 0:
        return (x != truth, abs(x) + abs(float(truth)))
    return (1 + ((x > 0) != (truth > 0)), abs(log(abs(x)) - log(abs(truth.numerator)) + log(truth.denominator)))


def run(arguments):
    """(return code, output); a negative code is a signal, None a timeout."""
    try:
        done = subprocess.run(arguments, capture_output=True, text=True, timeout=TIMEOUT, cwd=INPUTS)
    except subprocess.TimeoutExpired:
        return None, f"no end after {TIMEOUT} s"
    return done.returncode, done.stdout + done.stderr


def died(code):
    if code is None:
        return "does not end"
    if code < 0:
        return "ends by " + signal.Signals(-code).name
    return ""


def fact(name, text):
    """The last line `name  VALUE` of a printed result."""
    return (re.findall(rf"^{name}\s+(.*)$", text, re.M) or [""])[-1].strip()


def solve(case):
    """(code, output, status, note, data) of `pivotlab solve METHOD FILES ... -o OUT`."""
    import h5py

    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out.h5")
        code, text = run([BIN, "solve", *case["command"], "-o", out])
        data = {}
        if os.path.exists(out):
            with h5py.File(out) as file:
                for name, item in file.items():
                    if isinstance(item, h5py.Dataset):
                        x = item[()]
                        data[name] = x["r"] + 1j * x["i"] if x.dtype.names == ("r", "i") else x
                for name, x in file.attrs.items():
                    data["@" + name] = x.decode() if isinstance(x, bytes) else x
    return code, text, fact("status", text), fact("note", text), data


def show(values):
    return ", ".join(f"{float(x):.3g}" for x in values)


def verdict(code, text, status, note):
    """What is wrong with the end of the command, or an empty text."""
    if died(code):
        return died(code)
    if "this should not happen" in text:
        return text.strip().splitlines()[-1]
    if status != "passed":
        return f"status {status or code}: {note or text.strip().splitlines()[-1]}"
    return ""


# Each function returns (what is wrong, or an empty text; what the program gives).


def check_eigh(case):
    """Eigenvalues that are not called noise must be true ones, to 10 times their estimates."""
    code, text, status, note, r = solve(case)
    if "eigenvalues" not in r:
        return verdict(code, text, status, note) or "no result", ""
    given = f"status {status}; " + ", ".join(
        f"{x:.4g}{'*' if n else ''}" for x, n in zip(r["eigenvalues"], r["noise"], strict=True)
    )
    left, wrong = [number(t) for t in case["truth"]], []
    kept = [k for k in range(len(r["eigenvalues"])) if not r["noise"][k]]
    for k in sorted(kept, key=lambda k: -abs(r["eigenvalues"][k])):
        x, estimate = float(r["eigenvalues"][k]), r["estimate"][k]
        best = min(left, key=lambda t: distance(x, t))
        left.remove(best)
        error = relative(x, best)
        if error > 10 * max(estimate, 1e-16):
            wrong.append(f"{x:.4g} for {float(best):.4g}, estimate {estimate:.1e}")
    if not wrong:
        return verdict(code, text, status, note), given
    return "; ".join(wrong), given


def check_gsvd(case):
    """Numbers of infinite and finite sigma, finite ones to the relative tolerance, and the verdict."""
    code, text, status, note, r = solve(case)
    given, sigma = f"status {status}" + (f" ({note})" if note else ""), r.get("sigma")
    if case.get("may_refuse") and code == 2 and sigma is None:
        return "", f"refused: {text.strip()}"
    if died(code) or sigma is None:
        return verdict(code, text, status, note) or "no sigma", given
    finite = sorted((x for x in sigma if np.isfinite(x)), reverse=True)
    given += f"; k {len(sigma) - len(finite)}, l {len(finite)}; sigma {show(sigma)}"
    if [len(sigma) - len(finite), len(finite)] != case["ranks"]:
        return f"k, l = {len(sigma) - len(finite)}, {len(finite)}", given
    error = max((relative(x, number(t)) for x, t in zip(finite, case["truth"], strict=True)), default=0.0)
    given += f"; relative error {error:.1e}"
    if not error <= case["tolerance"]:
        return f"relative error of sigma {error:.1e}", given
    return verdict(code, text, status, note), given


def check_ghsvd(case):
    """Eigenvalues to 10 (HZ: 30) estimates, F Z = U Sigma_F, U'JU = J', and the verdict."""
    code, text, status, note, r = solve(case)
    given = f"status {status}" + (f" ({note})" if note else "")
    if "eigenvalues" not in r:
        return verdict(code, text, status, note) or "no result", given
    F, signs = read(INPUTS / case["command"][1]), read(INPUTS / case["signs"]).ravel()
    given += f"; eigenvalues {show(r['eigenvalues'])}"
    wrong, factor = [], case.get("factor", 10)
    for x, estimate, noise, t in zip(r["eigenvalues"], r["estimate"], r["noise"], case["truth"], strict=True):
        error = relative(x, number(t))
        if not noise and error > factor * max(estimate, 1e-16):
            wrong.append(f"eigenvalue {x:.4g} is off by {error:.1e}, estimate {estimate:.1e}")
    U, Z, kept = r["U"], r["Z"], r["J"] != 0
    if kept.any():
        E = (U.conj().T * signs) @ U - np.diag(r["J"].astype(float))
        size = max(np.linalg.norm(U, axis=0)[kept]) ** 2
        j = np.linalg.norm(E[np.ix_(kept, kept)]) / size
        f = max(
            np.linalg.norm(F @ Z[:, i] - U[:, i] * r["sigma_f"][i]) / (np.linalg.norm(F) * np.linalg.norm(Z[:, i]))
            for i in np.flatnonzero(kept)
        )
        given += f"; |U'JU - J'|/max|u|^2 {j:.1e}; residual of F {f:.1e}"
        if not j <= 1e-13:
            wrong.append(f"|U'JU - J'|/max|u|^2 = {j:.1e}")
        if not f <= 1e-13:
            wrong.append(f"|FZ - U Sigma_F|/(|F||Z|) = {f:.1e}")
    return "; ".join(wrong) or verdict(code, text, status, note), given


def check_hsvd(case):
    """Finite factors, J'*sigma^2 within 10 estimates, G V = U Sigma, V'JV = J', and the verdict."""
    code, text, status, note, r = solve(case)
    given = f"status {status}" + (f" ({note})" if note else "")
    if "sigma" not in r:
        return verdict(code, text, status, note) or "no result", given
    given += f"; sigma {show(r['sigma'])}"
    bad = [name for name in ("U", "V", "sigma") if not np.all(np.isfinite(r[name]))]
    if bad:
        return f"NaN or Inf in {', '.join(bad)}; attribute status {r['@status']}", given
    wrong = []
    largest = max(abs(number(t)) for t in case["truth"])
    lam = sorted(
        (Fraction(int(s)) * Fraction(float(x)) ** 2 for s, x in zip(r["J"], r["sigma"], strict=True)), reverse=True
    )
    for x, t in zip(lam, case["truth"], strict=True):
        error = abs(x - number(t)) / largest
        if error > Fraction(case.get("tolerance", 1e-12)):
            wrong.append(f"J' sigma^2 = {float(x):.3g} is off by {float(error):.1e} of the largest")
    G = read(INPUTS / case["command"][1])
    signs = read(INPUTS / case["signs"]).ravel() if "signs" in case else np.ones(G.shape[1])
    V, scale = r["V"], np.max(np.abs(G))
    size = max(np.linalg.norm(V, axis=0)) ** 2
    j = np.linalg.norm((V.conj().T * signs) @ V - np.diag(r["J"].astype(float))) / size
    f = np.linalg.norm((G / scale @ V - r["U"] * (r["sigma"] / scale)) / np.linalg.norm(V, axis=0))
    f /= np.linalg.norm(G / scale)
    given += f"; |V'JV - J'|/max|v|^2 {j:.1e}; residual {f:.1e}"
    if not j <= 1e-13:
        wrong.append(f"|V'JV - J'|/max|v|^2 = {j:.1e}")
    if not f <= case.get("residual", 1e-13):
        wrong.append(f"residual {f:.1e}")
    return "; ".join(wrong) or verdict(code, text, status, note), given


def check_values(case):
    """Values of one dataset (eigenvalues of eig, sigma of hsvd) to a tolerance relative to the largest, or to each, and
    the verdict. `zeros`: all are exactly zero, and nothing is called undetermined."""
    code, text, status, note, r = solve(case)
    given, values = f"status {status}" + (f" ({note})" if note else ""), r.get(case["dataset"])
    if values is None:
        return verdict(code, text, status, note) or "no result", given
    values = np.ravel(values)
    given += "; " + ", ".join(f"{x:.4g}" for x in values)
    if not np.all(np.isfinite(values)):
        return "NaN or Inf", given
    if case.get("zeros"):
        wrong = "not all are zero" if np.any(values != 0) else re.search("not determined", text)
        return wrong and (wrong if isinstance(wrong, str) else wrong.group()) or verdict(
            code, text, status, note
        ), given
    left = [(number(a), number(b)) for a, b in case["truth"]]
    largest = max(max(abs(a), abs(b)) for a, b in left)
    for x in sorted(values, key=abs, reverse=True):
        re_x, im_x = Fraction(float(np.real(x))), Fraction(float(np.imag(x)))
        best = min(left, key=lambda t: abs(re_x - t[0]) + abs(im_x - t[1]))
        left.remove(best)
        size = max(abs(best[0]), abs(best[1])) if case.get("relative") else largest
        error = abs(re_x - best[0]) + abs(im_x - best[1])
        if error > Fraction(case["tolerance"]) * size:
            return f"{x:.4g} is off by {float(error):.1e}", given
    return verdict(code, text, status, note), given


def check_inertia(case):
    """The printed inertia, and no internal error."""
    code, text = run([BIN, "solve", *case["command"]])
    line = (re.findall(r"^inertia\s+(.*)$", text, re.M) or [""])[-1].strip()
    last = text.strip().splitlines()[-1] if text.strip() else ""
    given = line or last
    if died(code):
        return died(code), given
    if "this should not happen" in text:
        return last, given
    if not line.startswith(case["inertia"] + " "):
        return f"inertia {line}", given
    return "", given


def check_end(case):
    """The command may refuse its input, but not end by a signal or an internal error."""
    command = [part.replace("OUT", tempfile.mkdtemp()) for part in case["command"]]
    worst = ""
    for _ in range(case.get("times", 1)):
        code, text = run([BIN, *command])
        last = text.strip().splitlines()[-1] if text.strip() else ""
        given = f"{last} (exit status {code})"
        if died(code):
            return died(code), given
        if re.search(case["forbidden"], text):
            worst = re.search(case["forbidden"], text).group(0)
    return worst, given


def check_single(case):
    """A case of python_cases.py, in a process of its own: it prints what is wrong."""
    code, text = run([sys.executable, "-W", "ignore", str(HERE / "check.py"), "--python", json.dumps(case)])
    lines = text.strip().splitlines()
    return died(code) or (lines[-1] if lines else ""), ""


def run_python_case(case):
    import python_cases

    if case["kind"] == "single":
        return python_cases.SINGLE[case["id"]]()
    return python_cases.WITH_FILES[case["kind"]](case)


def all_cases():
    sys.path.insert(0, str(HERE))
    import python_cases

    files = (HERE / "cases").glob("*.json")
    cases = [case for file in files for case in json.loads(file.read_text())]
    cases += [{"id": name, "kind": "single"} for name in python_cases.SINGLE]
    return sorted(cases, key=lambda case: [int(t) if t.isdigit() else t for t in re.split(r"(\d+)", case["id"])])


def examine(case):
    """(what is wrong, what the program gives)"""
    check = globals()["check_" + ("single" if case["kind"] in PYTHON_KINDS else case["kind"])]
    try:
        return check(case)
    except Exception as failure:  # noqa: BLE001, a result in another form
        return f"cannot be checked: {failure!r}", ""


def main():
    if sys.argv[1:2] == ["--python"]:
        print(run_python_case(json.loads(sys.argv[2])))
        return 0
    verbose = "-v" in sys.argv
    chosen = {a for a in sys.argv[1:] if not a.startswith("-")}
    cases = [c for c in all_cases() if not chosen or chosen & {c["id"], c["id"].partition("-")[0]}]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(examine, cases))
    for case, (error, given) in zip(cases, results, strict=True):
        print(f"{'WRONG' if error else 'right'}  {case['id']:28} {error}")
        if verbose and given:
            print(f"       {given}")
    wrong = sum(bool(error) for error, _ in results)
    print(f"{wrong} of {len(cases)} wrong")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
