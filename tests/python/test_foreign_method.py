# SPDX-License-Identifier: BSD-3-Clause
"""A method that the analysis has never heard of: what methods.json says of it is enough for tables and a report."""

import json

import metrics_page
import numpy as np
import pytest
from pivotlab_analysis import Library, exhibits, methods, render, report
from pivotlab_analysis.methods import METHODS
from pivotlab_analysis.records import load_runs

import factory

COLUMN = {"unit": "", "precision": "double", "source": "", "bound": "", "bound_source": "", "shown": True}
TOY = {
    "name": "toy",
    "title": "Largest singular value of a square matrix",
    "summary": "by power iteration",
    "proved": "",
    "unproved": "",
    "axes": [
        {"name": "n", "kind": "integer", "heading": "n", "summary": "order"},
        {"name": "generator", "kind": "text", "heading": "generator", "summary": "where the matrix comes from"},
        {"name": "solver", "kind": "text", "heading": "solver", "summary": "steps of the iteration, or a baseline"},
    ],
    "columns": [
        COLUMN
        | {"name": name, "place": f"/metrics/{name}", "heading": heading, "kind": "scientific", "compared": True}
        | {"definition": definition}
        | bound
        for name, heading, definition, bound in (
            ("residual", "residual", "‖Aᵀ·A·v − σ²·v‖₂/‖A‖_F²", {}),
            ("error", "sigma err", "|σ − true σ|/true σ", {"bound": "n·2⁻⁵²", "bound_source": "example"}),
        )
    ],
}


def power_iteration(A, steps):
    v = np.ones(len(A)) / np.sqrt(len(A))
    for _ in range(steps):
        v = A.T @ (A @ v)
        v /= np.linalg.norm(v)
    return np.linalg.norm(A @ v), v


def toy_record(n, generator, solver):
    A = np.random.default_rng(n).standard_normal((n, n)) if generator == "random" else np.diag(np.arange(1.0, n + 1))
    sigma, v = power_iteration(A, 3 if solver == "short" else 300)
    truth = np.linalg.norm(A, 2)
    metrics = {
        "residual": float(np.linalg.norm(A.T @ (A @ v) - sigma**2 * v) / np.linalg.norm(A) ** 2),
        "error": float(abs(sigma - truth) / truth),
    }
    case = {"method": "toy", "n": n, "generator": generator, "solver": solver}
    good = metrics["error"] <= 1e-12
    result = factory.record("toys", solver, n, status="passed" if good else "incorrect", message="" if good else "far")
    return result | {"case": case, "key": f"{n:016x}{generator:_<8}{solver:_<8}", "metrics": metrics, "variant": None}


@pytest.fixture
def described(monkeypatch):
    """methods.json as a program with that method prints it."""
    known = json.loads(methods.FILE.read_text(encoding="utf-8"))
    monkeypatch.setitem(METHODS, "toy", methods.method_of(TOY))
    return known | {"methods": [*known["methods"], TOY]}


@pytest.fixture
def section(described, tmp_path):
    cases = [(n, generator, solver) for n in (4, 8) for generator in ("random", "diag") for solver in ("long", "short")]
    spec = {"name": "toys", "method": "toy", "report": {"tables": [{"kind": "cases", "title": "Toys"}]}}
    factory.write_run(tmp_path, spec, [toy_record(*case) for case in cases])
    return exhibits.build_section(load_runs([tmp_path])[0], Library())


def test_its_cases_are_a_table(section):
    (table,) = section.tables
    heads = [column.label for column in table.columns]
    assert heads[:3] == ["n", "generator", "solver"] and {"status", "residual", "sigma err", "time s"} <= set(heads)
    assert table.columns[heads.index("sigma err")].help.endswith("; in a passed case at most n·2⁻⁵²")
    assert len(table.rows) == 8 and "‖Aᵀ·A·v − σ²·v‖₂" in table.notes[-1]
    errors = {tuple(row[:3]): row[heads.index("sigma err")] for row in table.rows}
    assert errors[8, "diag", "long"] < 1e-12 < errors[8, "diag", "short"]
    for write in render.FORMATS.values():
        assert "sigma err" in write(table)


def test_its_report_is_a_page_with_all_records(section):
    page = report.build([section])
    assert "Toys" in page and "/metrics/error" in {column["place"] for column in report.listed([section])}
    assert "of 8 cases passed" in exhibits.judge([section]).sentence


def test_its_metrics_are_documented(described):
    page = metrics_page.page(described)
    assert "## toy" in page and r"\|σ − true σ\|/true σ" in page and "n·2⁻⁵² | example" in page
