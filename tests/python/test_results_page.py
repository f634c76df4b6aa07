# SPDX-License-Identifier: BSD-3-Clause
"""docs/reference/results.md, its pictures, and README's table of times are what the committed records say."""

import exhibits_page
import results_page

from conftest import ROOT


def test_the_gallery_is_made_from_the_committed_records(capsys):
    """After a wanted change: scripts/results_page.py"""
    assert results_page.main(check=True) == 0, capsys.readouterr().out


def test_the_page_of_exhibits_follows_from_their_builders():
    """After a wanted change: scripts/exhibits_page.py > docs/reference/exhibits.md"""
    assert (ROOT / "docs/reference/exhibits.md").read_text(encoding="utf-8") == exhibits_page.page()
