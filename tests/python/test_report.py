# SPDX-License-Identifier: BSD-3-Clause
"""The report, as a reader's browser shows it."""

import re
import subprocess
import sys

import pytest
from pivotlab_analysis import Library, exhibits, report
from pivotlab_analysis.records import load_runs

import browser
import factory
from conftest import ROOT


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    factory.write_run(folder, factory.spec("graded"), factory.graded_records())
    factory.write_run(folder, factory.spec("quick"), factory.quick_records())
    return folder


def sections_of(folder):
    return [exhibits.build_section(run, Library()) for run in load_runs([folder])]


@pytest.fixture(scope="module")
def page(runs):
    path = runs.parent / f"{runs.name}.html"
    path.write_text(report.build(sections_of(runs)), encoding="utf-8")
    return path


needs_browser = pytest.mark.skipif(browser.PROGRAM is None, reason="no Chromium")


def test_page_needs_no_network(page):
    text = page.read_text(encoding="utf-8")
    outside = re.sub(r"<script.*?</script>", "", text, flags=re.S)
    assert not re.search(r"""(?:src|href)=["']?(?:https?:)?//""", outside)
    assert "@import" not in outside and text.count("Plotly.react") >= 1


@pytest.fixture(scope="module")
def window(page):
    if browser.PROGRAM is None:
        pytest.skip("no Chromium")
    with browser.Browser() as window:
        window.open(page.as_uri())
        window.wait("document.documentElement.dataset.drawn === 'true'")
        yield window


@pytest.fixture(scope="module")
def second_browser():
    if browser.PROGRAM is None:
        pytest.skip("no Chromium")
    with browser.Browser() as window:
        yield window


@pytest.fixture
def fresh(second_browser):
    """A browser that shows no page yet."""
    yield second_browser
    second_browser.close()


@needs_browser
def test_page_loads_without_errors_or_requests(window, page):
    assert window.errors == []
    assert {url for url in window.requests if not url.startswith("data:")} == {page.as_uri()}


@needs_browser
def test_plots_are_drawn_near_the_screen_and_all_of_them_for_paper(window):
    assert 0 < window.run("document.querySelectorAll('.experiment .main-svg').length") < 13
    window.run("dispatchEvent(new Event('beforeprint'))")
    plots = window.run("document.querySelectorAll('.experiment .plot').length")
    assert plots == 13  # three families of graded pairs, three figures of two panels, the speed of two types
    counts = window.run(
        "[...document.querySelectorAll('.plot')].map(p => p.querySelectorAll('.scatterlayer .trace').length)"
    )
    assert min(counts) >= 1
    legend = window.run(
        "[...document.querySelectorAll('.plot')[3].querySelectorAll('.legendtext')].map(t => t.textContent)"
    )
    assert legend == ["published, V100", "MM-BO-ME", "MM-FB-ME", "ME-BO-ME", "ME-FB-ME"]  # as the lines end


@needs_browser
def test_paper_is_light_and_shows_whole_tables(window):
    window.run("document.documentElement.dataset.theme = 'dark'; dispatchEvent(new Event('beforeprint'))")
    state = "[document.documentElement.dataset.theme, getComputedStyle(document.body).color]"
    assert window.run(state) == ["light", "rgb(17, 24, 39)"]
    tables = "[...document.querySelectorAll('.experiment .table-box > table')]"
    widths = window.run(f"{tables}.map(table => table.getBoundingClientRect().width)")
    assert widths and max(widths) <= 690
    window.run("dispatchEvent(new Event('afterprint'))")
    assert window.run(state)[0] == "dark" and set(window.run(f"{tables}.map(table => table.style.zoom)")) == {""}
    window.run("delete document.documentElement.dataset.theme")


@needs_browser
def test_verdict_is_the_first_thing(window):
    assert "good" in window.run("document.querySelector('.verdict').className")
    sentence = window.run("document.querySelector('.sentence').textContent")
    assert "All 89 cases passed; 27 cases of other methods lost accuracy or failed" in sentence
    assert window.run("document.querySelector('.verdict').getBoundingClientRect().bottom") < 500


