# SPDX-License-Identifier: BSD-3-Clause
"""No file is lost, no other is touched, and whatever cannot be read or written is told in one line."""

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from pivotlab_analysis.__main__ import main
from pivotlab_analysis.errors import InputError
from pivotlab_analysis.files import printable, write

import factory
from conftest import ROOT


@pytest.fixture
def run(tmp_path):
    return factory.write_run(tmp_path / "runs", factory.spec("graded"), factory.graded_records())


def tree(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() if p.is_file() else b"" for p in folder.rglob("*")}


def limited(*words, stdout=subprocess.PIPE):
    """The command while no file may grow beyond 1000 bytes, as on a full disk."""
    return subprocess.run(
        [sys.executable, "-m", "pivotlab_analysis", *map(str, words)],
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT / "analysis",
        env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},  # or it is cut off, and read ever after
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)),
    )


@pytest.mark.parametrize("more", ([], ["--figures"]), ids=["page", "figures"])
def test_report_on_a_full_disk_names_the_file_and_leaves_nothing(run, tmp_path, more):
    before = tree(tmp_path)
    page = tmp_path / "r.html"
    done = limited("report", run, "-o", page, *more, *(tmp_path / "figures" for _ in more))
    assert done.returncode == 2 and done.stdout == ""
    (line,) = done.stderr.splitlines()
    file = tmp_path / "figures" / "graded" if more else page
    assert line.startswith(f"pivotlab_analysis: {file}")
    assert line.endswith(": cannot be written: File too large; free space there or write elsewhere")
    assert tree(tmp_path) == before


def test_a_page_that_cannot_be_replaced_stays(run, tmp_path):
    page = tmp_path / "r.html"
    page.write_text("precious")
    assert limited("report", run, "-o", page, "--force").returncode == 2
    assert page.read_text() == "precious" and len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize(
    ("place", "complaint"),
    [
        ("none", "none: is not a regular file; give the name of a file"),
        ("new/folder/r.html", "r.html: cannot be written: No such file or directory; create the directory first"),
        ("file/r.html", "file/r.html: cannot be written: Not a directory; write elsewhere"),
        ("/proc/r.html", "/proc/r.html: cannot be written: "),
        ("x" * 300, ": cannot be written: File name too long; write elsewhere"),
    ],
)
def test_every_failure_to_write_names_the_file(run, tmp_path, capsys, place, complaint):
    (tmp_path / "none").mkdir()
    (tmp_path / "file").write_text("")
    before = tree(tmp_path)
    assert main(["report", str(run), "-o", str(tmp_path / place)]) == 2
    assert complaint in capsys.readouterr().err
    assert tree(tmp_path) == before


def test_standard_output_that_is_full_is_told(run):
    with open("/dev/full", "w") as full:
        done = limited("tables", run, stdout=full)
    assert done.returncode == 2
    assert done.stderr == "pivotlab_analysis: standard output: No space left on device; choose another place\n"


def test_standard_output_that_is_closed_is_told(run):
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" >&-', "sh", sys.executable, "-m", "pivotlab_analysis", "tables", run],
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT / "analysis",
    )
    assert done.returncode == 2
    assert done.stderr == "pivotlab_analysis: standard output: is closed; choose another place\n"


def test_a_file_that_exists_is_replaced_only_by_force(run, tmp_path, capsys):
    page = tmp_path / "r.html"
    page.write_text("precious")
    assert main(["report", str(run), "-o", str(page)]) == 2
    assert capsys.readouterr().err == (
        f"pivotlab_analysis: {page}: exists; add --force to replace it, or give another name\n"
    )
    assert page.read_text() == "precious"
    assert main(["report", str(run), "-o", str(page), "--force"]) == 0
    assert page.read_text().startswith("<!")


@pytest.mark.parametrize("link", [None, os.symlink, os.link])
def test_an_input_is_never_replaced(run, tmp_path, capsys, link):
    stages = tmp_path / "s.png"
    stages.write_text("{}")
    record = next((run / "records").iterdir())
    before = tree(tmp_path)
    for command, file in (
        (["stages", stages], stages),
        (["report", run], record),
        (["report", run], run / "manifest.json"),
    ):
        output = file
        if link:
            output = tmp_path / "link"
            link(file, output)
        assert main([*map(str, command), "-o", str(output), "--force"]) == 2
        assert capsys.readouterr().err.endswith(": is an input, which would be lost; give another name\n")
        if link:
            output.unlink()
    assert tree(tmp_path) == before


def test_a_fifo_is_refused_and_not_waited_for(run, tmp_path, capsys):
    fifo = run / "records" / f"{'0' * 32}.json"
    os.mkfifo(fifo)
    assert main(["tables", str(run)]) == 0
    assert main(["validate", str(run)]) == 1
    assert f"{fifo}: not a regular file; name one" in capsys.readouterr().out
    fifo.rename(run / "manifest.json")
    assert main(["tables", str(run)]) == 2
    assert capsys.readouterr().err == f"pivotlab_analysis: {run / 'manifest.json'}: not a regular file; name one\n"


def test_nothing_is_written_through_links(tmp_path, monkeypatch):
    victim, page = tmp_path / "victim", tmp_path / "r.html"
    victim.write_text("precious")
    monkeypatch.setattr("secrets.token_hex", lambda _: "0")
    for name in (".r.html.part", ".r.html.0.tmp"):
        (tmp_path / name).symlink_to(victim)
    with pytest.raises(InputError, match="File exists"):
        write(page, "page")
    page.symlink_to(victim)
    monkeypatch.undo()
    write(page, "page")
    assert victim.read_text() == "precious" and page.read_text() == "page" and not page.is_symlink()


def test_nothing_that_is_shown_steers_a_terminal(run, capsys):
    assert (
        printable("\x1b]0;title\x07 \x9b31m\n\u202e\u2028\udcff\x7f")
        == r"\x1b]0;title\x07 \x9b31m\n\u202e\u2028\xff\x7f"
    )
    assert printable("κ(F) = 10⁻¹², “±” \\ é") == "κ(F) = 10⁻¹², “±” \\ é"
    manifest = json.loads((run / "manifest.json").read_text())
    manifest["spec"]["title"] = "\x1b[2Jtitle"
    (run / "manifest.json").write_text(json.dumps(manifest))
    for words in (["tables", str(run)], ["tables", "no\x1b[31msuch"], ["plots", str(run), "-o", str(run / "\x1b[31m")]):
        main(words)
    with pytest.raises(SystemExit):
        main(["tables", "--format", "\x1b[31m"])
    out, err = capsys.readouterr()
    assert "\x1b" not in out + err and r"no\x1b[31msuch" in err
