# SPDX-License-Identifier: BSD-3-Clause
"""Reading runs: what is broken is told, what is whole stays usable."""

import gzip
import json

import jsonschema
import pandas as pd
import pytest
from pivotlab_analysis import InputError, Library, load_runs
from pivotlab_analysis.exhibits import build_section
from pivotlab_analysis.records import DEFAULT_SCHEMA, hardware_of, load_run, validate

import factory


def test_runs_are_found_by_their_own_folder_and_by_their_parent(tmp_path):
    record = factory.record("table4", "DHZ0-(ME-FB-ME)", 64)
    run = factory.write_run(tmp_path, factory.spec("table4"), [record])
    factory.write_run(tmp_path, factory.spec("table5"), [])
    assert [r.name for r in load_runs([run])] == ["table4"]
    assert [r.name for r in load_runs([tmp_path])] == ["table4", "table5"]
    assert [r.name for r in load_runs([tmp_path, run])] == ["table4", "table5"]


def test_frame_holds_what_the_records_hold(tmp_path):
    records = [
        factory.record("quick", "DHZ3-(MM-BO-ME)", 128, wall_s=0.25, sweeps=9, residual_f=1.5e-14),
        factory.record("quick", "lapack:dggsvd3", 64, status="timeout", message="stopped"),
    ]
    frame = load_run(factory.write_run(tmp_path, factory.spec("quick"), records)).frame
    row = frame[frame["id"] == 3].iloc[0]
    assert (row["n"], row["outer"], row["blocking"], row["wall_s"], row["sweeps"], row["residual_f"]) == (
        128,
        "MM",
        "BO",
        0.25,
        9,
        1.5e-14,
    )
    baseline = frame[frame["status"] == "timeout"].iloc[0]
    assert baseline["message"] == "stopped" and baseline[["wall_s", "sweeps", "residual_f"]].isna().all()


def test_frame_tells_how_far_a_time_can_be_trusted(tmp_path):
    records = [factory.record("quick", "lapack:dggsvd3", n) for n in (64, 128)]
    records[0]["time"]["flags"] = ["noisy", "loaded"]
    records.append(factory.record("quick", "lapack:dggsvd3", 256, status="timeout"))
    frame = load_run(factory.write_run(tmp_path, factory.spec("quick"), records)).frame
    assert frame["samples"].tolist() == [3, 3, 0]
    assert frame["flags"].tolist() == ["noisy,loaded", "", ""]
    assert frame["load_before"].tolist() == [0.1] * 3 and frame["load_after"].tolist() == [1.9] * 3


def test_unsolved_case_still_belongs_to_its_variant():
    record = factory.record("quick", "DHZ3-(MM-BO-ME);sort=off;w=32", 128, status="out_of_memory")
    row = factory.source([record]).frame.iloc[0]
    assert (row["id"], row["outer"], row["blocking"], row["inner"], row["width"]) == (3, "MM", "BO", "ME", 32)


def test_made_up_records_follow_the_schema_of_the_engine():
    if not DEFAULT_SCHEMA.is_file():
        pytest.skip("no results/record.schema.json")
    validator = jsonschema.Draft202012Validator(json.loads(DEFAULT_SCHEMA.read_text(encoding="utf-8")))
    unsolved = [factory.record("t", s, 64, status="timeout") for s in ("lapack:dggsvd3", "DHZ0-(ME-FB-ME)")]
    for record in [*factory.quick_records(), *factory.graded_records(), *unsolved]:
        validator.validate(record)


def test_damaged_record_is_a_problem_and_the_others_stay(tmp_path):
    records = [factory.record("table4", "DHZ0-(ME-FB-ME)", n) for n in (64, 128)]
    run = factory.write_run(tmp_path, factory.spec("table4"), records)
    damaged = run / "records" / f"{records[0]['key']}.json"
    damaged.write_text(damaged.read_text()[:100])
    loaded = load_run(run)
    assert loaded.frame["n"].tolist() == [128]
    assert (
        len(loaded.problems) == 1
        and str(damaged) in loaded.problems[0]
        and "run the experiment again" in loaded.problems[0]
    )


