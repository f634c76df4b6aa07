# SPDX-License-Identifier: BSD-3-Clause
"""Images are made from this checkout alone, and contain the notices of licences."""

import re
import subprocess

import pytest

from conftest import ROOT

PACKAGING = ROOT / "packaging"


@pytest.mark.parametrize("name", ["Dockerfile", "pivotlab.def"])
def test_an_image_is_a_plain_base_with_what_container_sh_installs(name):
    text = (PACKAGING / name).read_text()
    bases = re.findall(r"^(?:ARG BASE=|FROM |From: )(.*)$", text, re.MULTILINE)
    assert {base for base in bases if base != "${BASE}"} == {"debian:12"}
    assert re.search(r"packaging/container\.sh (\S+)", text)[1] == "/opt/pivotlab"


def test_an_installation_without_notices_is_no_image():
    script = (PACKAGING / "container.sh").read_text()
    (check,) = re.findall(r"^for notice in .*$", script, re.MULTILINE)
    for notice in ("LICENSE", "THIRD_PARTY.md"):
        assert notice in check and (ROOT / notice).stat().st_size > 0
    assert "set -euo pipefail" in script
    subprocess.run(["bash", "-n", PACKAGING / "container.sh"], check=True)
