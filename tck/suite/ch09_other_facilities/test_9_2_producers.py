"""9.2 Producers of one domain: sends that name a destination, and the delivery options of a producer and of a send."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.members import every_call
from tck.suite.support.clients.sender import Sender
from tck.suite.support.lifecycle.null_messages import refuses_null_messages
from tck.suite.support.values.kinds import KINDS, Kind
from tck.suite.support.values.seen import body, taken

OPTIONS: Mapping[str, Any] = {"delivery_mode": api.DeliveryMode.PERSISTENT, "priority": 6, "time_to_live": 3_600_000}


def _named(link: Link, destination: api.Destination) -> Mapping[str, Callable[[], object]]:
    """Return the sends of the link's producer that name a destination."""
    producer: Any = link.sender.producer
    calls = {
        "send(destination, message)": partial(producer.send, destination=destination),
        "send(destination, message, options)": partial(producer.send, destination=destination, **OPTIONS),
    }
    if link.case.domain == "topic":
        calls["publish(topic, message)"] = partial(producer.publish, topic=destination)
        calls["publish(topic, message, options)"] = partial(producer.publish, topic=destination, **OPTIONS)
    return {what: lambda call=call: call(link.text("refused")) for what, call in calls.items()}  # type: ignore[misc]


@asserts("9.2-22", ack=("auto", "transacted"))
def test_a_producer_with_a_destination_refuses_one_in_a_send(case: Case) -> None:
    """A QueueSender or TopicPublisher that has a destination refuses a send that names another one, or the same."""
    link, other = case.link(), case.link()
    with expect.all_of():
        for destination in (link.destination, other.destination):
            calls = _named(link, destination)
            sends = {what: partial(link.put, what) for what in calls}
            expect.all_raise(api.UnsupportedOperationException, calls, though_work=sends)
            link.client.settle()
            expect.only(link, list(calls))
        expect.only(other)


# -- delivery options --------------------------------------------------------------------------------------------------

MODES = ("auto", "client", "transacted")
LONG = 3_600_000
"""A time-to-live in ms that does not end during the case."""


class _Options(NamedTuple):
    mode: int
    priority: int
    ttl: int


SETTINGS = (
    _Options(api.DeliveryMode.NON_PERSISTENT, 7, LONG),
    _Options(api.DeliveryMode.PERSISTENT, 0, 0),
    _Options(api.DeliveryMode.NON_PERSISTENT, 4, 2 * LONG),
)
OTHERS = (
    _Options(api.DeliveryMode.PERSISTENT, 4, 0),  # the defaults of every producer
    _Options(api.DeliveryMode.NON_PERSISTENT, 9, 3 * LONG),
    _Options(api.DeliveryMode.PERSISTENT, 1, LONG),
)
"""Options of single sends, each for the setting at the same place: it differs from it in all three."""


def _methods(case: Case, *, named: bool, given: bool) -> list[str]:
    """Return the signatures of the sends that name a destination or do not, with options given or without."""
    rest = "Message, int, int, long)" if given else "Message)"
    kind = case.domain.capitalize()
    own = f"{'send' if case.domain == 'queue' else 'publish'}({f'{kind}, ' if named else ''}{rest}"
    inherited = f"send({'Destination, ' if named else ''}{rest}"
    return list(dict.fromkeys((own, inherited))) if case.offers("classic") else [own]


def _sends(case: Case, *, given: bool) -> list[tuple[str, bool]]:
    """Return the signature of each send, and whether it names a destination."""
    return [(what, named) for named in (False, True) for what in _methods(case, named=named, given=given)]


def _send(link: Link, sender: Sender, what: str, message: api.Message | None, options: _Options | None = None) -> None:
    """Send by the method of a signature, with options if there are any."""
    names = dict.fromkeys(("destination", "queue", "topic"), link.destination)
    interface = "QueueSender" if link.case.domain == "queue" else "TopicPublisher"
    numbers = dict(zip(("delivery_mode", "priority", "time_to_live"), options or (), strict=False))
    given: Mapping[str, Any] = {"message": message, **names, **numbers}
    (call,) = every_call(link.case, interface, lambda: sender.producer, only=[what], **given).values()
    call()


def _senders(link: Link) -> Mapping[bool, Sender]:
    """Return a new producer for the link's destination, and one for none, by whether its sends name a destination."""
    return {False: link.client.sender(link.destination), True: link.client.sender()}


