"""A workload's bundle in a store: the same tallies as the workload's own judgement, whole or cut; and the command line."""

import json
import os
import re
import shutil
from dataclasses import replace

import numpy as np
import pytest
from pipeline_support import never, stored, tck

from benchmarks.traces import Shape, generate
from tck.check import Margins
from tck.check.from_operations import fold
from tck.check.stages import judge
from tck.record import MissingBundle, TruncatedBundle
from tck.record.packed import HEADER, PACK, PackedRun
from tck.reports.pipeline.check import check
from tck.reports.pipeline.errors import StoreError
from tck.reports.pipeline.ingest import PART_ROWS, ingest
from tck.reports.pipeline.store import Store


@pytest.fixture
def bundle(workload_bundle):
    return workload_bundle


def tallies(folder):
    packed = PackedRun.open(folder, allow_truncated=True)
    trace = fold(packed.parts(), packed.objects, packed.origin)
    found = judge(trace.rows, trace.tables, Margins(**packed.about["margins"]))
    return {name: (each.obligations, len(each.hits), each.undecided) for name, each in found.items()}, len(trace.rows)


def counts(checked):
    return {name: (each.obligations, each.violations, each.undecided) for name, each in checked.properties.items()}


def test_the_tallies_are_those_of_the_workload(bundle, tmp_path):
    store = Store.make(tmp_path / "store")
    done = ingest(store, bundle)
    expected, rows = tallies(bundle)
    assert (done.kind, done.rows, done.truncated) == ("workload", rows, False)
    assert counts(check(store, done.run, spark=never)) == expected
    assert sum(each[0] for each in expected.values()) > 1000
    assert done.verdicts == len(store.table("verdict", done.run)) > 40
    names, cases = store.names(store.run(done.run))
    assert names.endpoints
    assert cases == {}


def test_a_workload_that_was_killed_is_taken_when_asked_for(bundle, tmp_path):
    cut = shutil.copytree(bundle, tmp_path / "cut")
    (cut / "end.json").unlink()
    store = Store.make(tmp_path / "store")
    with pytest.raises(TruncatedBundle, match="did not end"):
        ingest(store, cut)
    done = ingest(store, cut, allow_truncated=True)
    assert (done.truncated, done.verdicts) == (True, 0)
    assert counts(check(store, done.run, spark=never)) == tallies(cut)[0]


def test_a_run_that_has_grown_since_is_told_from_what_the_store_has(bundle, tmp_path):
    """Rows are written into a part that has its full size already."""
    cut = shutil.copytree(bundle, tmp_path / "cut")
    (cut / "end.json").unlink()
    part = next((cut / "operations").glob("*.npy"))
    whole = part.read_bytes()
    part.write_bytes(whole[: HEADER + 100 * PACK.size].ljust(len(whole), b"\0"))
    store = Store.make(tmp_path / "store")
    first = ingest(store, cut, allow_truncated=True)
    assert not ingest(store, cut, allow_truncated=True).new
    part.write_bytes(whole)
    with pytest.raises(StoreError, match=r"unfinished run .*saw another state of it.*--again"):
        ingest(store, cut, allow_truncated=True)
    again = ingest(store, cut, allow_truncated=True, again=True)
    assert again.rows > first.rows > 0


