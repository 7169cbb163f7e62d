"""10.3 Standard exceptions: destinations that a provider does not understand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.members import Rows, every_call
from tck.suite.support.clients.sender import Sender
from tck.suite.support.clients.temporary_destinations import name_of
from tck.suite.support.harness.outcome import Undecided
from tck.suite.support.lifecycle.closed import all_refused
from tck.suite.support.lifecycle.refusals import (
    before_everything,
    with_open_work,
    with_returned_work,
    within_a_listener,
)
from tck.suite.support.lifecycle.unstarted import unstarted
from tck.suite.support.values.foreign_destinations import ForeignDestination, ForeignQueue, ForeignTopic
from tck.suite.support.values.seen import taken

MODES = ("auto", "client", "dups_ok", "transacted")
RETURNING = ("client", "transacted")
CREATIONS = ("createReceiver", "createSubscriber", "createBrowser", "createDurableSubscriber")
"""The methods that make consumers and browsers, of a session of one domain too."""
COMMON = ("createConsumer", "createProducer")
"""Those of sessions without a domain, which the others have inherited since 1.1."""
NEWER = ("createDurableConsumer", "createSharedConsumer", "createSharedDurableConsumer")
"""Those of 2.0."""
PRODUCERS = ("createProducer", "createSender", "createPublisher")
"""The methods that make producers, of null too."""
SENDS = [
    f"{name}({kind}, Message{rest})"
    for name, kind in (("send", "Queue"), ("publish", "Topic"), ("send", "Destination"))
    for rest in ("", ", int, int, long")
]
BODIES = [f"send(Destination, {body})" for body in ("String", "Map", "byte[]", "Serializable")]

Make = Callable[[Client], Rows]
Scenario = Callable[[Link, Callable[[], None]], None]


def _interfaces(case: Case) -> tuple[str, str]:
    """Return the names of the case's interfaces of sessions and of producers."""
    return {
        "classic": ("Session", "MessageProducer"),
        "simplified": ("JMSContext", "JMSProducer"),
        "domain-specific queue": ("QueueSession", "QueueSender"),
        "domain-specific topic": ("TopicSession", "TopicPublisher"),
    }[f"{case.api} {case.domain}" if case.api == "domain-specific" else case.api]


def _calls(client: Client, given: Mapping[str, Any]) -> Rows:
    """Return the calls of a session, of a new producer and of one that has sent, which name a destination, with what is given.

    Each has a fresh destination unless one is given. Some do not fit the session's domain or its provider.
    """
    case: Any = client.case
    session, used = client.session, client.sender()
    used.send(client.text("x"), to=case.destination())
    only = [*CREATIONS, "createSender", "createPublisher"]
    only += COMMON if case.offers("classic") else ()
    only += NEWER if case.offers("simplified") else ()
    calls = dict(every_call(case, _interfaces(case)[0], lambda: session, only=only, **given))
    for what, sender in (("a new producer", client.sender()), ("a producer that has sent", used)):
        calls |= {f"{call} by {what}": row for call, row in _sends(client, sender, given).items()}
    return {what: call for what, call in calls.items() if what != "createProducer()"}


def _sends(client: Client, sender: Sender, given: Mapping[str, Any]) -> Rows:
    """Return the sends of a producer that name a destination."""
    case: Any = client.case
    message = client.text("x")
    calls = partial(every_call, case, _interfaces(case)[1], lambda: sender.producer, **given)
    bodies = calls(only=BODIES) if case.api == "simplified" else {}
    return {**calls(only=SENDS, message=message, body=message), **bodies}


def _null(client: Client) -> Rows:
    """Return the calls that need a destination, each with null."""
    calls = _calls(client, dict.fromkeys(("destination", "queue", "topic")))
    return {what: call for what, call in calls.items() if what.partition("(")[0] not in PRODUCERS}


def _neither(client: Client) -> Rows:
    """Return the calls that take any destination, each with one that is neither a queue nor a topic."""
    calls = _calls(client, {"destination": ForeignDestination()})
    return {what: call for what, call in calls.items() if "(Destination" in what}


def _refused(make: Make, client: Client) -> None:
    """Demand that each call with a wrong destination is refused which works with a right one."""
    wrong, right = make(client), _calls(client, {})
    wanted = client.case.thrown(api.InvalidDestinationException)
    all_refused(wanted, wrong, though_work={what: right[what] for what in wrong})


def _client(case: Case) -> Client:
    """Connect with a client identifier, so that durable subscriptions are possible."""
    return case.client(client_id=case.name("c"))


def _with_work(case: Case, make: Make, scenario: Scenario) -> None:
    client = _client(case)
    scenario(case.link(client=client), partial(_refused, make, client))


def _by_a_listener(case: Case, make: Make) -> None:
    """Demand that a listener is refused the calls that work outside of it."""
    link = case.link(client=_client(case))
    right = _calls(_client(case), {})
    wrong = {what: call for what, call in make(link.client).items() if taken(partial(_closing, right[what]))}
    if not wrong:
        raise Undecided("none of the calls works outside of a listener")
    within_a_listener(link, case.thrown(api.InvalidDestinationException), wrong)


def _closing(call: Callable[[], object]) -> None:
    """Call, and close what was made."""
    made = call()
    if isinstance(made, api.AutoCloseable):
        made.close()


def _first_of_all(case: Case, make: Make) -> None:
    client = unstarted(case, client_id=case.name("c"))
    before_everything(client, partial(_refused, make, client))


