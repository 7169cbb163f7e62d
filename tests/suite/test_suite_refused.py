"""Refused calls: what one has changed all the same is seen and blamed; what it may change, and what is not to be asked, is not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tck import api
from tck.catalogue import load_catalogue
from tck.suite.support import expect
from tck.suite.support.case import Case
from tck.suite.support.company import Refused
from tck.suite.support.company.readings import GETTERS


@pytest.fixture
def refused(live_case: Case, worker: Any) -> Refused:
    """The traces of the case."""
    found = Refused(worker.recorder)
    live_case.refused = found.make
    return found


def change(monkeypatch: pytest.MonkeyPatch, raw: Any, name: str, then: Callable[[Any], object]) -> None:
    """Let a setter of the provider change something else before it refuses."""
    setter = next(vars(each)[name] for each in type(raw).__mro__ if name in vars(each))

    def set_value(self: Any, value: object) -> None:
        then(self)
        setter.fset(self, value)

    monkeypatch.setattr(type(raw), name, property(setter.fget, set_value))


def producer_of(link: Any) -> Any:
    """A producer of the link's destination."""
    return link.client.session.create_producer(link.destination)


def refuse(link: Any, producer: Any) -> None:
    link.carry(link.text("x"))
    expect.raises(
        api.JMSException,
        lambda: setattr(producer, "priority", 10),
        what="priority 10",
        though_works=lambda: setattr(producer, "priority", 5),
    )


def test_a_refused_setter_of_a_sound_provider_leaves_no_trace(refused: Refused, live_case: Case) -> None:
    link = live_case.link()
    refuse(link, producer_of(link))
    assert refused.traces == []


def test_another_setting_that_changed_is_blamed(
    refused: Refused, live_case: Case, monkeypatch: pytest.MonkeyPatch, worker: Any
) -> None:
    link = live_case.link()
    producer = producer_of(link)
    raw = worker.recorder.behind(producer)
    change(monkeypatch, raw, "priority", lambda producer: setattr(producer, "time_to_live", producer.time_to_live + 9))
    refuse(link, producer)
    (trace,) = refused.traces
    assert (trace.row, trace.call) == ("7.4-11", "MessageProducer.priority")
    assert trace.text.startswith("time_to_live of producer-")
    assert trace.text.endswith("was 9 and is 18 after MessageProducer.priority raised JMSException")


def test_the_thing_that_was_to_be_set_is_not_blamed(
    refused: Refused, live_case: Case, monkeypatch: pytest.MonkeyPatch, worker: Any
) -> None:
    link = live_case.link()
    producer = producer_of(link)
    raw = worker.recorder.behind(producer)
    change(monkeypatch, raw, "priority", lambda producer: setattr(producer, "_priority", producer._priority + 1))
    refuse(link, producer)
    assert refused.traces == []


def test_a_sibling_of_the_session_is_looked_at(
    refused: Refused, live_case: Case, monkeypatch: pytest.MonkeyPatch, worker: Any
) -> None:
    link = live_case.link()
    other, producer = producer_of(link), producer_of(link)
    raw = worker.recorder.behind(other)
    change(monkeypatch, raw, "priority", lambda _: setattr(raw, "delivery_delay", raw.delivery_delay + 1))
    refuse(link, producer)
    assert [trace.row for trace in refused.traces] == ["7.4-11"]


def test_only_the_last_of_several_calls_is_refused(refused: Refused, live_case: Case) -> None:
    producer = producer_of(live_case.link())

    def both() -> None:
        producer.time_to_live = 1000
        producer.priority = 10

    with pytest.raises(api.JMSException):
        refused.make(both)
    assert refused.traces == []


@pytest.mark.parametrize(("name", "value", "rows"), [("a b", 1, []), ("ok", object(), [])])
def test_a_refused_property_leaves_the_others(
    refused: Refused, live_case: Case, name: str, value: object, rows: list[str]
) -> None:
    message = live_case.link().text("x")
    message.set_string_property("kept", "v")
    with pytest.raises((api.JMSException, api.JavaException)):
        refused.make(lambda: message.set_object_property(name, value))
    assert [trace.row for trace in refused.traces] == rows


def test_a_fresh_connection_is_not_asked(refused: Refused, live_case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    connection = live_case.provider.connection_factory().create_connection()
    live_case.opened(connection)
    raw = live_case.evidence.behind(connection)
    asked: list[str] = []
    monkeypatch.setattr(type(raw), "exception_listener", property(lambda _: asked.append("asked")))
    with pytest.raises(api.JMSException):
        refused.make(lambda: connection.create_session(transacted=False, session_mode=77))
    assert asked == []


def test_a_client_identifier_that_nobody_set_is_not_laid_down(
    refused: Refused, live_case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = live_case.link()
    connection = link.client.connection
    assert connection.client_id is None
    raw, shown = live_case.evidence.behind(connection), iter(range(9))
    monkeypatch.setattr(type(raw), "client_id", property(lambda _: f"generated-{next(shown) // 2}"))
    refuse(link, producer_of(link))
    assert refused.traces == []


def test_each_getter_is_one_of_its_type_and_rests_on_a_row() -> None:
    catalogue = load_catalogue()
    for kind, getters in GETTERS:
        for getter, row in getters.items():
            assert hasattr(kind, getter)
            assert catalogue[row].level == "MUST"
