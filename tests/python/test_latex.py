# SPDX-License-Identifier: BSD-3-Clause
"""Tables in LaTeX: pdflatex typesets them with the packages that they name."""

import re
import shutil
import subprocess

import pytest
from pivotlab_analysis.__main__ import main
from pivotlab_analysis.model import Column, Table
from pivotlab_analysis.render import to_latex

import factory

PDFLATEX = shutil.which("pdflatex")


def typeset(folder, tables):
    """Returns what pdflatex says of a document with the tables."""
    packages = re.match(r"% (.*)", tables)[1]
    body = f"\\documentclass{{article}}\n{packages}\n\\begin{{document}}\n{tables}\n\\end{{document}}\n"
    (folder / "tables.tex").write_text(body, encoding="utf-8")
    command = [PDFLATEX, "-interaction=nonstopmode", "-halt-on-error", "tables.tex"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=120)
    assert done.returncode == 0, done.stdout[-2000:]
    return done.stdout


@pytest.mark.skipif(PDFLATEX is None, reason="no pdflatex")
def test_tables_of_several_runs_are_typeset_with_unique_labels(tmp_path, capsys):
    factory.write_run(tmp_path, factory.spec("quick"), factory.quick_records())
    factory.write_run(tmp_path, factory.spec("graded"), factory.graded_records())
    main(["tables", str(tmp_path), "--format", "latex"])
    tables = capsys.readouterr().out
    labels = re.findall(r"\\label\{(.*?)\}", tables)
    assert len(labels) == len(set(labels)) > 5 and "tab:quick-table6-d" in labels
    said = typeset(tmp_path, tables)
    assert "multiply defined" not in said and "Overfull" not in said  # a wide table is scaled to the line


@pytest.mark.skipif(PDFLATEX is None, reason="no pdflatex")
def test_what_tables_contain_is_typeset(tmp_path):
    texts = ["‖A − PᵀMDMᵀP‖∞/‖A‖∞", "κ₂(F) ≈ 2⁻⁵², Σ_F·X ≤ ε", "50 % & _#$ {a} ~ ^ \\\\", "(B·D, C) → … × σ", "ÜVᴴ†"]
    columns = [Column(f"{text}\n{text}", "text", text) for text in texts]
    table = Table("odd", texts[2], columns, [texts, ["", None, 1.5, "x", "y"]], texts)
    typeset(tmp_path, to_latex(table))
