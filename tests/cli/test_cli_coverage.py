"""`tck coverage`: derived figures, official ids measured from evidence, and no judged row without a test."""

from dataclasses import replace
from types import SimpleNamespace

import pytest
from cli_support import tck

from tck.catalogue import load_catalogue
from tck.catalogue.out_of_reach import load_out_of_reach
from tck.cli.coverage_command import bounded_waits, waits_table
from tck.cli.support.choices import in_order
from tck.cli.support.suite_tests import ids_tested
from tck.record import Bundle
from tck.record.calls import CALLS, Call
from tck.record.rows import Wait
from tck.reports.official_ids import covered_spec_ids, endings, overload_of


@pytest.fixture(scope="module")
def coverage(good):
    ended = tck("coverage", "--format", "json", cwd=good[0])
    assert ended.code == 0, ended.err
    return ended.json()


@pytest.mark.slow
def test_rows_judged_tested_and_untested_add_up(coverage):
    known = load_catalogue()
    assert coverage["rows"] == len(known)
    assert coverage["judged"] == len(known.judged())
    assert coverage["tested"] + len(coverage["untested"]) == coverage["judged"]
    assert coverage["untested"] == in_order(row.id for row in known.judged() if row.id not in ids_tested())


def test_chapters_and_levels_add_up_to_the_whole(coverage):
    for table in (coverage["chapters"], coverage["levels"]):
        for key in ("rows", "judged", "tested"):
            assert sum(counts[key] for counts in table.values()) == coverage[key]
    assert list(coverage["chapters"]) == list(load_catalogue().chapters)


def test_official_figures_have_their_known_totals(coverage):
    assert coverage["official"]["spec"]["testable"] == 291
    assert coverage["official"]["api"]["testable"] == 815
    assert 0 < coverage["official"]["spec"]["covered"] <= 291
    assert 0 < coverage["official"]["api"]["covered"] <= 815


def test_an_official_api_id_is_covered_missing_or_out_of_reach(coverage):
    api = coverage["official"]["api"]
    assert api["covered"] + len(api["missing"]) + len(api["out_of_reach"]) == api["testable"]
    assert api["missing"]["JMS:JAVADOC:840"] == "Connection.createSession() raises JMSException"
    assert api["out_of_reach"] == dict(load_out_of_reach())
    assert api["stale"] == []


@pytest.mark.slow
def test_missing_names_the_official_api_ids_that_no_case_covered(coverage, good):
    ended = tck("coverage", "--missing", cwd=good[0])
    api = coverage["official"]["api"]
    assert (ended.code, f"{len(api['missing'])} are missing" in ended.out) == (0, True)
    assert "JMS:JAVADOC:840   Connection.createSession() raises JMSException\n" in ended.out
    assert all(f"out of reach: {reason}: " in ended.out for reason in api["out_of_reach"].values())


def test_exceptions_that_the_provider_made_cover_their_constructors():
    kind = {"type": "type", "value": "IllegalStateException"}
    shown = endings([Call("Provider.new_exception", {"kind": kind, "reason": "r"}, made="IllegalStateException")])
    assert set(shown) == {
        ("IllegalStateException", "IllegalStateException", ("String",), ""),
        ("JMSException", "getErrorCode", (), ""),
        ("JMSException", "getLinkedException", (), ""),
    }
    runtime = {"kind": {"type": "type", "value": "JMSRuntimeException"}, "reason": "r", "error_code": "E", "cause": {}}
    shown = endings([Call("Provider.new_exception", runtime, made="JMSRuntimeException")])
    constructor = ("JMSRuntimeException", "JMSRuntimeException", ("String", "String", "Throwable"), "")
    assert set(shown) == {constructor, ("JMSRuntimeException", "getErrorCode", (), "")}


@pytest.mark.slow
def test_a_selection_limits_rows_not_official_figures(coverage, good):
    section = tck("coverage", "3.4.1", "--format", "json", cwd=good[0]).json()
    assert (section["rows"], section["tested"], list(section["chapters"])) == (3, 3, ["ch03"])
    assert section["official"] == coverage["official"]
    assert section["run"] == good[1].json()["run"]


@pytest.mark.slow
def test_waits_are_those_of_the_run_by_row(coverage, good):
    results = list(Bundle.open(good[0] / "tck-out" / "runs" / good[1].json()["run"]).results())
    assert sum(each["count"] for each in coverage["waits"].values()) == sum(len(each.waits) for each in results)
    waited = replace(results[0], waits=(Wait(300.0, "first"), Wait(200.5, "second")))
    again = replace(waited, attempt=2, waits=(Wait(1.0, "third"),))
    row = waited.case.partition("/")[0]
    run = SimpleNamespace(results=lambda: [waited, again, *results[1:]])
    assert bounded_waits(run, {row})[row] == {"count": 3, "ms": 501.5}
    assert bounded_waits(run, set()) == {}
    done = tck("coverage", "--waits", cwd=good[0])
    assert (done.code, "bounded waits without proof: 0 by cases of 0 rows, 0.0 s in all" in done.out) == (0, True)
    assert "row " not in done.out


