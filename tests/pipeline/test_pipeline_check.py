"""Every property over a store: as in one go, however it is cut; only what is missing; capped and counted; told."""

import json
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pipeline_support import ROOT, counted, described, found_in, hits_of, in_buckets, never, output_of, python, stored

from benchmarks.traces import Shape, generate
from tck.check.columns import HITS, UNITS, Op, Table
from tck.check.properties import PROPERTIES
from tck.record import Deviation, Exit
from tck.reports.pipeline import check as checking
from tck.reports.pipeline import digests, task_answers, tasks
from tck.reports.pipeline.check import Plan, check
from tck.reports.pipeline.errors import NoRoomError, PartError, StoreError, disk_errors
from tck.reports.pipeline.parquet import arrow
from tck.reports.pipeline.store import Store
from tck.reports.pipeline.task_answers import Answer, Count, from_table, sum_answers, to_batch


@pytest.fixture
def store(tmp_path, faulty):
    made = Store.make(tmp_path / "store")
    stored(made, faulty[0])
    return made


@pytest.mark.slow
@pytest.mark.parametrize(("parts", "buckets"), [(10**9, 1), (3_000, 7), (100, 64)])
def test_counts_and_findings_are_those_of_one_go(tmp_path, faulty, monkeypatch, parts, buckets):
    load, made = faulty
    in_buckets(monkeypatch, -(-len(load.rows) // buckets))
    store = Store.make(tmp_path / "store")
    info = stored(store, load, part_rows=parts, slice_rows=parts)
    assert (len(info.parts) == 1) == (buckets == 1)
    assert (len(info.beside) > 20) == (parts == 100), "the longest sessions are cut into slices"
    assert tasks.buckets_for(info.rows) == buckets
    checked = check(store, "R1", spark=never)
    found = {name: (each.obligations, each.violations, each.undecided) for name, each in checked.properties.items()}
    assert found == counted(load)
    assert found_in(store) == hits_of(load)
    assert len(found_in(store)) > made > 40
    assert checked.plan == "here"
    assert checked.exit is Exit.VIOLATION


def test_a_damaged_file_beside_a_slice_is_named(tmp_path):
    store = Store.make(tmp_path / "store")
    info = stored(store, generate(Shape(rounds=9, queues=1, topics=1)), part_rows=200, slice_rows=200)
    path = store.path / "beside" / "run=R1" / max(info.beside)
    path.write_bytes(b"x" * path.stat().st_size)
    with pytest.raises(PartError, match="saw a damaged file") as caught:
        check(store, "R1", spark=never)
    assert caught.value.path == path
    store.withdraw("R1")
    assert not path.exists()


def test_what_was_judged_is_not_judged_again(store, monkeypatch):
    first = check(store, "R1", spark=never)
    assert len(first.judged) == len(PROPERTIES)
    findings = store.table("findings", "R1")
    monkeypatch.setattr(checking, "judge_in_process", never)
    second = check(store, "R1", spark=never)
    assert (second.judged, second.plan) == ((), "none")
    assert second.properties == first.properties
    assert store.table("findings", "R1") == findings


def test_a_property_that_changed_is_judged_alone(store, monkeypatch):
    first = check(store, "R1", spark=never)
    changed = replace(PROPERTIES["one-holder"], assertions=("4.1.2-4",))
    monkeypatch.setattr(checking, "PROPERTIES", {**PROPERTIES, "one-holder": changed})
    second = check(store, "R1", spark=never)
    assert second.judged == ("one-holder",)
    assert second.properties == first.properties
    rows = [row["assertion"] for row in second.verdicts if row["property"] == "one-holder"]
    assert rows == ["4.1.2-4"]
    assert len(second.verdicts) < len(first.verdicts)


def test_digests_follow_definition_margins_and_run(store):
    info = store.run("R1")
    now = digests.digests(info, PROPERTIES)
    assert set(now) == set(PROPERTIES)
    assert len(set(now.values())) == len(PROPERTIES)
    for changed in (replace(info, digest="sha256:other"), replace(info, margins={**info.margins, "expiry": 7.0})):
        assert not set(now.values()) & set(digests.digests(changed, PROPERTIES).values())


def test_a_check_cut_short_is_made_again(store):
    check(store, "R1", spark=never)
    (store.path / "checks" / "R1.json").write_text('{"prop')
    assert len(check(store, "R1", spark=never).judged) == len(PROPERTIES)


def test_findings_are_capped_and_counted(tmp_path, monkeypatch):
    load = generate(Shape(rounds=6))
    rows = load.rows.replaced(digest=np.where(load.rows.op == Op.DELIVER, load.rows.digest + 1, load.rows.digest))
    broken = replace(load, rows=rows)
    every = hits_of(broken)
    assert len(every) > 500
    monkeypatch.setattr(task_answers, "CAP", 100)
    in_buckets(monkeypatch, 300)
    kept = []
    for parts in (10**9, 400):
        store = Store.make(tmp_path / f"store-{parts}")
        stored(store, broken, part_rows=parts)
        checked = check(store, "R1", spark=never, stories=3)
        assert checked.properties["no-corruption"].violations == len(every)
        kept.append(found_in(store))
        reported = [row["text"] != "" for row in store.table("findings", "R1")]
        assert reported == [True] * 3 + [False] * 97
    assert kept[0] == kept[1]
    assert kept[0] == set(sorted(every, key=lambda each: each[3:])[:100])


def test_stories_are_those_told_with_the_whole_trace(store, faulty):
    from tck.check.evidence import Evidence, Names
    from tck.check.story import finding_of

    check(store, "R1", spark=never)
    load, _ = faulty
    whole = Evidence(load.rows, load.tables, Names())
    rows = store.table("findings", "R1")
    assert len(rows) > 50
    for row in rows:
        finding = finding_of(PROPERTIES[row["property"]], {name: row[name] for name in HITS}, whole)
        assert " object at " not in row["text"]
        assert (row["key"], row["text"], tuple(row["cites"])) == (finding.key, finding.text, finding.cites)


def test_verdicts_take_level_version_feature_and_declaration_from_the_catalogue(tmp_path, faulty):
    store = Store.make(tmp_path / "store")
    run = described("R1")
    declared = replace(
        run.profile,
        tier="1.0.2b",
        claims=replace(run.profile.claims, features=()),
        deviations=(
            Deviation("3.4.7-1", "fails", "known", cases="workload/generated/*"),
            Deviation("3.4.7-2", "fails", "known", cases="workload/other/*"),
        ),
    )
    stored(store, faulty[0], profile=declared)
    rows = {(row["property"], row["assertion"]): row for row in check(store, "R1", spark=never).verdicts}
    assert rows["repeat-is-flagged", "3.4.7-1"]["verdict"] == "declared"
    assert rows["repeat-is-flagged", "3.4.7-2"]["verdict"] == "violation"
    assert rows["priority-hint", "3.4.10-4"]["verdict"] == "observation"
    assert {row["outcome"] for (name, _), row in rows.items() if name == "prepared-outcome"} == {"unsupported"}
    assert not any(name == "delivery-time-computed" for name, _ in rows), "1.0.2b has no delivery delay"


def test_a_clean_trace_is_conformant(tmp_path):
    store = Store.make(tmp_path / "store")
    stored(store, generate(Shape(rounds=4)))
    checked = check(store, "R1", spark=never)
    assert checked.exit is Exit.CONFORMANT
    assert store.table("findings", "R1") == []


# -- answers -----------------------------------------------------------------------------------------------------


def test_answers_travel_as_arrow_and_add_up_in_any_order():
    hits = Table.from_rows(HITS, [{"msg": 5, "end": 1, "unit": -1, "session": 3, "seq": 9}, {"session": 1, "seq": 2}])
    units = Table.from_rows(UNITS, [{"unit": 7, "role": 2, "msg": 1, "end": 0, "session": 1, "seq": 4}])
    one = Answer({"a": Count(3, 2, 1), "b": Count(1, 0, 0)}, {"a": hits}, units)
    other = Answer({"a": Count(1, 1, 0)}, {"a": hits.take(np.array([0]))})
    table = arrow().Table.from_batches([to_batch(one), to_batch(other), to_batch(Answer())])
    forth, back = from_table(table), sum_answers([other, one])
    assert forth.counts == back.counts == {"a": Count(4, 3, 1), "b": Count(1, 0, 0)}
    for each in (forth, back):
        assert [each.hits["a"].row(at)["session"] for at in range(3)] == [1, 3, 3]
        assert each.units.row(0) == units.row(0)


# -- what can be wrong -------------------------------------------------------------------------------------------


def damage(store, how):
    path = sorted((store.path / "ops" / "run=R1").glob("*.parquet"))[1]
    content = path.read_bytes()
    how(path, content)
    return path


@pytest.mark.parametrize(
    ("how", "what"),
    [
        (lambda path, content: path.unlink(), "expected this file of the store, saw none"),
        (lambda path, content: path.write_bytes(content[:-7]), r"expected \d+ bytes, saw \d+"),
        (lambda path, content: path.write_bytes(b"x" * len(content)), "saw a damaged file"),
        (
            lambda path, content: path.write_bytes(
                content[:2000] + bytes(each ^ 255 for each in content[2000:2010]) + content[2010:]
            ),
            "saw a damaged file",
        ),
    ],
    ids=["missing", "cut", "other", "flipped"],
)
def test_a_damaged_part_is_named_and_nothing_of_the_check_stays(store, how, what):
    path = damage(store, how)
    with pytest.raises(PartError, match=what) as caught:
        check(store, "R1", spark=never)
    assert str(path) in str(caught.value)
    assert "--again" in str(caught.value)
    assert not (store.path / "checks").exists()
    assert store.table("trace_verdict", "R1") == []
    assert list((store.path / ".staging").iterdir()) == []


def test_an_unknown_run_is_named(store):
    with pytest.raises(StoreError, match="expected run R9, saw none of that name; there are R1"):
        check(store, "R9", spark=never)


FULL = """
import resource, signal, sys
from pathlib import Path
sys.path[:0] = [{tests!r}]
from pipeline_support import broken, stored, never
from tck.reports.pipeline.store import Store
from tck.reports.pipeline.check import check
from tck.reports.pipeline.errors import NoRoomError
store = Store.open(Path({store!r}))
load, _ = broken()
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, resource.RLIM_INFINITY))
try:
    {act}
except NoRoomError as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("act", "limit"),
    [
        ("stored(store, load, 'R2')", 4096),
        ("stored(store, load, 'R1')", 4096),
        ("check(store, 'R1', spark=never)", 2048),
    ],
    ids=["new", "replaced", "checked"],
)
def test_a_disk_without_room_leaves_what_was(store, act, limit):
    """The system refuses every write beyond some kilobytes of a file, as a full disk does."""
    before = sorted(path for path in store.path.rglob("*") if path.is_file())
    content = {path: path.read_bytes() for path in before}
    program = FULL.format(tests=str(ROOT / "tests" / "pipeline"), store=str(store.path), act=act, limit=limit)
    done = python("-c", program)
    assert "expected room for the files of the store, saw none" in done.stdout, done.stderr
    assert {path: path.read_bytes() for path in store.path.rglob("*") if path.is_file()} == content
    assert store.runs() == ("R1",)


def test_faults_of_the_disk_name_the_place(tmp_path):
    with (
        pytest.raises(StoreError, match=r"none: expected to read and write here, saw: No such file"),
        disk_errors(tmp_path),
    ):
        (tmp_path / "none").read_bytes()
    with pytest.raises(ConnectionResetError), disk_errors(tmp_path):
        raise ConnectionResetError  # is about no file
    with pytest.raises(NoRoomError, match="Make room"), disk_errors(tmp_path):
        Path("/dev/full").write_text("x")


def test_what_a_dead_process_left_is_swept(store):
    dead = store.path / ".staging" / f"{output_of('import os; print(os.getpid())')}-x"
    alive = store.path / ".staging" / f"{os.getpid()}-x"
    for folder in (dead, alive):
        folder.mkdir(parents=True)
    check(store, "R1", spark=never)
    assert [path.name for path in (store.path / ".staging").iterdir()] == [alive.name]


def test_the_manifest_tells_others_what_run_it_is(store):
    output = json.loads((store.path / "runs" / "R1.json").read_text())
    assert {key: output[key] for key in ("run", "kind", "provider", "version", "kit", "profile", "tier")} == {
        "run": "R1",
        "kind": "workload",
        "provider": "Provider",
        "version": "1.0",
        "kit": "0.1.0",
        "profile": "p",
        "tier": "3.1",
    }
    assert Plan.AUTO.value == "auto"
