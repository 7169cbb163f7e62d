"""A bundle is written by workers, merged, and read back whole."""

import dataclasses
import hashlib
import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from record_samples import NAMES, RUN, case, end_run, events, finished_run, open_bundle, result, rewrite, write_run

from tck.record import BundleWriter, DuplicatedBundle, Outcome, begin, collect, compressed, finish
from tck.record.schema import KINDS, problems, schema, validate


def test_a_run_reads_back_as_it_was_written(tmp_path):
    bundle = open_bundle(finished_run(tmp_path / "r"))
    assert bundle.run == RUN
    assert [row.case for row in bundle.cases()] == [NAMES[0], NAMES[2], NAMES[1]]
    assert len(bundle.results()) == 4
    assert bundle.events(NAMES[2], attempt=2) == events(NAMES[2], attempt=2)
    assert bundle.case(NAMES[1]).worker == "gw1"
    stored = bundle.result(NAMES[0])
    assert dataclasses.replace(stored, events=None) == result(NAMES[0])
    assert [row.case for row in bundle.by_assertion["3.4.2-1"]] == [NAMES[2], NAMES[2]]


def test_end_counts_and_digests_what_is_there(tmp_path):
    folder = finished_run(tmp_path / "r")
    end = open_bundle(folder).end
    assert (end.cases, end.results, end.events) == (3, 4, 16)
    assert end.outcomes == {"held": 4}
    assert end.verdicts == {"conformant": 4}
    for name, digest in end.digests.items():
        assert digest == "sha256:" + hashlib.sha256((folder / name).read_bytes()).hexdigest()
    assert sorted(end.digests) == [
        "calls.ndjson.zst",
        "cases.ndjson.zst",
        "events/gw0.ndjson.zst",
        "events/gw1.ndjson.zst",
        "results.ndjson.zst",
        "run.json",
    ]
    assert not (folder / "parts").exists()


def test_every_line_fits_its_schema(tmp_path):
    assert validate(finished_run(tmp_path / "r")) == []


def test_a_line_that_does_not_fit_is_named(tmp_path):
    folder = finished_run(tmp_path / "r")
    rewrite(folder / "results.ndjson.zst", b'"held"', b'"passed"')
    (problem,) = validate(folder)
    assert (problem.file, problem.line, problem.key) == ("results.ndjson.zst", 1, "outcome")


@pytest.mark.parametrize("kind", KINDS)
def test_schemas_are_schemas_and_agree_with_the_types(kind):
    import jsonschema

    from tck.record import rows

    jsonschema.Draft202012Validator.check_schema(schema(kind))
    row_type = {"run": rows.Run, "case": rows.Case, "result": rows.Result, "end": rows.End}.get(kind)
    if row_type is not None:
        assert set(schema(kind)["properties"]) == {field.name for field in dataclasses.fields(row_type)}


def test_an_event_of_an_unknown_phase_is_a_problem():
    (row, *_) = events(NAMES[0])
    assert list(problems("event", row)) == []
    assert [problem.key for problem in problems("event", {**row, "phase": "done"})] == ["phase"]


def test_lone_surrogates_and_line_separators_survive(tmp_path):
    bundle = open_bundle(finished_run(tmp_path / "r"))
    assert bundle.events(NAMES[0])[0]["destination"] == "queue:q \u2028 \ud800"


def test_a_folder_is_not_used_twice(tmp_path):
    begin(tmp_path / "r", RUN)
    with pytest.raises(FileExistsError, match="holds a run already"):
        begin(tmp_path / "r", RUN)


def test_a_worker_name_cannot_leave_the_folder(tmp_path):
    begin(tmp_path / "r", RUN)
    with pytest.raises(ValueError, match="worker name"):
        BundleWriter(tmp_path / "r", "../x")


def test_merging_the_same_attempt_twice_is_refused(tmp_path):
    folder = tmp_path / "r"
    begin(folder, RUN)
    rows = [case(NAMES[0])], [result(NAMES[0]), result(NAMES[0])]
    with pytest.raises(DuplicatedBundle, match=r"3\.4\.1-1/queue/classic/auto \(attempt 1\)"):
        finish(folder, *rows, run="r-1", exit=0, seconds=1, finished="2026-01-02T03:04:09Z")


WORKER = """
import os, signal, sys
from pathlib import Path
sys.path.insert(0, {here!r})
from record_samples import NAMES, case, events, result
from tck.record import BundleWriter
writer = BundleWriter(Path({folder!r}), "gw0")
writer.start(case(NAMES[0]))
writer.finish(result(NAMES[0]), events(NAMES[0]))
writer.start(case(NAMES[1]))
{last}
os.kill(os.getpid(), signal.SIGKILL)
"""


def die(folder: Path, last: str) -> None:
    begin(folder, RUN)
    here = str(Path(__file__).parent)
    code = WORKER.format(here=here, folder=str(folder), last=last)
    root = str(Path(__file__).parents[2])
    done = subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": root}, timeout=60, check=False)
    assert done.returncode == -signal.SIGKILL


def test_a_killed_worker_leaves_its_finished_cases_and_names_the_open_one(tmp_path):
    folder = tmp_path / "r"
    die(folder, "")
    collected = collect(folder)
    assert [row.case for row in collected.results] == [NAMES[0]]
    assert [(open_.case.case, open_.attempt, open_.events.count) for open_ in collected.unfinished] == [
        (NAMES[1], 1, 0)
    ]
    assert open_bundle(end_run(folder)).events(NAMES[0]) == events(NAMES[0])


