# SPDX-License-Identifier: BSD-3-Clause
"""Records, manifests and names as no run of pivotlab makes them: nothing ends a report, leaves its folder or becomes
markup."""

import copy
import json
import random

import pytest
from pivotlab_analysis import Library, history, plots, render, report
from pivotlab_analysis.errors import InputError
from pivotlab_analysis.exhibits import build_sections, judge
from pivotlab_analysis.files import printable
from pivotlab_analysis.model import Figure, Panel, Series
from pivotlab_analysis.records import load_run, load_runs

import factory

EVIL = "<img src=x onerror=alert(1)>"
ODD = (
    None,
    True,
    "text",
    EVIL,
    "{data}/A.mtx",
    "$x",
    -1,
    9,
    0.5,
    1e308,
    [],
    ["a", 1],
    [None],
    {},
    {"a": {}},
    "\x1b[2J",
)


def records():
    gsvd = [factory.record("table6", "DHZ0-(ME-FB-ME)", n) for n in (64, 128)]
    others = [("lapack:dggsvd3", 64, "passed"), ("DHZ0-(ME-FB-ME)", 256, "timeout")]
    return [*gsvd, *(factory.record("table6", name, n, status=status) for name, n, status in others)]


def places(value, place=()):
    """The place of every member, with those of objects."""
    if isinstance(value, dict):
        for name, member in value.items():
            yield (*place, name)
            yield from places(member, (*place, name))


def with_value(record, place, value):
    changed = copy.deepcopy(record)
    at = changed
    for name in place[:-1]:
        at = at[name]
    at[place[-1]] = value
    return changed


def shown(folder):
    """All that a report shows of the runs in a folder."""
    runs = load_runs([folder])
    sections = build_sections(runs, Library())
    tables = [table for section in sections for table in section.tables]
    texts = [write(table) for table in tables for write in render.FORMATS.values()]
    texts += [report.build(sections), judge(sections).sentence, history.samples(runs)]
    texts += [render.to_text(table) for table in history.histories(runs, runs[0].records[0]["key"])]
    return sections, texts


@pytest.fixture
def without_plotly(monkeypatch):
    monkeypatch.setattr(report.plotly.offline, "get_plotlyjs", lambda: "")


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("spec", ["table6", None])
def test_an_odd_value_is_a_problem_in_one_line_and_the_others_are_shown(tmp_path, without_plotly, spec, seed):
    draw = random.Random(seed)
    whole = records()
    for trial in range(10):
        folder = tmp_path / str(trial)
        odd = draw.randrange(len(whole))
        changed = with_value(whole[odd], draw.choice(list(places(whole[odd]))), draw.choice(ODD))
        run = factory.write_run(
            folder,
            factory.spec(spec) if spec else {"name": "sweep", "method": "gsvd", "report": None},
            [changed if k == odd else record for k, record in enumerate(whole)],
        )
        try:
            sections, _ = shown(run)
        except InputError as error:
            assert "\n" not in str(error), changed
            continue
        problems = [problem for section in sections for problem in section.run.problems]
        assert all("\n" not in problem for problem in problems)
        # No exhibit stumbles over what the check of the records has let pass.
        assert not any("cannot be made" in problem for problem in problems), problems
        assert len(sections[0].run.records) >= len(whole) - 1


def test_the_problem_names_the_file_and_the_place(tmp_path):
    whole = records()
    cases = {"/time/compute_s/median": -1.0, "/environment/cpu": 9, "/provenance/commit": 12, "/case/solver": None}
    for place, value in cases.items():
        changed = with_value(whole[0], place.split("/")[1:], value)
        changed["key"] = whole[0]["key"]
        run = factory.write_run(tmp_path / place.replace("/", "-"), factory.spec("table6"), [changed, *whole[1:]])
        loaded = load_run(run)
        assert len(loaded.records) == len(whole) - 1
        (problem,) = loaded.problems
        assert problem.startswith(f"{run / 'records' / whole[0]['key']}.json: {place}: ")


def test_a_run_that_surprises_a_builder_leaves_the_others(tmp_path, monkeypatch):
    for name in ("table4", "table6"):
        factory.write_run(tmp_path, factory.spec(name), [factory.record(name, "DHZ0-(ME-FB-ME)", 64)])
    from pivotlab_analysis import exhibits

    build = exhibits.build_section
    surprise = lambda run, *rest: 1 // 0 if run.name == "table4" else build(run, *rest)  # noqa: E731
    monkeypatch.setattr(exhibits, "build_section", surprise)
    first, second = build_sections(load_runs([tmp_path]), Library())
    assert "cannot be made: ZeroDivisionError" in first.run.problems[-1] and not first.tables
    assert second.tables and not second.run.problems
    assert judge([first, second]).level == "bad"


