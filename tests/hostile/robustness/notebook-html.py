#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What a notebook shows of a run must be escaped: a colleague's folder must not run scripts in the reader's page."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

import pivotlab

with tempfile.TemporaryDirectory() as folder:
    out = pathlib.Path(folder) / "run"
    subprocess.run(
        [os.environ["PIVOTLAB_BIN"], "sweep", "ldlt", "-n", "4", "--pivot", "BP", "-o", out, "--quiet"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=folder,
    )
    evil = "<img src=x onerror=alert(1)>"
    file = out / "manifest.json"
    manifest = json.loads(file.read_text())
    manifest["spec"]["name"] = evil
    manifest["spec"]["title"] = evil
    file.write_text(json.dumps(manifest))
    html = pivotlab.load_runs(out)._repr_html_()
wrong = evil in html
print(
    "WRONG: the name of a run is shown unescaped:" if wrong else "right: names are escaped:",
    html[:90].replace("\n", " "),
)
sys.exit(wrong)