def test_the_table_of_waits_begins_with_the_longest():
    table = waits_table({"3.4.1-1": {"count": 1, "ms": 99.5}, "6.1.5-3": {"count": 3, "ms": 501.5}})
    assert [line.split() for line in table.splitlines() if "." in line] == [
        ["6.1.5-3", "3", "502"],
        ["3.4.1-1", "1", "100"],
    ]


@pytest.mark.slow
def test_without_a_run_the_api_figure_is_left_out_and_nothing_is_run(tmp_path):
    ended = tck("coverage", "3.4.1", cwd=tmp_path)
    assert ended.code == 0
    assert (
        "official ids of the API: not measured: there is no run under tck-out/runs; `tck run` makes one\n" in ended.out
    )
    assert not list(tmp_path.iterdir())
    got = tck("coverage", "3.4.1", "--format", "json", cwd=tmp_path).json()
    assert (got["run"], got["official"]["api"]["covered"], got["official"]["api"]["testable"]) == (None, None, 815)
    assert got["waits"] is None
    assert "bounded waits without proof: not measured" in ended.out


def test_a_specification_id_is_covered_by_any_judged_row_that_cites_it():
    known = load_catalogue()
    row = known["3.4.1-1"]
    assert covered_spec_ids(known, {row.id}) == {id_ for id_ in row.official if known.official_spec[id_].testable}
    assert covered_spec_ids(known, set()) == frozenset()


def call(op, message=None, /, **args):
    return Call(op, args, message)


@pytest.mark.parametrize(
    ("made", "parameters"),
    [
        (call("MessageProducer.send", "message-1", message="message-1"), "Message"),
        (call("MessageProducer.send", "message-1", message="message-1", destination="queue:a"), "Destination Message"),
        (call("QueueSender.send", "message-1", message="message-1", destination="queue:a"), "Queue Message"),
        (call("QueueSender.send", "message-1", message="message-1", destination="topic:a"), "Destination Message"),
        (call("JMSProducer.send", "message-1", destination="queue:a", body="message-1"), "Destination Message"),
        (call("JMSProducer.send", destination="queue:a", body="message-1"), "Destination String"),
        (call("JMSProducer.send", destination="queue:a", body={"type": "map", "value": {}}), "Destination Map"),
        (call("JMSProducer.send", destination="queue:a", body={"type": "bytes", "hex": ""}), "Destination byte[]"),
        (
            call("JMSProducer.send", destination="queue:a", body={"type": "set", "value": []}),
            "Destination Serializable",
        ),
        (
            call("JMSProducer.send", destination="queue:a", body=None, body_type={"type": "type", "value": "dict"}),
            "Destination Map",
        ),
        (call("JMSProducer.set_property", name="n", value={"type": "Int", "value": 1}), "String int"),
        (call("JMSProducer.set_property", name="n", value=1), "String long"),
        (call("Message.jms_type", value="t"), "String"),
        (call("Message.jms_type"), ""),
        (call("MessageConsumer.receive", timeout=5), "long"),
        (call("Session.create_consumer", destination="topic:a"), "Destination"),
    ],
)
def test_a_call_names_its_java_overload(made, parameters):
    assert " ".join(overload_of(made).parameters) == parameters


@pytest.mark.slow
@pytest.mark.parametrize("rows", [("3.11", "8.5"), ("6.1.2", "10.3")], ids=" ".join)
def test_the_kinds_of_calls_that_a_run_keeps_end_as_all_its_calls_did(tmp_path, rows):
    ended = tck("run", *rows, "-n", "2", "--no-report", "--format", "json", cwd=tmp_path)
    folder = next((tmp_path / "tck-out" / "runs").iterdir())
    bundle = Bundle.open(folder)
    kept = list(bundle.calls())
    assert (ended.code, (folder / CALLS).name in bundle.end.digests) == (0, True)
    (folder / CALLS).unlink()
    every = list(bundle.calls())
    assert set(endings(kept)) == set(endings(every))
    assert len(kept) < len(every) / 4


def test_what_is_no_java_call_names_no_overload():
    assert overload_of(call("Provider.create_queue", name="a")) is None
    assert overload_of(call("JMSProducer.send", destination="queue:a", body=None)) is None


# -- no debt -----------------------------------------------------------------------------------------------------------


def test_each_judged_row_is_named_by_a_test():
    """Whoever adds a row writes its test, and whoever deletes a test writes another."""
    judged = load_catalogue().judged()
    assert len(judged) > 1300
    assert in_order(row.id for row in judged if row.id not in ids_tested()) == []
