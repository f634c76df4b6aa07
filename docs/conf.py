# SPDX-License-Identifier: BSD-3-Clause
"""Configuration of the web site (docs/build)."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "python"))

project, author, copyright = "pivotlab", "the pivotlab authors", "2026, the pivotlab authors"
release = re.search(r"project\(pivotlab VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]

extensions = ["myst_parser", "sphinx_copybutton", "sphinx.ext.autodoc", "breathe"]
exclude_patterns = ["requirements.txt"]
myst_heading_anchors = 3

autodoc_mock_imports = ["pivotlab._core"]
autodoc_member_order = "bysource"
autodoc_typehints = "none"
breathe_projects = {"pivotlab": str(ROOT / "build" / "docs" / "doxygen" / "xml")}
breathe_default_project = "pivotlab"

html_theme = "pydata_sphinx_theme"
html_title = f"pivotlab {release}"
html_theme_options = {"navigation_depth": 2, "show_nav_level": 1, "secondary_sidebar_items": ["page-toc"]}
html_show_sourcelink = False

OUTSIDE = re.compile(r"\[([^\]]*)\]\(\.\./\.\./([^)\s#]*)(?:#[^)\s]*)?\)")


def name_files_outside(_app, _name: str, source: list[str]) -> None:
    """Names files of the repository in place of links that leave docs/, which the site does not have."""
    source[0] = OUTSIDE.sub(lambda link: f"{link[1]} (`{link[2]}`)", source[0])


def keep_lines(_app, _what, _name, _object, _options, lines: list[str]) -> None:
    """Shows a docstring as it is: plain text, with formulas that are no markup."""
    if any(lines):
        lines[:] = [".. code-block:: text", "", *(f"   {line}" for line in lines), ""]


def setup(app) -> None:
    app.connect("autodoc-process-docstring", keep_lines)
    app.connect("source-read", name_files_outside)