@needs_browser
def test_first_screen_has_numbers_and_findings_with_links(window):
    values = window.run("[...document.querySelectorAll('.headlines a')].map(a => a.textContent)")
    assert len(values) == 4 and "4.8e-14 largest res F of 83 cases" in values[0]
    assert values[1].startswith("6e-14 largest sigma err") and values[3] == "89 of 116 cases passed"
    assert values[2] == "1.34 s → 0.12 s LAPACK dggsvd3 → DHZ0-(ME-FB-ME), n = 256: 11.1× as fast"
    links = "[...document.querySelectorAll('.headlines a, .findings a, #contents a')].map(a => a.getAttribute('href'))"
    anchors = [link[1:] for link in window.run(links) if not link.startswith("#q=")]
    assert {"s0-t0", "s1-t4", "s1-f2", "records"} <= set(anchors)
    assert all(window.run(f"document.getElementById('{anchor}') !== null") for anchor in anchors)
    assert window.run("document.querySelector('h1').textContent").startswith("2 experiments: ")


@needs_browser
def test_records_are_sorted_by_a_heading(fresh, page):
    window = fresh
    window.open(page.as_uri())

    def column(index):
        cells = f"[...document.querySelectorAll('#list tr.record')].map(row => row.children[{index}].textContent)"
        return window.run(cells)

    heads = window.run("[...document.querySelectorAll('button.sort')].map(b => b.textContent)")
    n = heads.index("n")
    before = column(n)
    assert before != sorted(before, key=int)
    window.run(f"document.querySelectorAll('button.sort')[{n}].click()")
    assert column(n) == sorted(column(n), key=int)
    window.run(f"document.querySelectorAll('button.sort')[{n}].click()")
    assert column(n) == sorted(column(n), key=int, reverse=True)
    assert window.run(f"document.querySelectorAll('#list th')[{n}].getAttribute('aria-sort')") == "descending"
    sweeps = heads.index("sweeps")
    window.run(f"document.querySelectorAll('button.sort')[{sweeps}].click()")
    known = [int(text) for text in column(sweeps) if text != "—"]
    assert known == sorted(known) and column(sweeps)[len(known) :] == ["—"] * (
        100 - len(known)
    )  # without a value: last


@needs_browser
def test_search_narrows_as_one_types_and_opens_records(window):
    def rows():
        return window.run("[...document.querySelectorAll('#list tr.record')].map(row => row.textContent)")

    assert window.run("document.getElementById('count').textContent") == "116 records"
    assert len(rows()) == 100  # the rest behind "Show more"
    types = [re.match("graded([dz])|quick([dz])", row)[0] for row in rows()]
    assert types == sorted(types)
    window.type("#q", "dhz0 n=128")
    assert len(rows()) == 4 and all("DHZ0" in row and "128" in row for row in rows())
    assert window.run("document.getElementById('count').textContent") == "4 of 116 records"
    assert window.run("location.hash") == "#q=dhz0%20n%3D128"
    window.run("document.querySelector('#list tr.record').click()")
    assert '"DHZ0-(ME-BO-ME)"' in window.run("document.querySelector('#list tr.detail').textContent")
    window.type("#q", "status=incorrect solver=lapack:dsygvd")
    assert len(rows()) == 9
    window.type("#q", "n=12")
    assert rows() == [] and window.run("document.querySelector('#list .none').textContent") == "No record matches."
    window.type("#q", " ")
    window.run("document.getElementById('more').click()")
    assert len(rows()) == 116
    assert window.errors == []


@needs_browser
def test_axes_can_be_chosen_and_a_link_keeps_the_choice(fresh, page):
    def drawn(window):
        window.wait("document.documentElement.dataset.drawn === 'true'")
        plots = "[...document.querySelectorAll('#explore .plot')]"
        window.run("document.getElementById('explore').scrollIntoView({behavior: 'instant'})")
        window.wait(f"{plots}.every(p => p.data)")
        lines = f"{plots}.map(p => p.data.filter(t => t.showlegend !== false).map(t => [t.name, t.x.length]))"
        return window.run(lines), window.run(f"{plots}.map(p => p.layout.yaxis.title.text)")

    def choose(window, name, value):
        select = f"""document.querySelector('.choices [name="{name}"]')"""
        change = "dispatchEvent(new Event('change', {bubbles: true}))"
        window.run(f"(() => {{ const s = {select}; s.value = {value!r}; s.{change}; }})()")

    fresh.open(page.as_uri())
    choose(fresh, "experiment", "quick")
    lines, labels = drawn(fresh)
    assert labels == ["time s", "time s"] and len(lines[0]) == 9 and ["DHZ0-(ME-BO-ME)", 4] in lines[0]
    choose(fresh, "y", "times as fast")
    choose(fresh, "panels", "type")
    choose(fresh, "lines", "blocking")
    lines, labels = drawn(fresh)
    assert len(lines) == 2 and labels[0].startswith("times as fast as lapack:dggsvd3")
    assert {name for name, _ in lines[0]} == {"FB", "BO", "—"} and lines[0][0][1] == 4
    link = fresh.run("location.href")
    assert fresh.errors == []
    fresh.close()
    fresh.open(link)
    assert drawn(fresh) == (lines, labels) and fresh.errors == []