@pytest.mark.parametrize("name", ["../../../../outside", "/tmp/outside", "a/../../b", "..", ".", "", "x" * 300, "a\0b"])
def test_figures_stay_in_their_folder(tmp_path, name):
    folder = tmp_path / "a" / "b" / "figures"
    figure = Figure(name, "T", [Panel("P", "x", "y", [Series("L", "published", [1, 2], [1, 2])])])
    run = load_run(factory.write_run(tmp_path / "runs", factory.spec("table6"), records()))
    run.manifest["spec"]["name"] = name
    section = type("Section", (), {"run": run, "figures": [figure]})
    written = plots.save_all([section], folder, ["svg"])
    assert written and all(path.resolve().is_relative_to(folder.resolve()) for path in written)
    assert [path for path in tmp_path.rglob("*.svg") if not path.is_relative_to(folder)] == []


def test_figures_follow_no_link_out_of_their_folder(tmp_path):
    run = load_run(factory.write_run(tmp_path / "runs", factory.spec("table6"), records()))
    folder, outside = tmp_path / "figures", tmp_path / "outside"
    folder.mkdir()
    outside.mkdir()
    (folder / "table6").symlink_to(outside)
    section = type("Section", (), {"run": run, "figures": [Figure("f", "T", [])]})
    with pytest.raises(InputError, match="is a link"):
        plots.save_all([section], folder, ["svg"])
    assert not list(outside.iterdir())


def test_dollars_are_no_mathematics(tmp_path):
    figure = Figure(
        "f", r"$\nonsense{", [Panel("$a$b$", "$x", r"\$", [Series("$$", "published", [1, 2], [1, 2])])], ["$^$"]
    )
    assert plots.save(figure, tmp_path, ["svg"])


@pytest.mark.parametrize("count", [1, 3, 60, 200])
def test_images_have_at_most_10000_pixels_a_side(count, monkeypatch):
    monkeypatch.setattr(plots, "draw_panel", lambda *arguments: None)
    figure = Figure("f", "T", [Panel(str(k), "x", "y", []) for k in range(count)])
    canvas = plots.draw(figure)
    width, height = (side * min(300, 10_000 / max(canvas.get_size_inches())) for side in canvas.get_size_inches())
    assert max(width, height) <= 10_000
    assert count < 60 or 1 / 3 < width / height < 3


@pytest.mark.parametrize("count, files", [(1, 1), (2, 1), (4, 1), (11, 3)])
def test_a_file_is_as_wide_as_a_column_or_a_page_and_fits_it(tmp_path, count, files):
    lines = [Series(f"a label of a solver {k}", "solver-0", [1, 2], [1, 2]) for k in range(5)]
    figure = Figure("f", "T " * 99, [Panel(str(k), "x", "y", lines) for k in range(count)], ["note " * 99])
    written = plots.save(figure, tmp_path, ["png"])
    assert len(written) == files == len({path.name for path in written})
    for path in written:
        width, height = (int.from_bytes(path.read_bytes()[at : at + 4], "big") * 25.4 / 300 for at in (16, 20))
        assert width == pytest.approx(86 if count == 1 else 178, abs=0.2) and height <= 240


def test_texts_of_records_are_no_markup(tmp_path, without_plotly):
    whole = [with_value(record, ("message",), EVIL) for record in records()]
    for place in (("environment", "cpu"), ("environment", "os"), ("provenance", "started"), ("case", "generator")):
        whole = [with_value(record, place, EVIL) for record in whole]
    spec = factory.spec("table6") | {"name": EVIL, "title": EVIL, "source": EVIL}
    folder = factory.write_run(tmp_path, {**spec, "name": "run"}, whole)
    manifest = json.loads((folder / "manifest.json").read_text())
    for where in [manifest["spec"]] if "spec" in manifest else [manifest]:
        where.update(name=EVIL, title=EVIL, source=EVIL)
    (folder / "manifest.json").write_text(json.dumps(manifest))
    sections, _ = shown(folder)
    page = report.build(sections)
    assert EVIL not in page and "<img" not in page
    assert all(EVIL not in render.to_html(table) for section in sections for table in section.tables)


def test_messages_have_no_control_characters():
    assert "\x1b" not in printable("\x1b[2J")
