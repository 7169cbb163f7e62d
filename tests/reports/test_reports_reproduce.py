"""Programs of made-up cases with hostile text, and the command on the page of a case."""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import re

import pytest
import synthetic_bundles as synthetic

from tck.catalogue import Catalogue
from tck.record import Bundle, Outcome
from tck.reports.html import paths
from tck.reports.read import CaseReport, load
from tck.reports.reproduce import (
    CannotReproduce,
    JavaSetup,
    PythonSetup,
    Reproduction,
    find,
    write_java,
    write_python,
)

ARTEMIS = "org.apache.activemq.artemis.jms.client."
JAVA = JavaSetup(
    profile="artemis",
    namespace="jakarta",
    java=17,
    dependencies=["group:artifact:1"],
    options=["-Da=b", "-Xmx1g"],
    driver="artemis",
    broker_settings={},
    factory={"class": f"{ARTEMIS}ActiveMQJMSConnectionFactory", "arguments": ["{url}"]},
    destinations={"queue": f"{ARTEMIS}ActiveMQQueue", "topic": f"{ARTEMIS}ActiveMQTopic"},
)
HOSTILE = '"); system.exit(1); ("'
_LITERAL = re.compile(r'"(?:[^"\\]|\\.)*"')


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory, catalogue: Catalogue) -> Bundle:
    """Give a bundle of one case whose texts try to leave their place in a program."""
    case = synthetic.case_row(catalogue["3.4.1-1"])
    trace = synthetic.Trace(case.case)
    queue = f"queue:{synthetic.HOSTILE_NAME}"
    trace.call("suite", "provider", "Provider.connection_factory", value="factory-1")
    trace.create("suite", "factory-1", "ConnectionFactory.create_connection", "connection-1", "Connection")
    trace.create("connection-1", "connection-1", "Connection.create_session", "session-1", "Session")
    named = {"name": synthetic.HOSTILE_NAME}
    trace.call(
        "suite", "provider", "Provider.create_queue", args=named, value=queue,
        created={"label": queue, "type": "Queue", "parent": "provider"},
    )  # fmt: skip
    trace.create("session-1", "session-1", "Session.create_text_message", "message-1", "TextMessage")
    trace.call("session-1", "message-1", "TextMessage.text", args={"value": synthetic.HOSTILE_BODY}, value=None)
    trace.call("session-1", "message-1", "Message.jms_reply_to", args={"value": queue}, value=None)
    last = trace.call("session-1", "message-1", "TextMessage.text", value=f"*/ {HOSTILE}")
    result = synthetic.result_row(
        catalogue,
        case,
        Outcome.BROKEN,
        cites=(last,),
        expected=f"the text is {HOSTILE!r}",
        observed=f"the text was {'*/ ' + HOSTILE!r}",
    )
    result = dataclasses.replace(result, claim=f'*/ """ {HOSTILE} \\u000a')
    folder = tmp_path_factory.mktemp("hostile") / "run"
    return synthetic.write(folder, synthetic.run_row(catalogue), [(case, result, trace.events)])


@pytest.fixture(scope="module")
def found(hostile: Bundle) -> Reproduction:
    run = load(hostile)
    return find(run, run.cases[0], every_call=True)


def test_the_call_that_returned_the_value_decides(found: Reproduction):
    (decision,) = found.basis.calls
    assert (decision.call.op, decision.call.args, found.basis.named) == ("TextMessage.text", {}, True)


def test_a_python_program_of_hostile_text_is_valid_python(found: Reproduction):
    ast.parse(write_python(found, PythonSetup("x", {"a": HOSTILE})))


def test_no_text_of_a_case_ends_a_comment_or_a_literal_of_a_java_program(found: Reproduction):
    text = write_java(found, JAVA)
    head, _, body = text.partition("public class")
    assert head.count("*/") == 1
    assert text.isascii()
    assert "\\u000a" not in text.replace("\\\\u000a", "")
    assert "system.exit" not in _LITERAL.sub("", body)


def test_options_of_the_virtual_machine_are_set_or_named(found: Reproduction):
    text = write_java(found, JAVA)
    assert 'System.setProperty("a", "b");' in text
    assert "//RUNTIME_OPTIONS -Xmx1g\n" in text


@pytest.mark.parametrize("driver", ["process", "nobody"])
def test_a_driver_without_a_form_in_java_is_refused(found: Reproduction, driver: str):
    with pytest.raises(CannotReproduce, match="profile artemis: "):
        write_java(found, dataclasses.replace(JAVA, driver=driver))


def test_every_made_up_case_is_written_or_refused_by_name(bundle: Bundle):
    run = load(bundle)
    for case in run.cases:
        with contextlib.suppress(CannotReproduce):
            ast.parse(write_python(find(run, case), PythonSetup("x", {})))


def _cases(bundle: Bundle, *outcomes: Outcome) -> list[CaseReport]:
    return [case for case in load(bundle).cases if case.shown.outcome in outcomes and case.shown.events]


def test_the_page_of_a_failed_case_names_the_command(bundle: Bundle, site):
    for case in _cases(bundle, Outcome.BROKEN):
        assert f"tck reproduce {bundle.run.run} " in (site / paths.case(case.name)).read_text(encoding="utf-8")


def test_the_page_of_a_held_case_does_not(bundle: Bundle, site):
    for case in _cases(bundle, Outcome.HELD)[:3]:
        assert "tck reproduce" not in (site / paths.case(case.name)).read_text(encoding="utf-8")
