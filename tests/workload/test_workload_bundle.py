"""The bundle of a workload: packed rows, side tables, what survives a kill, what is refused, and that nothing depends on how it is read."""

import json
import shutil

import numpy as np
import pytest
from workload_support import drive

from tck.api import SystemClock
from tck.check import Margins
from tck.check.columns import ALWAYS, NEVER, NONE, OPERATIONS, Op, Out, Table
from tck.check.from_operations import TraceBuilder, fold
from tck.check.properties import PROPERTIES
from tck.check.stages import across, judge, merge, message, session
from tck.record import Bundle, MissingBundle, TamperedBundle, TruncatedBundle
from tck.record.packed import BEGUN, DRAINED, DTYPE, EMPTY, ENDED, HEADER, PACK, PART_ROWS, RECEIVE, PackedRun
from tck.workload.recorder import Receiver, Recorder, RowTemplate
from tck.workload.samples import samples


@pytest.fixture(scope="module")
def bundle(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bundle")
    ended = drive(folder, "transactions", 400, seed=5)
    return folder / "run", ended


# -- the recorder ------------------------------------------------------------------------------------------------------


def rows_of(folder):
    return np.concatenate([np.load(path) for path in sorted((folder / "operations").glob("*.npy"))])


def test_the_layout_of_a_row_is_the_same_to_struct_and_numpy():
    assert PACK.size == np.dtype(DTYPE).itemsize == 120
    assert {name for name, _ in DTYPE} - {"state", "spare"} == set(OPERATIONS) - {"run", "bucket", "seq", "host"}


def test_a_row_is_on_disk_before_its_call_returns(tmp_path):
    recorder = Recorder(tmp_path, SystemClock())
    row = recorder.begin(Op.SEND, 3, 4, msg=7 << 32, unit=9, ttl=50, prio=8, auto=True)
    (seen,) = np.load(tmp_path / "operations" / "00000.npy")[:1]
    assert (seen["state"], seen["op"], seen["out"], seen["t1"]) == (BEGUN, Op.SEND, Out.UNKNOWN, NEVER)
    assert (seen["session"], seen["conn"], seen["msg"], seen["unit"]) == (3, 4, 7 << 32, 9)
    assert (seen["ttl"], seen["prio"], seen["auto"], seen["stamp"]) == (50, 8, True, NONE)
    recorder.end(row)
    recorder.set_header(row, (11, 12, 13, 14, 15))
    assert recorder.close() == 1
    (seen,) = rows_of(tmp_path)
    assert (seen["state"], seen["out"]) == (ENDED, Out.OK)
    assert seen["t0"] <= seen["t1"] < NEVER
    assert [int(seen[name]) for name in ("head", "jms", "stamp", "expires", "due")] == [11, 12, 13, 14, 15]


def test_rows_go_on_in_the_next_part(tmp_path):
    recorder = Recorder(tmp_path, SystemClock())
    for number in range(PART_ROWS + 10):
        recorder.end(recorder.begin(Op.SEND, 1, 1, msg=number))
    assert recorder.close() == PART_ROWS + 10
    sizes = [path.stat().st_size for path in sorted((tmp_path / "operations").iterdir())]
    assert sizes == [HEADER + PART_ROWS * 120, HEADER + 10 * 120]
    rows = rows_of(tmp_path)
    assert rows["msg"].tolist() == list(range(PART_ROWS + 10))
    assert (rows["state"] == ENDED).all()


def test_a_receive_becomes_the_delivery_it_brought(tmp_path):
    recorder = Recorder(tmp_path, SystemClock())
    template = RowTemplate(RECEIVE, 1, 1, consumer=2, end=3)
    row, now = recorder.begin_like(template, 200, 6, 10), recorder.now()
    receiver = Receiver(Op.DELIVER, True, 1, 1, 2, 3)
    recorder.delivered(row, receiver, (2, 4, 0, 0, 0), 5, 6, 0, 1, (1, 1, 1, 1, 1), (False, 1), now, now)
    recorder.close()
    (seen,) = rows_of(tmp_path)
    assert (seen["op"], seen["out"], seen["state"], seen["t0"], seen["t1"]) == (Op.DELIVER, Out.OK, ENDED, now, now)


def test_a_row_from_a_template_is_the_row_of_a_begin(tmp_path):
    recorder = Recorder(tmp_path, SystemClock())
    template = RowTemplate(RECEIVE, 1, 2, consumer=3, end=4)
    for timeout, unit in ((200, 6), (200, 7), (5, NONE)):
        recorder.begin(RECEIVE, 1, 2, consumer=3, end=4, ttl=timeout, unit=unit)
        recorder.begin_like(template, timeout, unit, 10)
    recorder.close()
    rows = rows_of(tmp_path)
    assert rows["t0"][1::2].tolist() == [10, 10, 10]
    assert (rows["state"] == BEGUN).all()
    for name in set(rows.dtype.names) - {"t0"}:
        assert rows[name][::2].tolist() == rows[name][1::2].tolist(), name


def test_a_send_row_is_that_of_a_begin_and_completed_as_one(tmp_path):
    recorder = Recorder(tmp_path, SystemClock())
    recorder.begin(Op.SEND, 1, 2, auto=True, mode=2, prio=4, klass=1, dest=3, ttl=5, delay=6, msg=7, unit=8, digest=9)
    row = recorder.begin_send(1, 2, True, (2, 4, 5, 6, 1), 3, 7, 8, 9)
    head = (11, 12, 13, 14, 15)
    recorder.end(0)
    recorder.set_header(0, head)
    recorder.end_send(row, 1 << 50, 9, head)
    recorder.close()
    first, second = rows_of(tmp_path)
    assert second["t1"] == 1 << 50
    for name in set(first.dtype.names) - {"t0", "t1"}:
        assert first[name] == second[name], name


@pytest.mark.parametrize("called", ["before", "during", "after"])
@pytest.mark.parametrize("closed", ["consumer", "session"])
def test_only_a_receive_called_after_a_close_had_returned_gets_what_it_must_not(tmp_path, called, closed):
    recorder = Recorder(tmp_path, SystemClock())
    template, receiver = RowTemplate(RECEIVE, 0, 0, consumer=0, end=0), Receiver(Op.DELIVER, True, 0, 0, 0, 0)
    row = recorder.begin_like(template, 200, NONE, recorder.now()) if called == "before" else NONE
    close = recorder.begin(Op.CLOSE, 0, 0, consumer=0 if closed == "consumer" else NONE)
    row = recorder.begin_like(template, 200, NONE, recorder.now()) if called == "during" else row
    returned = recorder.end(close)
    row = recorder.begin_like(template, 200, NONE, recorder.now()) if called == "after" else row
    while (now := recorder.now()) <= returned:
        pass
    recorder.delivered(row, receiver, (2, 4, 0, 0, 0), 0, NONE, 0, 1, (1, 1, 1, 1, 1), (False, 1), now, now)
    recorder.close()
    facts = {"end": 0, "session": 0, "selector": NONE}
    objects = [{"kind": "consumer", "n": 0, **facts}, {"kind": "session", "n": 0, "conn": 0, "mode": 1}]
    objects += [
        {"kind": "endpoint", "n": 0, "dest": 0, "type": 0, "shared": 0, "nolocal": NONE, "owner": NONE, **facts}
    ]
    builder, part = TraceBuilder(objects, 0), rows_of(tmp_path)
    builder.collect(part)
    (hit,) = judge(builder.rows(part, 0), builder.tables(), properties=[PROPERTIES["nothing-after-close"]]).values()
    assert (hit.obligations, len(hit.hits)) == (1, called == "after")


def test_a_close_stands_where_it_returned_and_one_that_did_not_where_it_was_called(tmp_path):
    recorder = Recorder(tmp_path, SystemClock())
    rows = [recorder.begin(Op.CLOSE, number, 1, consumer=number) for number in range(3)]
    recorder.end(rows[0])
    recorder.end_unknown(rows[1])
    assert recorder.close() == 4
    seen = rows_of(tmp_path)
    assert seen["state"].tolist() == [EMPTY, ENDED, BEGUN, ENDED]
    assert seen["session"][1:].tolist() == [1, 2, 0]
    assert (seen["out"][3], seen["t1"][3] < NEVER) == (Out.OK, True)


def test_a_full_disk_is_an_error_of_the_call_that_needs_room(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.posix_fallocate", full)
    with pytest.raises(OSError, match="No space left"):
        Recorder(tmp_path, SystemClock())


# -- reading -----------------------------------------------------------------------------------------------------------


def test_the_bundle_is_an_ordinary_one_with_a_result_for_each_property(bundle):
    folder, ended = bundle
    opened = Bundle.open(folder)
    assert opened.run.kind == "workload"
    assert opened.run.selection == ("transactions",)
    assert opened.end.events == ended.operations > 1000
    names = {result.case for result in opened.results()}
    assert "workload/transactions/rolled-back-invisible" in names
    assert names == {f"workload/transactions/{each.kind.name}" for each in ended.reports if each.outcome}
    lines = [json.loads(line) for line in (folder / "properties.ndjson").read_text().splitlines()]
    assert {line["property"] for line in lines} == set(PROPERTIES)
    assert all(line["violations"] == 0 for line in lines if not line["observes"])


def test_samples_add_up(bundle):
    folder, ended = bundle
    lines = [json.loads(line) for line in (folder / "samples.ndjson").read_text().splitlines()]
    assert [line["s"] for line in lines] == list(range(len(lines)))
    assert sum(line["sent"] for line in lines) == ended.outcome.sent
    assert sum(line["delivered"] for line in lines) == ended.outcome.delivered
    assert any(line["latency_ms"] and line["latency_ms"][0] <= line["latency_ms"][3] for line in lines)


def test_judging_the_bundle_again_gives_the_same_answer(bundle):
    folder, ended = bundle
    packed = PackedRun.open(folder)
    trace = fold(packed.parts(), packed.objects, packed.origin)
    tallies = judge(trace.rows, trace.tables, Margins(**packed.about["margins"]))
    for each in ended.reports:
        tally = tallies[each.kind.name]
        assert (tally.obligations, len(tally.hits), tally.undecided) == (
            each.obligations,
            each.violations,
            each.undecided,
        )


def test_in_pieces_of_any_size_the_answer_is_the_same(bundle):
    folder, ended = bundle
    packed = PackedRun.open(folder)
    (whole,) = packed.parts()
    pieces = [whole[at : at + 97] for at in range(0, len(whole), 97)]
    builder = TraceBuilder(packed.objects, packed.origin)
    for piece in pieces:
        builder.collect(piece)
    rows = Table.concat(OPERATIONS, [builder.rows(piece, 97 * number) for number, piece in enumerate(pieces)])
    tables, margins, wanted = builder.tables(), Margins(**packed.about["margins"]), list(PROPERTIES.values())
    stages = [session(rows.take(rows.session % 3 == part), tables, margins, wanted) for part in range(3)]
    copies = Table.concat({**stages[0].copies.columns}, [each.copies for each in stages])
    seconds = [message(copies.take(copies.msg % 4 == part), tables, margins, wanted) for part in range(4)]
    units = Table.concat({**seconds[0].units.columns}, [each.units for each in seconds])
    ids = Table.concat({**stages[0].ids.columns}, [each.ids for each in stages])
    tallies = merge([*stages, *seconds, across(units, ids, tables, wanted)])
    assert {each.kind.name: each.obligations for each in ended.reports} == {
        name: tally.obligations for name, tally in tallies.items()
    }


def test_every_queue_and_durable_subscription_was_shown_to_be_empty(bundle):
    folder, _ = bundle
    packed = PackedRun.open(folder)
    tables = fold(packed.parts(), packed.objects, packed.origin).tables
    assert len(tables.endpoints) == 5
    assert (tables.endpoints.drained > ALWAYS).all()
    assert (tables.endpoints.waited - tables.endpoints.drained >= 1_500_000_000).all()


# -- bundles that are not whole ----------------------------------------------------------------------------------------


@pytest.fixture
def copy(bundle, tmp_path):
    shutil.copytree(bundle[0], tmp_path / "copy")
    return tmp_path / "copy"


def test_a_run_that_was_killed_is_refused_and_read_when_asked_for(copy):
    (copy / "end.json").unlink()
    with pytest.raises(TruncatedBundle, match="the run did not end"):
        PackedRun.open(copy)
    packed = PackedRun.open(copy, allow_truncated=True)
    assert packed.bundle is None
    assert len(fold(packed.parts(), packed.objects, packed.origin).rows) > 1000


def test_a_part_that_is_cut_or_changed_is_refused(copy):
    part = copy / "operations" / "00000.npy"
    content = bytearray(part.read_bytes())
    part.write_bytes(content[:-500])
    with pytest.raises(TruncatedBundle, match="saw"):
        PackedRun.open(copy)
    content[-60] ^= 1
    part.write_bytes(content)
    with pytest.raises(TamperedBundle, match="digest"):
        PackedRun.open(copy)


def test_a_missing_part_and_a_part_of_other_columns_are_refused(copy):
    part = copy / "operations" / "00000.npy"
    part.unlink()
    with pytest.raises(MissingBundle, match="expected this file"):
        PackedRun.open(copy)
    (copy / "end.json").unlink()
    np.save(part, np.zeros(5))
    with pytest.raises(TamperedBundle, match="other columns"):
        list(PackedRun.open(copy, allow_truncated=True).parts())


def test_a_bundle_of_the_suite_is_refused(copy):
    run = json.loads((copy / "run.json").read_text())
    (copy / "run.json").write_text(json.dumps(run | {"kind": "suite"}))
    (copy / "end.json").unlink()
    with pytest.raises(MissingBundle, match="workload"):
        PackedRun.open(copy, allow_truncated=True)


# -- what control rows come to -----------------------------------------------------------------------------------------


@pytest.fixture
def control(tmp_path):
    """A recorder with a queue, a subscription and two consumers of the queue; call it with what happened for the side tables."""
    recorder = Recorder(tmp_path, SystemClock())
    recorder.register("destination", label="queue:q")
    for number in range(2):
        recorder.register("session", conn=number, mode=1, label=f"s{number}")
        recorder.register("consumer", label=f"c{number}", end=0, session=number, selector=NONE)
    for kind in (0, 1):
        recorder.register(
            "endpoint", label="e", dest=0, type=kind, shared=False, selector=NONE, nolocal=NONE, owner=NONE
        )

    def tables(*notes):
        for op, session_, t0, t1, columns in notes:
            recorder.add(op, session_, session_, t0, t1, **columns)
        recorder.close()
        objects = [json.loads(line) for line in (tmp_path / "objects.ndjson").read_text().splitlines()]
        return fold([rows_of(tmp_path)], objects, 0).tables

    return recorder, tables


CLOSED = (Op.CLOSE, 1, 50, 60, {})
DRAIN = (DRAINED, 0, 100, 200, {"end": 0, "consumer": 0})


def test_a_queue_is_drained_by_the_only_consumer(control):
    _, tables = control
    found = tables(CLOSED, DRAIN).endpoints
    assert (found.drained.tolist()[0], found.waited.tolist()[0]) == (100, 200)


@pytest.mark.parametrize(
    "left",
    [
        (),
        ((Op.CLOSE, 1, 150, 160, {}),),
        ((Op.CRASH, 1, 50, 60, {}),),
        ((Op.RESTART, 1, 20, 30, {}), (Op.CRASH, 1, 50, 60, {})),
        (CLOSED, (RECEIVE, 0, 10, NEVER, {"out": Out.UNKNOWN, "end": 0, "consumer": 0})),
    ],
    ids=["open", "closed later", "dead", "dead since the restart", "a receive never returned"],
)
def test_a_queue_is_not_drained_while_somebody_may_hold_messages(control, left):
    _, tables = control
    assert tables(*left, DRAIN).endpoints.drained.tolist()[0] == ALWAYS


def test_a_restart_frees_what_the_dead_held(control):
    _, tables = control
    found = tables((Op.CRASH, 1, 50, 60, {}), (Op.RESTART, 1, 70, 80, {}), DRAIN)
    assert found.endpoints.drained.tolist()[0] == 100
    assert found.consumers.gone1.tolist() == [NEVER, 80]


def test_consumers_that_wait_together_show_it_together(control):
    _, tables = control
    other = (DRAINED, 1, 110, 200, {"end": 0, "consumer": 1})
    assert tables(DRAIN, other).endpoints.drained.tolist()[0] == 110


def test_what_never_returned_leaves_its_marks(control):
    recorder, tables = control
    recorder.begin(RECEIVE, 0, 0, consumer=0, end=0)
    recorder.begin(Op.SUBSCRIBE, 0, 0, end=1)
    found = tables(CLOSED)
    assert found.endpoints.blind.tolist() == [NEVER, ALWAYS]
    assert found.endpoints.open1.tolist() == [ALWAYS, NEVER]
    assert found.consumers.session.tolist() == [0, 1, NONE]


def test_the_same_seed_asks_for_the_same_messages(tmp_path):
    asked = []
    for seed in (1, 1, 2):
        folder = tmp_path / str(len(asked))
        folder.mkdir()
        drive(folder, "steady", 120, seed=seed)
        rows = rows_of(folder / "run")
        sends = rows[rows["op"] == Op.SEND]
        labels = {
            line["n"]: line["label"]
            for line in map(json.loads, (folder / "run" / "objects.ndjson").read_text().splitlines())
            if line["kind"] == "session"
        }
        kept = [
            (labels[int(row["session"])], *(int(row[name]) for name in ("dest", "prio", "mode", "klass")))
            for row in sends
        ]
        asked.append(sorted(kept))
    assert asked[0] == asked[1]
    assert asked[0] != asked[2]


class _Set(SystemClock):
    """A clock that somebody sets forward by a second once it was read a few times."""

    def __init__(self):
        super().__init__()
        self.reads = 0

    def monotonic_ns(self):
        self.reads += 1
        return super().monotonic_ns() + (1_000_000_000 if self.reads > 2 else 0)


def test_a_clock_that_is_set_during_the_run_is_noticed(tmp_path):
    recorder = Recorder(tmp_path, _Set())
    recorder.watch_clock()
    assert recorder.drift < 500_000_000
    recorder.watch_clock()
    assert 500_000_000 < recorder.drift < 1_500_000_000
    recorder.close()


def test_samples_of_times_before_the_start_count_in_the_first_second(bundle):
    """A clock that went back, as a broken provider has it, leaves samples and does not end the run."""
    folder, ended = bundle
    packed = PackedRun.open(folder)
    rows = fold(packed.parts(), packed.objects, packed.origin).rows
    early = Table(
        rows.columns | {"t0": rows.t0 - 5_000_000_000, "t1": np.where(rows.t1 < NEVER, rows.t1 - 5_000_000_000, NEVER)}
    )
    lines = list(samples(early, []))
    assert sum(line["sent"] for line in lines) == ended.outcome.sent
    assert lines[0]["s"] == 0
