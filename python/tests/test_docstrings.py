# SPDX-License-Identifier: BSD-3-Clause
"""Every public function has a docstring in NumPy's style, whose example runs."""

import doctest
import inspect

import pytest

import pivotlab

FUNCTIONS = [name for name in pivotlab.__all__ if not inspect.isclass(getattr(pivotlab, name))]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_example_runs(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    function = getattr(pivotlab, name)
    (test,) = doctest.DocTestFinder(recurse=False).find(function, name, globs={"pivotlab": pivotlab})
    assert test.examples, f"{name} has no example"
    said: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=said.append)
    assert not said, "".join(said)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_parameters_and_results_are_described(name):
    function = getattr(pivotlab, name)
    text = inspect.getdoc(function)
    parameters = [p for p in inspect.signature(function).parameters.values() if p.kind is not p.VAR_KEYWORD]
    described = text.partition("Parameters\n----------\n")[2].partition("\n\n")[0] if parameters else ""
    names = {
        own.strip() for line in described.splitlines() if line[:1] != " " for own in line.split(" : ")[0].split(",")
    }
    assert {p.name for p in parameters} <= names
    returns = inspect.signature(function).return_annotation
    assert ("Returns\n-------\n" in text) == (returns not in ("None", "NoReturn"))
