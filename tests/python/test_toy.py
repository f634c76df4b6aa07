# SPDX-License-Identifier: BSD-3-Clause
"""The toy program (tests/toy): records of a method that the project does not know, their schema, and their report."""

import gzip
import json
import os
import re
import subprocess
from pathlib import Path

import jsonschema
import pytest

ROOT = Path(__file__).resolve().parents[2]
TOY = Path(os.environ.get("PIVOTLAB_TOY", ROOT / "build/release/tests/toy/toy"))

pytestmark = pytest.mark.skipif(not TOY.exists(), reason="the program toy is not built")


def toy(folder: Path, *arguments: str) -> str:
    environment = {**os.environ, "PIVOTLAB_HOME": str(ROOT)}
    command = [str(TOY), *arguments]
    return subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True, text=True).stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("toy")
    toy(
        folder,
        "sweep",
        "power",
        "-n",
        "4,8,16",
        "--start",
        "O,F",
        "--baseline",
        "steps:d10000",
        "--backend",
        "host",
        "--quiet",
        "-o",
        "runs/a",
    )
    return folder


def test_records_follow_the_schema_that_the_program_prints(folder):
    check = jsonschema.Draft202012Validator(json.loads(toy(folder, "list", "schema")))
    with gzip.open(folder / "runs/a/records.jsonl.gz") as lines:
        records = [json.loads(line) for line in lines]
    assert len(records) == 9
    for record in records:
        check.validate(record)
    records[0]["metrics"]["unknown"] = 1.0
    assert not check.is_valid(records[0])


def test_report_shows_the_method(folder):
    toy(folder, "report", "runs/a", "-o", "page.html")
    text = re.sub(r"<[^>]+>", " ", (folder / "page.html").read_text())
    for wanted in ("power", "POWER-O", "steps:d10000", "lambda err", "residual"):
        assert wanted in text
