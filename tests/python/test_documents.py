# SPDX-License-Identifier: BSD-3-Clause
"""Links of Markdown files lead somewhere; guide and README.md keep their form; generated pages are current."""

import re
import subprocess
from functools import cache
from pathlib import Path

import pytest
import repeated_facts
import session_pages

from conftest import ROOT

FENCED = re.compile(r"^(```+).*?^\1", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(?<!`)\[[^\]]*\]\(([^()\s]+(?:\([^()]*\))?)\)")
GUIDE = sorted(page for page in (ROOT / "docs" / "guide").glob("*.md") if page.stem != "index")


def pages() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / name for name in listed.split("\n") if name]


@cache
def anchors(page: Path) -> set[str]:
    """Anchors of a page's headings, as GitHub and MyST make them."""
    headings = re.findall(r"^#+ (.*)$", FENCED.sub("", page.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def dead_links(page: Path) -> list[str]:
    dead = []
    for target in LINK.findall(FENCED.sub("", page.read_text(encoding="utf-8"))):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        aim = (page.parent / path).resolve() if path else page
        if not aim.exists() or (anchor and aim.suffix == ".md" and anchor not in anchors(aim)):
            dead.append(target)
    return dead


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    assert dead_links(page) == []


def test_a_dead_link_is_found(tmp_path):
    (tmp_path / "a.md").write_text("# A b\n[a](a.md#a-b) [b](b.md) [c](#c)\n```\n[d](d.md)\n```\n")
    assert dead_links(tmp_path / "a.md") == ["b.md", "#c"]


@pytest.mark.parametrize("page", GUIDE, ids=lambda page: page.stem)
def test_a_guide_s_page_is_short_and_goes_from_a_command_to_what_is_next(page):
    text = page.read_text(encoding="utf-8")
    assert len(text.split()) <= 1500
    assert re.match(r"# .*\n\n    \S.*\n(    .*\n)*\n", text), "the first lines are a title and a command"
    assert "```text\n" in text
    assert text.rstrip().split("\n\n")[-1].startswith("**Next:**")


def test_the_guide_is_short():
    assert sum(len(page.read_text(encoding="utf-8").split()) for page in GUIDE) <= 12000
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 80


def test_no_fact_stands_twice():
    assert list(repeated_facts.repeated(repeated_facts.written_pages())) == []


def test_a_fact_that_stands_twice_is_found():
    pages = {
        "a.md": "A run of the quick selection takes 4.5 minutes on two cores.",
        "b.md": "Orders n = 12345 are no facts. The quick selection takes 4.5 minutes.\n\n    takes 4.5 minutes",
        "c.md": "Another thing lasts 4.5 minutes.",
    }
    assert [(number, page, other) for number, page, _, other, _ in repeated_facts.repeated(pages)] == [
        ("4.5 minutes", "a.md", "b.md")
    ]


def test_pages_of_sessions_are_current(capsys):
    """After a wanted change: scripts/session_pages.py"""
    assert session_pages.main(check=True) == 0, capsys.readouterr().out