def _has(what: str, message: api.Message, wanted: _Options, at: tuple[int, int]) -> None:
    """Demand the headers that options mean for a message sent between two times."""
    seen = (message.jms_delivery_mode, message.jms_priority)
    expect.equal(f"JMSDeliveryMode and JMSPriority, {what}", seen, (wanted.mode, wanted.priority))
    if wanted.ttl:
        expect.between(f"JMSExpiration, {what}", message.jms_expiration, at[0] + wanted.ttl, at[1] + wanted.ttl)
    else:
        expect.equal(f"JMSExpiration, {what}", message.jms_expiration, 0)


def _shows(link: Link, what: str, send: Callable[[api.Message], None], message: api.Message, wanted: _Options) -> None:
    """Send a message, receive it, and demand the headers that the options mean."""
    before = link.case.now()
    send(message)
    at = (before, link.case.now())
    link.client.settle()
    received = expect.arrival(link)
    link.client.settle(received)
    _has(what, received, wanted, at)


@asserts("9.2-24", ack=MODES)
def test_a_send_without_options_has_those_of_its_producer(case: Case) -> None:
    """Each send and publish without options, with a destination and without, has the three options set on its producer last."""
    link = case.link()
    senders = _senders(link)
    with expect.all_of():
        for own in SETTINGS:
            for what, named in _sends(case, given=False):
                senders[named].set(**own._asdict())
                for turn in ("first", "second"):
                    send = partial(_send, link, senders[named], what)
                    _shows(link, f"{turn} {what} with {own}", send, link.text("x"), own)


@asserts("9.2-24", ack=("auto", "transacted"), variant="several")
def test_each_producer_of_a_session_has_options_of_its_own(case: Case) -> None:
    """Sends without options by producers with different options, in turn, each have those of their producer; a return changes none."""
    link = case.link()
    every = [(own, _senders(link)) for own in SETTINGS]
    for own, senders in every:
        for sender in senders.values():
            sender.set(**own._asdict())
    with expect.all_of():
        for turn in ("first", "after a return"):
            for what, named in _sends(case, given=False):
                for own, senders in every:
                    send = partial(_send, link, senders[named], what)
                    _shows(link, f"{what}, {turn}, with {own}", send, link.text("x"), own)
            link.put("dropped by a rollback", mode=SETTINGS[0].mode, ttl=LONG)
            link.client.return_all()
            link.client.settle()
            expect.only(link, [] if link.client.transacted else ["dropped by a rollback"])


@asserts("9.2-24", ack=("auto", "transacted"), variant="messages")
def test_the_options_of_a_producer_replace_those_on_a_message(case: Case) -> None:
    """Messages of every kind, with headers set by their client, and sent on, have the options of the producer that sends them."""
    link = case.link()
    senders = _senders(link)
    sends = _sends(case, given=False)
    with expect.all_of():
        for number, kind in enumerate(KINDS):
            own, other = SETTINGS[number % 3], OTHERS[number % 3]
            what, named = sends[number % len(sends)]
            senders[named].set(**own._asdict())
            send = partial(_send, link, senders[named], what)
            for text, message in _used(link, kind, other).items():
                _shows(link, f"{what} of a {kind} message {text}", send, message, own)


def _used(link: Link, kind: Kind, other: _Options) -> Mapping[str, api.Message]:
    """Return messages of a kind whose headers were set, which were sent before, and which were received, with other options."""
    preset, sent = link.message(kind), link.message(kind)
    preset.jms_delivery_mode, preset.jms_priority, preset.jms_expiration = other.mode, other.priority, LONG
    link.send(sent, **other._asdict())
    return {"with headers set": preset, "sent before": sent, "received": link.receive()}


@asserts("9.2-24", ack=("auto", "transacted"), variant="changed")
def test_a_message_has_the_options_of_its_producer_at_the_send(case: Case) -> None:
    """Messages sent before their producer's options change, and committed or received afterwards, have those of before."""
    link = case.link()
    senders = _senders(link)
    with expect.all_of():
        for what, named in _sends(case, given=False):
            before = case.now()
            for number, own in enumerate(SETTINGS):
                senders[named].set(**own._asdict())
                _send(link, senders[named], what, link.text(f"{number}"))
            senders[named].set(**OTHERS[1]._asdict())
            at = (before, case.now())
            link.client.settle()
            received = expect.arrives(link, ["0", "1", "2"], ordered=False)
            for message in received:
                number = int(str(body(message)))
                _has(f"{what} with {SETTINGS[number]}", message, SETTINGS[number], at)