@pytest.mark.parametrize(
    "change, message",
    [
        ({"schema": "pivotlab/record/9"}, "schema: 'pivotlab/record/9' instead of 'pivotlab/record/1'"),
        ({"status": "fine"}, "status: unknown 'fine'; one of passed"),
    ],
)
def test_foreign_record_is_named(tmp_path, change, message):
    record = factory.record("table4", "DHZ0-(ME-FB-ME)", 64)
    run = factory.write_run(tmp_path, factory.spec("table4"), [record | change])
    assert message in load_run(run).problems[0]


def test_folder_without_a_run_is_refused(tmp_path):
    with pytest.raises(InputError, match="neither a manifest.json nor records inside"):
        load_runs([tmp_path])
    with pytest.raises(InputError, match="no such folder"):
        load_runs([tmp_path / "missing"])


def test_hardware_is_the_processor_on_the_host_and_the_gpu_on_a_device():
    record = factory.record("table4", "DHZ0-(ME-FB-ME)", 64)
    assert hardware_of(record) == "Xeon Gold 6140, 2 cores"
    record["environment"]["gpu"] = {"name": "NVIDIA H200"}
    assert hardware_of(record) == "NVIDIA H200"


def test_validation_tells_place_and_violation(tmp_path):
    record = factory.record("table4", "DHZ0-(ME-FB-ME)", 64)
    schema = {"type": "object", "properties": {"time": {"properties": {"generate_s": {"type": "string"}}}}}
    run = factory.write_run(tmp_path, factory.spec("table4"), [record])
    (line,) = validate([load_run(run)], schema)
    assert record["key"] in line and "$.time.generate_s" in line
    assert validate([load_run(run)], {"type": "object"}) == []


def test_plan_tells_what_has_not_run(tmp_path):
    records = [factory.record("table4", "DHZ0-(ME-FB-ME)", n) for n in (64, 128, 192)]
    run = load_run(factory.write_run(tmp_path, factory.spec("table4"), records[:1], planned=records))
    assert run.missing == 2 and len(run.records) == 1
    assert json.loads((run.path / "manifest.json").read_text())["spec"]["name"] == "table4"


def test_published_records_are_valid():  # one of ten: the engine's tests read all of them
    runs = [load_run(manifest.parent) for manifest in sorted(DEFAULT_SCHEMA.parent.glob("*/*/manifest.json"))]
    for run in runs:
        run.records = run.records[::10]
    assert sum(len(run.records) for run in runs) > 500
    assert validate(runs, json.loads(DEFAULT_SCHEMA.read_text(encoding="utf-8"))) == []


DEEP = "[" * 100_000 + "]" * 100_000
HOSTILE = {
    "deep": '{"metrics": ' + DEEP + "}",
    "deeper than the engine's": '{"metrics": ' + "[" * 200 + "]" * 200 + "}",
    "beyond double precision": '{"metrics": 1e999}',
    "no number": '{"metrics": NaN}',
    "repeated key": '{"key": 1, "key": 2}',
    "byte order mark": "\ufeff{}",
    "empty": "",
    "no object": "[]",
    "case of no axes": '{"schema": "pivotlab/record/1", "key": "", "experiment": "", "case": 5, "status": "passed"}',
}


@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_record_is_a_problem_that_names_the_file_in_one_line(tmp_path, content):
    record = factory.record("table4", "DHZ0-(ME-FB-ME)", 64)
    run = factory.write_run(tmp_path, factory.spec("table4"), [record])
    hostile = run / "records" / "0.json"
    hostile.write_text(content, encoding="utf-8")
    loaded = load_run(run)
    assert len(loaded.records) == len(loaded.problems) == 1
    assert loaded.problems[0].startswith(f"{hostile}: ") and "\n" not in loaded.problems[0]


def test_record_that_is_no_text_is_a_problem(tmp_path):
    run = factory.write_run(tmp_path, factory.spec("table4"), [])
    (run / "records" / "0.json").write_bytes(b'{"key": "\xff"}')
    assert "0.json: 'utf-8' codec can't decode" in load_run(run).problems[0]


