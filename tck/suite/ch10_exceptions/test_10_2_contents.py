"""10.2 The contents of an exception: description, error code, and the lower-level exception."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from tck import api
from tck.api.java.rule import java_api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.harness.outcome import Undecided
from tck.suite.support.lifecycle.problems import ProblemListener
from tck.suite.support.lifecycle.provoked import provoked

OWN = (api.JMSException, api.JMSRuntimeException)
"""The roots of both families."""


@asserts("10.2-5", "10.2-6")
def test_a_reported_error_has_a_description_and_a_code(case: Case) -> None:
    """GetMessage of each exception is a text that is not empty; getErrorCode of each is a text or null."""
    raised: dict[str, Any] = {what: error for what, error in provoked(case).items() if isinstance(error, OWN)}
    silent = {what: error.reason for what, error in raised.items() if not (error.reason or "").strip()}
    strange = {
        what: error.error_code for what, error in raised.items() if not isinstance(error.error_code, (str, type(None)))
    }
    with expect.for_row("10.2-5"):
        expect.true(f"{len(raised)} exceptions have a description", bool(raised) and not silent, str(silent))
    with expect.for_row("10.2-6"):
        expect.true(f"{len(raised)} exceptions have a text or null as code", bool(raised) and not strange, str(strange))


def _standard(case: Case) -> list[Any]:
    """Return the standard exceptions of the case's family, its root first."""
    root = case.thrown(api.JMSException)
    found = [getattr(api, each.name) for each in java_api().values() if each.is_exception]
    return sorted((each for each in found if issubclass(each, root)), key=lambda each: each is not root)


def _facts(error: Any) -> tuple[str, str | None, str | None]:
    return type(error).__name__, error.reason, error.error_code


def _made(case: Case, reason: str | None, code: str | api.Omitted | None = api.OMITTED) -> Mapping[str, object]:
    """Make an exception of each type from a reason and perhaps a code; return their facts, or the failures."""
    seen: dict[str, object] = {}
    for kind in _standard(case):
        try:
            seen[kind.__name__] = _facts(case.provider.new_exception(kind, reason, code))
        except Exception as error:  # noqa: BLE001 - a constructor that is missing or fails is a finding
            seen[kind.__name__] = f"raises {type(error).__name__}: {error}"
    return seen


def _wanted(case: Case, reason: str | None, code: str | None) -> Mapping[str, object]:
    return {kind.__name__: (kind.__name__, reason, code) for kind in _standard(case)}


@asserts("10.2-5", "10.2-6", api=("classic", "simplified"), variant="constructed")
def test_an_exception_carries_the_texts_that_it_was_made_from(case: Case) -> None:
    """Each standard exception returns the reason and the error code that it was made from, and null as code without one."""
    link = case.link()
    link.send("x")
    expect.arrives(link, ["x"])
    with expect.for_row("10.2-5"):
        expect.equal("exceptions made from a reason", _made(case, "why"), _wanted(case, "why", None))
    with expect.for_row("10.2-6"):
        expect.equal("exceptions made from two texts", _made(case, "why", "E-17"), _wanted(case, "why", "E-17"))
        expect.equal("exceptions made from null", _made(case, None, None), _wanted(case, None, None))


@asserts("10.2-7", api=("classic", "simplified"), variant="carried")
def test_an_exception_carries_the_one_behind_it(case: Case) -> None:
    """Each standard exception returns the lower-level one that was linked to it, or that it was made with; without one null."""
    link = case.link()
    link.send("x")
    expect.arrives(link, ["x"])
    behind, seen = api.IllegalArgumentException("behind"), {}
    for kind in _standard(case):
        if case.api == "classic":
            made: Any = case.provider.new_exception(kind, "why", "E-17")
            alone, joined = made.linked_exception, case.provider.link_exception(made, behind).linked_exception
        else:
            alone = case.provider.new_exception(kind, "why", "E-17").__cause__
            joined = case.provider.new_exception(kind, "why", "E-17", behind).__cause__
        seen[kind.__name__] = (alone, str(joined))
    expect.equal("the exceptions behind", seen, dict.fromkeys(seen, (None, "behind")))


def _calls(case: Case) -> tuple[Any, ProblemListener, Mapping[str, Callable[[], object]]]:
    """Return a connection that has carried a message, its exception listener, and calls that need its link."""
    link, listener = case.link(), ProblemListener(case)
    link.send("x")
    expect.arrives(link, ["x"])
    connection, message = link.client.connection, link.text("y")
    connection.exception_listener = listener
    calls: dict[str, Callable[[], object]] = {"creating a consumer": partial(link.client.consumer, link.destination)}
    if case.api == "simplified":
        calls["send(destination, message)"] = partial(link.sender.producer.send, link.destination, message)
        calls["send(destination, String)"] = partial(link.sender.producer.send, link.destination, "y")
        return connection, listener, calls
    calls["send(message)"] = partial(link.sender.send, message)
    if case.api == "classic" and case.offers("simplified"):
        calls["createSession()"] = connection.create_session
    return connection, listener, calls


@asserts("10.2-7")
def test_a_lost_link_is_reported_with_its_cause(case: Case) -> None:
    """The exception listener and the calls that fail since the link is lost are given an exception with the lower-level one."""
    connection, listener, calls = _calls(case)
    case.provider.sever(connection)
    reports: dict[str, Any] = {"the exception listener": listener.problems[0]} if listener.called() else {}
    for what, call in calls.items():
        running = case.spawn(what, call)
        if running.ends_within() and (error := _error(running.result)) is not None and not _closed(error):
            reports[what] = error
    if not reports:
        raise Undecided("neither the exception listener nor a call has reported the lost link")
    bare = {what: f"{type(error).__name__}: {error}" for what, error in reports.items() if error.__cause__ is None}
    expect.true("each report of the loss has a lower-level exception", not bare, str(bare))


def _error(call: Callable[[], object]) -> Exception | None:
    try:
        call()
    except Exception as error:  # noqa: BLE001 - the caller judges it
        return error
    return None


def _closed(error: object) -> bool:
    """Return whether an exception reports a closed object, which the client has lost with the link."""
    return isinstance(error, (api.IllegalStateException, api.IllegalStateRuntimeException))