@asserts("9.2-25", ack=MODES)
def test_the_options_of_a_send_are_for_its_message_only(case: Case) -> None:
    """Each send and publish with options has these, and the next one without has those of the producer, whatever they were."""
    link = case.link()
    senders = _senders(link)
    plain = dict(zip(_sends(case, given=True), _sends(case, given=False), strict=True))
    with expect.all_of():
        for own, other in zip(SETTINGS, OTHERS, strict=True):
            for (what, named), (short, _) in plain.items():
                senders[named].set(**own._asdict())
                for options in (other, *SETTINGS):
                    send = partial(_send, link, senders[named], what, options=options)
                    _shows(link, f"{what} with {options} by a producer with {own}", send, link.text("x"), options)
                    send = partial(_send, link, senders[named], short)
                    _shows(link, f"{short} after {what} with {options}", send, link.text("x"), own)


@asserts("9.2-25", ack=("transacted",), variant="rolled-back")
def test_the_options_of_a_send_go_with_a_rollback(case: Case) -> None:
    """After a rollback of sends with options, and beside them in one transaction, sends without have those of the producer."""
    link = case.link()
    senders = _senders(link)
    plain = dict(zip(_sends(case, given=True), _sends(case, given=False), strict=True))
    own, other = SETTINGS[0], OTHERS[0]
    with expect.all_of():
        for (what, named), (short, _) in plain.items():
            senders[named].set(**own._asdict())
            _send(link, senders[named], what, link.text("rolled back"), other)
            link.client.rollback()
            before = case.now()
            _send(link, senders[named], what, link.text("with options"), other)
            _send(link, senders[named], short, link.text("without"))
            at = (before, case.now())
            link.client.commit()
            received = expect.arrives(link, ["without", "with options"], ordered=False)
            found = {body(message): message for message in received}
            _has(f"{what} after a rollback", found["with options"], other, at)
            _has(f"{short} in the same transaction", found["without"], own, at)


@asserts("9.2-25", ack=("auto", "transacted"), variant="other-producers")
def test_the_options_of_a_send_are_not_for_other_producers(case: Case) -> None:
    """Sends with options leave the options of the other producers of the session, made before and after, as they are."""
    link = case.link()
    senders, before = _senders(link), _senders(link)
    defaults = _Options(api.Message.DEFAULT_DELIVERY_MODE, api.Message.DEFAULT_PRIORITY, 0)
    with expect.all_of():
        for (what, named), (short, _) in zip(_sends(case, given=True), _sends(case, given=False), strict=True):
            send = partial(_send, link, senders[named], what, options=SETTINGS[0])
            _shows(link, f"{what} with {SETTINGS[0]}", send, link.text("x"), SETTINGS[0])
            for when, others in (("before", before), ("after", _senders(link))):
                send = partial(_send, link, others[named], short)
                _shows(link, f"{short} of a producer made {when}", send, link.text("x"), defaults)


@asserts("9.2-25", ack=("auto", "transacted"), variant="failed")
def test_the_options_of_a_failed_send_are_for_nothing(case: Case) -> None:
    """After a send with options that fails, for its message is null, sends without have those of the producer."""
    link = case.link()
    senders = _senders(link)
    with expect.all_of():
        for own, other in zip(SETTINGS, OTHERS, strict=True):
            for (what, named), (short, _) in zip(_sends(case, given=True), _sends(case, given=False), strict=True):
                senders[named].set(**own._asdict())
                taken(partial(_send, link, senders[named], what, None, other))
                send = partial(_send, link, senders[named], short)
                _shows(link, f"{short} after a failed {what} with {other}", send, link.text("x"), own)


@asserts("9.2-26", ack=("auto",), api=("domain-specific",))
def test_a_send_of_null_in_one_domain_is_refused(case: Case) -> None:
    """A send or publish of null by a QueueSender or TopicPublisher raises MessageFormatException, and the producer goes on."""
    refuses_null_messages(case.link())