def test_events_spilled_by_a_watchdog_belong_to_the_open_case(tmp_path):
    folder = tmp_path / "r"
    die(folder, "writer.spill(events(NAMES[1], 3))")
    collected = collect(folder)
    (lost,) = collected.unfinished
    row = dataclasses.replace(result(NAMES[1], outcome=Outcome.LOST), events=lost.events)
    finish(
        folder,
        collected.cases,
        [*collected.results, row],
        run="r-1",
        exit=3,
        seconds=1,
        finished="2026-01-02T03:04:09Z",
    )
    assert open_bundle(folder).events(NAMES[1]) == events(NAMES[1], 3)


@pytest.mark.parametrize("name", ["parts/results.gw0.ndjson", "parts/cases.gw0.ndjson", "parts/events.gw0.ndjson.zst"])
def test_half_a_line_of_a_killed_worker_is_passed_over(tmp_path, name):
    folder = write_run(tmp_path / "r")
    with (folder / name).open("ab") as file:
        file.write(compressed.pack(b"half a block")[:-2] if name.endswith(".zst") else b'{"case":"3.4')
    bundle = open_bundle(end_run(folder))
    assert len(bundle.results()) == 4
    assert bundle.events(NAMES[0]) == events(NAMES[0])


def test_a_worker_of_the_same_name_goes_on_where_the_killed_one_stopped(tmp_path):
    folder = write_run(tmp_path / "r")
    with (folder / "parts/events.gw0.ndjson.zst").open("ab") as file:
        file.write(compressed.pack(b"half a block")[:-2])
    writer = BundleWriter(folder, "gw0")
    writer.start(case("3.4.9-1/queue/classic/auto"))
    writer.finish(result("3.4.9-1/queue/classic/auto"), events("3.4.9-1/queue/classic/auto"))
    bundle = open_bundle(end_run(folder))
    assert bundle.events("3.4.9-1/queue/classic/auto") == events("3.4.9-1/queue/classic/auto")


def test_a_spill_from_another_thread_does_not_wait_for_ever(tmp_path):
    begin(tmp_path / "r", RUN)
    writer = BundleWriter(tmp_path / "r", "gw0")
    with writer._lock:
        thread = threading.Thread(target=writer.spill, args=(events(NAMES[0]),))
        thread.start()
        thread.join(30)
        assert not thread.is_alive()
    assert len(compressed.unpack((tmp_path / "r/parts/events.gw0.ndjson.zst").read_bytes()).splitlines()) == 4


def test_run_json_is_readable_by_people(tmp_path):
    begin(tmp_path / "r", RUN)
    text = (tmp_path / "r/run.json").read_text()
    assert json.loads(text)["profile"]["claims"]["features"] == ["xa"]
    assert len(text.splitlines()) > 20


def test_a_case_that_two_workers_took_along_is_judged_by_the_third_which_says_so(tmp_path):
    folder = tmp_path / "run"
    begin(folder, RUN)
    for worker, spilled in (("gw0", 1), ("gw1", 3), ("gw2", 2)):
        writer = BundleWriter(folder, worker)
        writer.start(case(NAMES[0], worker))
        if worker == "gw2":
            writer.finish(result(NAMES[0]), events(NAMES[0], 1))
            writer.start(case(NAMES[1], worker))
        writer.spill(events(NAMES[1] if worker == "gw2" else NAMES[0], count=spilled))
        writer.close()
    collected = collect(folder)
    assert [(row.case, row.attempt) for row in collected.results] == [(NAMES[0], 1)]
    left = [(open_.case.case, open_.attempt, open_.events.count, open_.events.file) for open_ in collected.unfinished]
    assert left == [(NAMES[1], 1, 2, "parts/events.gw2.ndjson.zst")]
    assert list(collected.again) == [NAMES[0]]
    assert "the worker process ended in the middle of it" in collected.results[0].explanation
    lost = [
        dataclasses.replace(result(open_.case.case, outcome=Outcome.LOST), attempt=open_.attempt, events=open_.events)
        for open_ in collected.unfinished
    ]
    results = [*collected.results, *lost]
    finish(folder, collected.cases, results, run="r-1", exit=3, seconds=1.0, finished="2026-01-02T03:04:06Z")
    bundle = open_bundle(folder)
    assert [len(bundle.events(name)) for name in NAMES[:2]] == [1, 2]


def test_a_case_that_was_withdrawn_belongs_to_the_worker_that_ended_it(tmp_path):
    folder = tmp_path / "run"
    begin(folder, RUN)
    lane, alone = BundleWriter(folder, "gw0-1"), BundleWriter(folder, "gw0")
    for name, why in ((NAMES[0], ""), (NAMES[1], "broken: late")):
        lane.start(case(name, "gw0-1"))
        lane.withdraw(case(name, "gw0-1"), 1, why)
        alone.start(case(name, "gw0"))
        alone.finish(result(name), events(name, 1))
    lane.close()
    alone.close()
    collected = collect(folder)
    assert [row.worker for row in collected.cases] == ["gw0", "gw0"]
    assert not collected.unfinished
    assert collected.again == {NAMES[1]: "beside other cases it had ended otherwise: broken: late"}


def test_an_attempt_that_two_workers_ended_is_two_attempts(tmp_path):
    folder = tmp_path / "run"
    begin(folder, RUN)
    for worker, attempts in (("gw0", (1, 2)), ("gw1", (1,))):
        writer = BundleWriter(folder, worker)
        for attempt in attempts:
            writer.start(case(NAMES[0], worker), attempt)
            writer.finish(dataclasses.replace(result(NAMES[0]), attempt=attempt), events(NAMES[0], 1))
        writer.close()
    collected = collect(folder)
    results = [(row.attempt, row.events.file) for row in collected.results]
    first, second = (f"parts/events.{worker}.ndjson.zst" for worker in ("gw0", "gw1"))
    assert results == [(1, first), (2, first), (3, second)]
    assert collected.unfinished == ()