@needs_browser
def test_wide_tables_are_split_between_groups_of_columns_on_paper(fresh, tmp_path):
    sizes, names = range(512, 4608, 512), [f"DHZ{k}-(ME-FB-ME)" for k in range(8)]
    records = [factory.record("sweep", name, n, wall_s=1.0) for n in sizes for name in names]
    tables = [{"kind": "speed", "title": "T", "reference": "?HZ0-(ME-FB-ME)"}]
    spec = {"name": "sweep", "method": "gsvd", "report": {"tables": tables}}
    path = tmp_path / "page.html"
    path.write_text(report.build(sections_of(factory.write_run(tmp_path / "runs", spec, records))), encoding="utf-8")
    texts = "[...document.querySelectorAll('article table')].filter(t => !t.hidden).map(t => t.innerText)"
    fresh.open(path.as_uri())
    (whole,) = fresh.run(texts)
    fresh.run("dispatchEvent(new Event('beforeprint'))")
    parts = fresh.run(texts)
    assert len(parts) > 1 and all(name in part for part in parts for name in names)
    heads = [word for part in parts for word in re.findall(r"n = \d+", part.splitlines()[0])]
    assert heads == [f"n = {n}" for n in sizes]
    fresh.run("dispatchEvent(new Event('afterprint'))")
    assert fresh.run(texts) == [whole] and fresh.errors == []


@needs_browser
def test_tables_can_be_taken_away_as_csv(window):
    window.run("URL.createObjectURL = blob => { window.taken = blob; return 'data:,'; }")
    window.run("document.querySelector('button.csv').click()")
    assert window.run("taken.text()").startswith("pair,g,")


@needs_browser
def test_a_link_can_carry_a_search(window):
    window.run("location.hash = '#q=graded+type%3Dd'")
    window.wait("document.documentElement.dataset.found === '54'")


@needs_browser
def test_theme_follows_the_system_and_the_button(fresh, page):
    fresh.show(dark=True)
    fresh.open(page.as_uri())
    fresh.wait("document.documentElement.dataset.drawn === 'true'")
    background = "getComputedStyle(document.body).backgroundColor"
    color = "document.querySelector('.plot').data.at(-1).line.color"
    dark = fresh.run(background), fresh.run(color)
    fresh.run("document.getElementById('theme').click()")
    fresh.wait(f"{background} !== '{dark[0]}'")
    assert fresh.run("document.documentElement.dataset.theme") == "light"
    assert fresh.run(color) != dark[1]
    assert fresh.errors == []


@needs_browser
def test_phone_does_not_scroll_sideways(fresh, page):
    fresh.show(width=390, height=800)
    fresh.open(page.as_uri())
    assert fresh.run("document.documentElement.scrollWidth") == 390


@needs_browser
def test_dump_of_the_page_by_plain_headless_chromium_has_the_records(page):
    flags = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--virtual-time-budget=5000",
        "--dump-dom",
    ]
    dump = subprocess.run(
        [browser.PROGRAM, *flags, f"{page.as_uri()}#q=zhz7"], capture_output=True, text=True, timeout=120, check=True
    )
    assert 'data-found="3"' in dump.stdout and 'data-ready="true"' in dump.stdout