@pytest.mark.parametrize(
    "content", [DEEP, '{"spec": 5}', '{"spec": ' + DEEP + "}"], ids=["deep", "no spec", "deep spec"]
)
def test_hostile_manifest_is_refused_by_name(tmp_path, content):
    run = factory.write_run(tmp_path, factory.spec("table4"), [])
    (run / "manifest.json").write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=r"manifest\.json: "):
        load_run(run)


def test_report_whose_entries_are_no_objects_is_refused_by_name(tmp_path):
    run = factory.write_run(tmp_path, factory.spec("table4") | {"report": {"tables": [5]}}, [])
    with pytest.raises(InputError, match=r"manifest\.json: report: an entry is not an object"):
        build_section(load_run(run), Library())


def line_of(record: dict, **change) -> str:
    """A record as a line of a journal."""
    return json.dumps({"key": record["key"]} | record | change, separators=(",", ":")) + "\n"


@pytest.fixture
def three(tmp_path):
    """Three records, and the folder of their run without any."""
    records = [factory.record("table4", "DHZ0-(ME-FB-ME)", n) for n in (64, 128, 192)]
    for k, record in enumerate(records):
        record["key"] = f"{k:032x}"
    return records, factory.write_run(tmp_path, factory.spec("table4"), [], planned=records)


def test_records_are_read_from_all_files(three):
    (a, b, c), run = three
    with gzip.open(run / "records.jsonl.gz", "wt") as packed:
        packed.write(line_of(a))
    with gzip.open(run / "records.jsonl.gz", "at") as packed:  # another member
        packed.write(line_of(b).removesuffix("\n"))
    (run / "journal.shard-2-of-3.jsonl").write_text(line_of(c) + line_of(a)[:-1])
    (run / "journal.notes.jsonl").write_text("nonsense")
    loaded = load_run(run)
    assert [record["key"] for record in loaded.records] == [record["key"] for record in (a, b, c)]
    assert (loaded.problems, loaded.missing) == ([], 0)
    assert loaded.places[b["key"]] == f"{run / 'records.jsonl.gz'}:2"
    assert len(pd.read_json(run / "records.jsonl.gz", lines=True)) == 2


def test_the_later_line_of_a_journal_counts_and_between_files_the_later_start(three):
    (a, *_), run = three

    def started(second: int) -> dict:
        return {"provenance": a["provenance"] | {"started": f"2026-11-28T10:00:{second:02}Z"}}

    def starts() -> list[str]:
        return [record["provenance"]["started"][-3:-1] for record in load_run(run).records]

    (run / "journal.run.jsonl").write_text(line_of(a, **started(5)) + line_of(a, **started(3)))
    assert starts() == ["03"]
    with gzip.open(run / "records.jsonl.gz", "wt") as packed:
        packed.write(line_of(a, **started(4)))
    assert starts() == ["04"]
    (run / "records" / f"{a['key']}.json").write_text("half")
    assert starts() == ["04"] and load_run(run).problems == []
    (run / "records" / f"{a['key']}.json").write_text(json.dumps(a | started(6)))
    assert starts() == ["06"]


def test_a_damaged_line_or_file_is_a_problem_and_the_others_stay(three):
    (a, b, c), run = three
    journal, packed = run / "journal.run.jsonl", run / "records.jsonl.gz"
    journal.write_text(line_of(a) + line_of(b)[:50] + "\n" + line_of(c, status="fine"))
    loaded = load_run(run)
    assert [record["key"] for record in loaded.records] == [a["key"]] and loaded.missing == 0
    assert [problem.partition(": ")[0] for problem in loaded.problems] == [f"{journal}:2", f"{journal}:3"]
    assert loaded.problems[0].endswith("; remove the line and run the experiment again")
    journal.unlink()
    packed.write_bytes(gzip.compress((line_of(a) + line_of(b)).encode()) + gzip.compress(line_of(c).encode())[:-1])
    loaded = load_run(run)
    assert len(loaded.records) >= 2 and len(loaded.problems) == 1
    assert loaded.problems[0].startswith(f"{packed}: ") and loaded.problems[0].endswith("; restore the file")