def test_the_commands_say_what_they_did(bundle, tmp_path):
    said = tck("pipeline", "ingest", str(bundle), "--store", "store", "--format", "json", cwd=tmp_path)
    assert said.returncode == 0, said.stderr
    run = json.loads(said.stdout)["runs"][0]
    assert (run["kind"], run["new"], run["parts"]) == ("workload", True, -(-run["rows"] // PART_ROWS))
    assert "already there" in tck("pipeline", "ingest", str(bundle), "--store", "store", cwd=tmp_path).stdout
    said = tck("pipeline", "check", "--store", "store", "--format", "json", cwd=tmp_path)
    assert said.returncode == 0, said.stderr
    checked = json.loads(said.stdout)["runs"][0]
    assert {row["property"]: row["obligations"] for row in checked["properties"]}["one-holder"] > 0
    assert (checked["plan"], checked["exit"], checked["violations"]) == ("here", 0, [])
    text = tck("pipeline", "check", "--store", "store", cwd=tmp_path)
    assert "judged before" in text.stderr
    assert "one-holder" in text.stdout


def test_violations_are_the_exit_code(tmp_path, faulty):
    stored(Store.make(tmp_path / "store"), faulty[0])
    said = tck("pipeline", "check", "R1", "--store", "store", "--format", "json", cwd=tmp_path)
    assert said.returncode == 1
    assert "4.1.2-4" in json.loads(said.stdout)["runs"][0]["violations"]


def test_nothing_judged_is_an_exit_code(tmp_path):
    store = Store.make(tmp_path / "store")
    load = generate(Shape(rounds=1))
    stored(store, replace(load, rows=load.rows.take(np.arange(0))), "silent")
    said = tck("pipeline", "check", "--store", "store", "--format", "json", cwd=tmp_path)
    assert (said.returncode, json.loads(said.stdout)["runs"][0]["exit"]) == (5, 5)
    assert tck("pipeline", "check", "--store", "store", cwd=tmp_path).returncode == 5, "nor before"
    stored(store, load, "clean")
    assert tck("pipeline", "check", "--store", "store", cwd=tmp_path).returncode == 0, "another was judged"


def test_a_store_without_runs_says_so(tmp_path):
    Store.make(tmp_path / "store")
    said = tck("pipeline", "check", "--store", "store", cwd=tmp_path)
    assert (said.returncode, said.stdout) == (5, "")
    assert said.stderr == "tck: store holds no run; `tck pipeline ingest RUN --store store` adds one\n"


def test_of_several_runs_each_table_bears_its_name(tmp_path):
    store = Store.make(tmp_path / "store")
    for name in ("R1", "R2"):
        stored(store, generate(Shape(rounds=1)), name)
    said = tck("pipeline", "check", "--store", "store", cwd=tmp_path).stdout.splitlines()
    headed = [said[at - 1] for at, line in enumerate(said) if line.startswith("property ")]
    assert headed == ["R1", "R2"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("ingest", "nowhere", "--store", "store"), 'no run "nowhere"'),
        (("ingest", "empty", "--store", "store"), "EmptyBundle: .*saw an empty folder"),
        (("check", "--store", "nowhere"), "StoreError: .*expected a store, saw none"),
        (("check", "R9", "--store", "made"), "StoreError: .*expected run R9"),
        (("check", "R1", "--store", "damaged"), "PartError: .*part-00000.parquet: expected this file"),
        (("check", "R1", "--store", "corrupt"), "PartError: .*part-00000.parquet: .*saw a damaged file"),
        (("check", "R1", "--store", "foreign"), r"StoreError: .*R1\.json: .*of another \(run by kit 9\.9\)"),
        (
            ("ingest", "cut", "--store", "void"),
            r"TruncatedBundle: .*operations/00000\.npy: expected \d+ bytes, saw 999\.",
        ),
        (("history", "--store", "void"), "StoreError: .*expected runs, saw none"),
    ],
)
def test_each_fault_is_one_message(bundle, tmp_path, words, message):
    (tmp_path / "empty").mkdir()
    os.truncate(shutil.copytree(bundle, tmp_path / "cut") / "operations" / "00000.npy", 999)
    Store.make(tmp_path / "void")
    load = generate(Shape(rounds=1))
    stored(Store.make(tmp_path / "made"), load)
    damaged = Store.make(tmp_path / "damaged")
    stored(damaged, load)
    (damaged.path / "ops" / "run=R1" / "part-00000.parquet").unlink()
    corrupt = shutil.copytree(tmp_path / "made", tmp_path / "corrupt") / "ops" / "run=R1" / "part-00000.parquet"
    corrupt.write_bytes(corrupt.read_bytes()[:200] + b"x" * 20 + corrupt.read_bytes()[220:])
    manifest = shutil.copytree(tmp_path / "made", tmp_path / "foreign") / "runs" / "R1.json"
    output = json.loads(manifest.read_text())
    manifest.write_text(json.dumps({**output, "layout": 9, "about": {**output["about"], "kit": {"version": "9.9"}}}))
    done = tck("pipeline", *words, cwd=tmp_path)
    assert done.returncode == 4
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert not list(tmp_path.glob("*/.staging/*"))
    assert not list(tmp_path.glob("void/runs/*"))
    assert re.search(rf"^tck: {message}", done.stderr)


@pytest.mark.parametrize("words", [("ingest", "BUNDLE"), ("check", "R1"), ("check", "R1", "--again")])
def test_a_full_disk_is_one_message_and_leaves_what_was(bundle, tmp_path, words):
    """The shell lets no file grow beyond a kilobyte, which is refused as on a full disk."""
    store = Store.make(tmp_path / "store")
    stored(store, generate(Shape(rounds=1)))
    if "--again" in words:
        check(store, "R1", spark=never)
    before = {path: path.read_bytes() for path in store.path.rglob("*") if path.is_file()}
    arguments = [str(bundle) if each == "BUNDLE" else each for each in words]
    small = ("sh", "-c", 'ulimit -f 2; exec "$@"', "sh")
    done = tck("pipeline", *arguments, "--store", "store", cwd=tmp_path, under=small)
    assert (done.returncode, done.stdout) == (3, ""), done.stderr
    assert re.fullmatch(r"tck: NoRoomError: .*expected room for the files of the store, saw none.*\n", done.stderr)
    assert {path: path.read_bytes() for path in store.path.rglob("*") if path.is_file()} == before


def test_a_missing_part_of_a_bundle_is_named(bundle, tmp_path):
    cut = shutil.copytree(bundle, tmp_path / "cut")
    next((cut / "operations").glob("*.npy")).unlink()
    with pytest.raises(MissingBundle, match=r"operations/00000\.npy: expected this file"):
        ingest(Store.make(tmp_path / "store"), cut)
