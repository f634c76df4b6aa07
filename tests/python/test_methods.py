# SPDX-License-Identifier: BSD-3-Clause
"""One description per method: the columns that the program exports, and no method by name outside of its own folder."""

import json
import re

import metrics_page
import pandas as pd
import pytest
from pivotlab_analysis import methods
from pivotlab_analysis.methods import METHODS
from pivotlab_analysis.records import load_run

import factory
from conftest import ROOT

DESCRIBED = json.loads(methods.FILE.read_text(encoding="utf-8"))
PACKAGE = ROOT / "analysis" / "pivotlab_analysis"
NAMES = "gsvd|[dz]?hz[0-7]?|hari|zimmermann|ldlt|pivoting|inertia|eig|jacobi|" + "|".join(METHODS)
GENERIC = [
    path
    for path in sorted(PACKAGE.rglob("*"))
    if path.suffix in (".py", ".j2", ".js") and not {*METHODS} & set(path.relative_to(PACKAGE).parts)
] + [ROOT / "scripts/metrics_page.py"]


@pytest.mark.parametrize("path", GENERIC, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_method_stands_outside_of_its_folder(path):
    assert re.findall(rf"(?i)(?<![a-z])(?:{NAMES})(?![a-z])", path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_columns_have_one_name_and_one_place_each(method):
    described = next(m for m in DESCRIBED["methods"] if m["name"] == method.name)
    columns = [*described["columns"], *DESCRIBED["columns"]]
    assert len(method.fields) == len(described["axes"]) + len(columns)
    assert len({field.place for field in method.fields.values()}) == len(method.fields)
    kinds = {*methods.NUMBERS, "text", "flag", "list", "object"}
    for field in method.fields.values():
        assert re.fullmatch(r"(/[a-z0-9_]+)+", field.place) and field.kind in kinds
        assert field.definition and "\n" not in field.definition and field.heading


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_numbers_say_how_they_are_computed_and_bounds_where_they_come_from(method):
    for field in method.fields.values():
        assert field.precision or field.kind != "scientific" or field.is_axis, field.name
        assert bool(field.bound) == bool(field.bound_source), field.name


def test_the_page_of_metrics_follows_from_the_description():
    """After a wanted change: python3 scripts/metrics_page.py > docs/reference/metrics.md"""
    assert (ROOT / "docs/reference/metrics.md").read_text(encoding="utf-8") == metrics_page.page(DESCRIBED)


def test_the_schema_has_every_place():
    schema = json.loads((ROOT / "results/record.schema.json").read_text(encoding="utf-8"))
    rules = {
        rule["if"]["properties"]["case"]["properties"]["method"]["const"]: rule["then"] for rule in schema["allOf"]
    }

    def known(part, names):
        choices = [part, *part.get("anyOf", [])]
        return not names or any(
            known(one["properties"][names[0]], names[1:]) for one in choices if names[0] in one.get("properties", {})
        )

    for method in METHODS.values():
        for field in method.fields.values():
            names = field.place.split("/")[1:]
            assert known(schema, names) or known(rules[method.name], names), f"{method.name}: {field.place}"


@pytest.mark.parametrize(
    ("kind", "value", "seen"),
    [
        ("integer", [1.0, 2.0], 2),
        ("text", ["noisy", "loaded"], "noisy,loaded"),
        ("seconds", "soon", None),
        ("object", {"re": []}, {"re": []}),
        ("scientific", None, None),
    ],
)
def test_values_are_of_their_kind(kind, value, seen):
    field = methods.Field("x", "/metrics/x", "x", kind, "")
    assert field.of({"metrics": {"x": value}}) == seen and field.of({"metrics": None}) is None


def test_frames_of_several_methods_go_together(tmp_path):
    records = [factory.record("a", "DHZ0-(ME-FB-ME)", 8), factory.ldlt_record("b", "LDLT-BP", 8)]
    records.append(factory.eig_record("c", "ZEIG-(RR)", 8))
    frames = []
    for record in records:
        spec = {"name": record["experiment"], "method": record["case"]["method"]}
        frames.append(load_run(factory.write_run(tmp_path, spec, [record])).frame)
    assert "residual_f" in frames[0] and "residual_f" not in frames[1]
    together = pd.concat(frames)
    assert together["wall_s"].tolist() == [0.5] * 3 and together["residual"].notna().sum() == 2