def test_hostile_text_stays_text(tmp_path):
    evil = "</script><script>document.title = 'owned'</script><img src=x onerror=alert(1)>"
    record = factory.record("table4", "DHZ0-(ME-FB-ME)", 64, status="failed", message=evil)
    factory.write_run(tmp_path, factory.spec("table4") | {"title": evil}, [record])
    text = report.build(sections_of(tmp_path))
    assert "</script><script>document.title" not in text and "<img src=x" not in text


def test_records_that_cannot_be_read_and_cases_that_did_not_run_are_told(tmp_path):
    records = [factory.record("table4", "DHZ0-(ME-FB-ME)", n) for n in (64, 128, 192)]
    run = factory.write_run(tmp_path, factory.spec("table4"), records[:2], planned=records)
    (run / "records" / f"{records[0]['key']}.json").write_text("{")
    text = report.build(sections_of(tmp_path))
    assert "The one case passed; 1 planned case has not run; 1 record could not be read." in text
    assert 'class="verdict bad"' in text and 'class="problem"' in text


def test_flagged_times_are_told(tmp_path):
    records = [factory.record("table4", "DHZ0-(ME-FB-ME)", n) for n in (64, 128, 192)]
    records[0]["time"]["flags"] = ["noisy", "loaded"]
    records[1]["time"]["flags"] = ["loaded"]
    factory.write_run(tmp_path, factory.spec("table4"), records)
    text = report.build(sections_of(tmp_path))
    said = "1 of 3 times is noisy (with a spread above the limit), 2 loaded (while the machine had other work)."
    assert said in text
    assert command("tables", tmp_path).stdout.splitlines()[-1] == said


def test_nothing_passed_is_never_good(tmp_path):
    records = [factory.record("table4", "cusolver:dsygvd", 64, status="not_supported")]
    factory.write_run(tmp_path, factory.spec("table4"), records)
    verdict = exhibits.judge(sections_of(tmp_path))
    assert verdict.level == "bad" and verdict.sentence == "0 of 1 cases passed (1 not supported)."


def command(*words):
    return subprocess.run(
        [sys.executable, "-m", "pivotlab_analysis", *map(str, words)],
        capture_output=True,
        text=True,
        cwd=ROOT / "analysis",
    )


def test_report_command_writes_page_and_figures(runs, tmp_path):
    done = command("report", runs, "-o", tmp_path / "r.html", "--figures", tmp_path / "figures")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0] == str(tmp_path / "r.html") and "All 89 cases passed" in done.stdout
    names = {str(path.relative_to(tmp_path / "figures")) for path in (tmp_path / "figures").rglob("*.*")}
    assert {"quick/figure2.svg", "quick/figure4.png", "quick/speed-dz.pdf", "graded/graded-d.svg"} <= names


def test_report_command_judges_by_its_exit_status_when_asked(tmp_path):
    good, bad = (
        factory.write_run(
            tmp_path / status, factory.spec("quick"), [factory.record("quick", "DHZ0-(ME-FB-ME)", 64, status=status)]
        )
        for status in ("passed", "incorrect")
    )
    assert command("report", good, "-o", tmp_path / "r.html", "--judge").returncode == 0
    assert command("report", bad, "-o", tmp_path / "r.html", "--force").returncode == 0
    assert command("report", bad, "-o", tmp_path / "r.html", "--force", "--judge").returncode == 1


def test_tables_command_ends_with_the_verdict(runs):
    done = command("tables", runs / "graded")
    assert done.returncode == 0 and "(D·B, C)" in done.stdout
    assert done.stdout.splitlines()[-1].startswith("All 27 cases passed; 27 cases of other methods")
    assert command("tables", runs / "quick", "--format", "latex").stdout.count(r"\begin{tabular}") == 5


def test_bad_input_is_one_line_and_status_2(tmp_path):
    done = command("tables", tmp_path / "nowhere")
    assert done.returncode == 2 and done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"pivotlab_analysis: {tmp_path}/nowhere: no such folder; name a run's folder")


def test_validate_command(runs, tmp_path):
    schema = tmp_path / "schema.json"
    schema.write_text('{"properties": {"status": {"const": "passed"}}}')
    done = command("validate", runs, "--schema", schema)
    assert done.returncode == 1 and done.stdout.splitlines()[-1] == "116 records, 27 violations"
    schema.write_text("{}")
    assert command("validate", runs, "--schema", schema).stdout == "116 records, all valid\n"