def _understood_or_refused(case: Case) -> None:
    """Demand that each call with a queue or topic of another implementation is refused as invalid, if at all; record which are."""
    link = case.link(client=_client(case))
    link.send("before")
    expect.arrives(link, ["before"])
    queue, topic = ForeignQueue(str(name_of(case.queue()))), ForeignTopic(str(name_of(case.topic())))
    own: Any = queue if case.domain == "queue" else topic
    foreign, right = _calls(link.client, {"destination": own, "queue": queue, "topic": topic}), _calls(link.client, {})
    refusals: list[str] = []
    wanted = case.thrown(api.InvalidDestinationException)
    with expect.all_of():
        for what, call in foreign.items():
            with expect.all_of():
                works = taken(partial(_closing, right[what]))
                if works and expect.works_or(wanted, partial(_closing, call), what=what):
                    refusals.append(what)
    link.client.settle()
    link.send("after")
    expect.arrives(link, ["after"])
    expect.record(f"refused: {', '.join(refusals) or 'none'}")


@asserts("10.3-21", ack=MODES)
def test_a_null_destination_is_invalid(case: Case) -> None:
    """Consumers and browsers of null, and sends to null, are refused; unsettled messages are then settled as a whole."""
    _with_work(case, _null, with_open_work)


@asserts("10.3-22", ack=MODES)
def test_a_null_destination_is_invalid_for_a_context(case: Case) -> None:
    """Consumers and browsers of null, and sends to null, are refused; unsettled messages are then settled as a whole."""
    _with_work(case, _null, with_open_work)


@asserts("10.3-21", ack=RETURNING, variant="returned")
def test_a_null_destination_is_invalid_after_a_return(case: Case) -> None:
    """The calls with null are refused before and after a rollback or recover(), which returns everything."""
    _with_work(case, _null, with_returned_work)


@asserts("10.3-22", ack=RETURNING, variant="returned")
def test_a_null_destination_is_invalid_for_a_context_after_a_return(case: Case) -> None:
    """The calls of a context with null are refused before and after a rollback or recover(), which returns everything."""
    _with_work(case, _null, with_returned_work)


@asserts("10.3-21", ack=("auto", "transacted"), variant="listener")
def test_a_null_destination_is_invalid_for_a_listener(case: Case) -> None:
    """The calls with null are refused within a listener of the session, which settles its message and gets the next."""
    _by_a_listener(case, _null)


@asserts("10.3-22", ack=("auto", "transacted"), variant="listener")
def test_a_null_destination_is_invalid_for_a_listener_of_a_context(case: Case) -> None:
    """The calls with null are refused within a listener of the context, which settles its message and gets the next."""
    _by_a_listener(case, _null)


@asserts("10.3-21", ack=("auto", "transacted"), variant="first")
def test_a_null_destination_is_invalid_for_a_new_session(case: Case) -> None:
    """The calls with null are refused on a session whose connection is not started; it then serves."""
    _first_of_all(case, _null)


@asserts("10.3-22", ack=("auto", "transacted"), variant="first")
def test_a_null_destination_is_invalid_for_a_new_context(case: Case) -> None:
    """The calls with null are refused on a new context, which then serves."""
    _first_of_all(case, _null)


@asserts("10.3-21", ack=MODES, variant="neither", needs="classic")
def test_what_is_no_queue_and_no_topic_is_invalid(case: Case) -> None:
    """Consumers, producers and sends with a Destination that is neither a queue nor a topic are refused; open work stays whole."""
    _with_work(case, _neither, with_open_work)


@asserts("10.3-22", ack=MODES, variant="neither")
def test_what_is_no_queue_and_no_topic_is_invalid_for_a_context(case: Case) -> None:
    """Consumers and sends with a Destination that is neither a queue nor a topic are refused; open work stays whole."""
    _with_work(case, _neither, with_open_work)


@asserts("10.3-21", ack=RETURNING, variant="neither-returned", needs="classic")
def test_what_is_no_queue_and_no_topic_is_invalid_after_a_return(case: Case) -> None:
    """The calls with such a Destination are refused before and after a rollback or recover(), which returns everything."""
    _with_work(case, _neither, with_returned_work)


@asserts("10.3-22", ack=RETURNING, variant="neither-returned")
def test_what_is_no_queue_and_no_topic_is_invalid_for_a_context_after_a_return(case: Case) -> None:
    """The calls of a context with such a Destination are refused before and after a rollback or recover(), which returns all."""
    _with_work(case, _neither, with_returned_work)


@asserts("10.3-21", ack=("auto", "transacted"), variant="neither-listener", needs="classic")
def test_what_is_no_queue_and_no_topic_is_invalid_for_a_listener(case: Case) -> None:
    """The calls with such a Destination are refused within a listener of the session, which goes on."""
    _by_a_listener(case, _neither)


@asserts("10.3-22", ack=("auto", "transacted"), variant="neither-listener")
def test_what_is_no_queue_and_no_topic_is_invalid_for_a_listener_of_a_context(case: Case) -> None:
    """The calls with such a Destination are refused within a listener of the context, which goes on."""
    _by_a_listener(case, _neither)


@asserts("10.3-21", ack=("auto", "transacted"), variant="foreign")
def test_a_foreign_destination_is_understood_or_invalid(case: Case) -> None:
    """A queue or topic of another implementation is accepted, or refused as invalid, by every call; the session goes on."""
    _understood_or_refused(case)


@asserts("10.3-22", ack=("auto", "transacted"), variant="foreign")
def test_a_foreign_destination_is_understood_or_invalid_for_a_context(case: Case) -> None:
    """A queue or topic of another implementation is accepted, or refused as invalid, by every call; the context goes on."""
    _understood_or_refused(case)
