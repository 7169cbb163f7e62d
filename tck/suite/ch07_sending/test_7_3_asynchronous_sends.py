"""7.3 Asynchronous sends: the methods, their completion listeners, and how often these are called."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.asynchronous import Callbacks, send_async, sent_async
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.harness.outcome import Undecided
from tck.suite.support.values.kinds import KINDS
from tck.suite.support.values.seen import tried

MODES = ("auto", "client", "dups_ok", "transacted")
DELIVERY_MODES = (api.DeliveryMode.PERSISTENT, api.DeliveryMode.NON_PERSISTENT)
OPTIONS: Mapping[str, Any] = {
    "delivery_mode": api.DeliveryMode.NON_PERSISTENT,
    "priority": 7,
    "time_to_live": 3_600_000,
}
Overloads = Mapping[str, Callable[[api.Message, "api.CompletionListener | None"], object]]


def _overloads(link: Link) -> Overloads:
    """Return the four asynchronous send methods of a MessageProducer, on producers that they suit."""
    own, any_destination = link.sender.producer, link.client.sender().producer
    return {
        "send(Message, CompletionListener)": lambda message, listener: own.send(message, completion_listener=listener),
        "send(Message, int, int, long, CompletionListener)": lambda message, listener: own.send(
            message, **OPTIONS, completion_listener=listener
        ),
        "send(Destination, Message, CompletionListener)": lambda message, listener: any_destination.send(
            message, destination=link.destination, completion_listener=listener
        ),
        "send(Destination, Message, int, int, long, CompletionListener)": lambda message, listener: (
            any_destination.send(message, destination=link.destination, **OPTIONS, completion_listener=listener)
        ),
    }


def _works(link: Link, what: str, call: Callable[[api.CompletionListener], object], text: object) -> None:
    """Demand that an asynchronous send of a text works: its message arrives, and onCompletion is called once."""
    listener = Callbacks(link.case)
    expect.works(what, partial(call, listener))
    if link.client.transacted:
        link.client.commit()
    calls = [("onException" if one.failed else "onCompletion", one.text) for one in listener.after(1)]
    expect.equal(f"callbacks of {what}", calls, [("onCompletion", text)])
    expect.arrives(link, [text])


def _each_overload_works(case: Case) -> None:
    link = case.link()
    with expect.all_of():
        for part in ("first", "again"):
            for what, call in _overloads(link).items():
                message = link.text(f"{part} {what}")
                with expect.all_of():
                    _works(link, what, partial(call, message), message.text)


@asserts("7.3-1", ack=MODES)
def test_four_methods_of_a_producer_send_asynchronously(case: Case) -> None:
    """Each asynchronous send method of a MessageProducer, used twice, sends its message and ends in onCompletion."""
    _each_overload_works(case)


@asserts("7.3-2", ack=MODES)
def test_producers_of_one_domain_send_asynchronously(case: Case) -> None:
    """QueueSender and TopicPublisher inherit the asynchronous send methods: each sends and ends in onCompletion."""
    _each_overload_works(case)


BODIES: Mapping[str, tuple[object, object]] = {
    "String": ("text", "text"),
    "Map": ({"number": 1, "text": "x"}, {"number": 1, "text": "x"}),
    "byte[]": (b"\x00\xff", b"\x00\xff"),
    "Serializable": (["one", 2], ["one", 2]),
}
"""What each send method of a JMSProducer takes for a body, and the body received."""


def _received(link: Link, type_: type) -> object:
    message = expect.arrival(link)
    link.client.settle(message)
    return tried(lambda: message.get_body(type_))


@asserts("7.3-3", ack=MODES)
def test_every_send_method_of_a_jms_producer_is_asynchronous_after_set_async(case: Case) -> None:
    """With a listener set each send method, of a message and of four bodies, sends its message and ends in onCompletion."""
    link = case.link()
    listener = Callbacks(case)
    producer: Any = link.sender.producer
    with expect.all_of():
        for mode in DELIVERY_MODES:
            expect.works("setAsync()", partial(producer.set_delivery_mode(mode).set_async, listener))
            producer.send(link.destination, link.text("a message"))
            for body, _ in BODIES.values():
                producer.send(link.destination, body)
            if link.client.transacted:
                link.client.commit()
            expect.arrives(link, ["a message"])
            for what, (body, wanted) in BODIES.items():
                expect.equal(f"the body sent as {what}", _received(link, type(body)), wanted)
        count = 2 * (1 + len(BODIES))
        calls = [call.failed for call in listener.after(count)]
        expect.equal("which of the callbacks are onException", calls, count * [False])


@asserts("7.3-4", ack=MODES)
def test_set_async_lasts_until_it_is_changed(case: Case) -> None:
    """The getter returns the listener set last; each send calls the one that is set, and none once null is."""
    link = case.link()
    producer: Any = link.sender.producer
    link.send("synchronous")
    expect.arrives(link, ["synchronous"])
    expect.equal("getAsync() at first", producer.get_async(), None)
    first, second = Callbacks(case), Callbacks(case)
    settings = (
        (first, "a", "first"),
        (first, "b", "first"),
        (second, "c", "second"),
        (None, "d", "none"),
        (first, "e", "first"),
    )
    names = {id(first): "first", id(second): "second", id(None): "none"}
    with expect.all_of():
        for listener, text, name in settings:
            if text != "b":
                expect.true(
                    "setAsync() returns its producer", producer.set_async(listener) is producer, "another object"
                )
            expect.equal(f"getAsync() before {text!r}", names.get(id(producer.get_async()), "another"), name)
            link.send(text)
            expect.arrives(link, [text])
        expect.equal("the messages the first listener was called for", _texts(first, 3), ["a", "b", "e"])
        expect.equal("the messages the second listener was called for", _texts(second, 1), ["c"])


def _texts(listener: Callbacks, count: int) -> list[object]:
    return [call.text for call in listener.after(count)]


@asserts("7.3-4", ack=("auto",), variant="of-one-producer")
def test_set_async_concerns_one_producer(case: Case) -> None:
    """A listener that one JMSProducer of a context has does not make the sends of another asynchronous, made before or later."""
    link = case.link()
    listener = Callbacks(case)
    before = link.client.sender(link.destination)
    link.sender.producer.set_async(listener)
    after = link.client.sender(link.destination)
    before.send(link.text("before"))
    after.send(link.text("after"))
    link.send("asynchronous")
    expect.arrives(link, ["before", "after", "asynchronous"])
    expect.equal("messages with a callback", _texts(listener, 1), ["asynchronous"])
    expect.equal("getAsync() of the others", [before.producer.get_async(), after.producer.get_async()], [None, None])


@asserts("7.3-5", ack=("auto", "transacted"))
def test_a_completion_listener_must_not_be_null(case: Case) -> None:
    """A null listener raises IllegalArgumentException from all four methods, and nothing is sent."""
    link = case.link()
    listener = Callbacks(case)
    calls = _overloads(link)
    wrong = {what: partial(call, link.text("without a listener"), None) for what, call in calls.items()}
    right = {what: partial(call, link.text(what), listener) for what, call in calls.items()}
    expect.all_raise(api.IllegalArgumentException, wrong, though_work=right)
    listener.after(len(calls))
    if link.client.transacted:
        link.client.commit()
    expect.arrives(link, list(calls), ordered=False)
    expect.only(link)


def _fence(link: Link) -> None:
    """Send asynchronously once more, and wait for the callback: callbacks come in order, so none of an earlier send is behind it."""
    fence = Callbacks(link.case)
    sent_async(link, ["fence"], fence)
    link.client.settle()
    if not fence.after(1):
        raise Undecided("the send that should follow all others had no callback")


@asserts("7.3-6", ack=MODES)
def test_each_asynchronous_send_has_one_callback(case: Case) -> None:
    """Thirty sends have thirty callbacks, one for each message, some of them slow, and none comes later or at the close."""
    link = case.link()
    slow = {"003", "017"}

    def work(message: api.Message) -> None:
        if isinstance(message, api.TextMessage) and message.text in slow:
            case.pass_time(case.timing.delay, "a slow completion listener")

    listener = Callbacks(case, work)
    for number, text in enumerate(numbered(30)):
        mode = DELIVERY_MODES[number % 2]
        if number % 5 == 4:
            link.sender.send(link.text(f"synchronous {text}"), mode=mode)
        send_async(link.sender, link.text(text), listener, mode=mode)
    listener.after(30)
    if link.client.transacted:
        link.client.commit()
    _fence(link)
    expect.equal("messages with a callback", sorted(map(str, listener.texts)), numbered(30))
    link.client.close()
    expect.equal("messages with a callback, after the close", sorted(map(str, listener.texts)), numbered(30))
    expect.equal("callbacks of onException", [call.error for call in listener.begun if call.failed], [])


class _Failing(Callbacks):
    """A completion listener that raises in each onCompletion."""

    def on_completion(self, message: api.Message) -> None:
        """Note the call, and raise."""
        super().on_completion(message)
        raise ValueError("the completion listener of the case fails")


@asserts("7.3-6", ack=MODES, variant="failing")
def test_a_failing_callback_is_the_only_one(case: Case) -> None:
    """A completion listener that raises in onCompletion is not called again for that message; the later sends have theirs."""
    link = case.link()
    failing, later = _Failing(case), Callbacks(case)
    for text in numbered(4):
        send_async(link.sender, link.text(text), failing)
    sent_async(link, ["later"], later)
    failing.after(4)
    later.after(1)
    if link.client.transacted:
        link.client.commit()
    _fence(link)
    link.client.close()
    expect.equal("messages with a callback", sorted(map(str, failing.texts)), numbered(4))
    expect.equal("callbacks of onException", [call.error for call in failing.begun if call.failed], [])
    expect.equal("callbacks of the other listener", later.texts, ["later"])


@asserts("7.3-6", ack=("transacted",), variant="rolled-back")
def test_a_rollback_does_not_change_the_callbacks(case: Case) -> None:
    """Sends of a transaction have one callback each, before the rollback or within it, and none after it."""
    link = case.link()
    listener = Callbacks(case)
    sent_async(link, numbered(5), listener)
    link.client.rollback()
    sent_async(link, ["later"], listener)
    link.client.commit()
    expect.arrives(link, ["later"])
    listener.after(6)
    _fence(link)
    link.client.close()
    expect.equal("messages with a callback", sorted(map(str, listener.texts)), sorted([*numbered(5), "later"]))


@asserts("7.3-7", ack=MODES)
def test_non_persistent_messages_complete_too(case: Case) -> None:
    """A call of onCompletion comes for a non-persistent message, by the producer's mode or the send's, consumed or not."""
    link = case.link()
    nobody = case.link(client=link.client, destination=case.destination(), consumes=False)
    with expect.all_of():
        for place in (link, nobody):
            listener = Callbacks(case)
            send_async(place.sender, link.text("by the send"), listener, mode=api.DeliveryMode.NON_PERSISTENT)
            place.sender.set(mode=api.DeliveryMode.NON_PERSISTENT)
            sent_async(place, ["by the producer"], listener)
            place.sender.set(disable_id=True, disable_timestamp=True)
            sent_async(place, ["without identifier"], listener)
            if link.client.transacted:
                link.client.commit()
            listener.after(3)
            wanted = ["by the producer", "by the send", "without identifier"]
            expect.equal("messages that completed", sorted(map(str, listener.completed)), wanted)


@asserts("7.3-8")
def test_asynchronous_sends_belong_to_their_transaction(case: Case) -> None:
    """In a transaction asynchronous sends complete, and nobody sees their messages before commit(); 7.3.4-5 has when they complete."""
    for mode in DELIVERY_MODES:
        link = case.link("transacted", consumes=False)
        receiver = case.link("auto", destination=link.destination)
        listener = Callbacks(case)
        sent_async(link, numbered(3), listener, mode=mode)
        link.put("synchronous", mode=mode)
        other = case.link("auto", destination=link.destination, consumes=False)
        link.client.consumer(case.destination()).close()  # the provider answers it after the sends of the session
        expect.nothing_before(receiver, "outside of the transaction", partial(other.send, "outside of the transaction"))
        link.client.commit()
        listener.after(3)
        expect.equal("messages that completed", listener.completed, numbered(3))
        expect.arrives(receiver, [*numbered(3), "synchronous"])


@asserts("7.3-8", variant="rolled-back")
def test_asynchronous_sends_are_rolled_back(case: Case) -> None:
    """What a transaction sent asynchronously, completed already, never arrives after a rollback; what the next sent does."""
    link = case.link("transacted", consumes=False)
    receiver = case.link("auto", destination=link.destination)
    listener = Callbacks(case)
    sent_async(link, ["committed"], listener)
    link.client.commit()
    for mode in DELIVERY_MODES:
        sent_async(link, ["rolled back"], listener, mode=mode)
    listener.after(3)
    link.client.rollback()
    sent_async(link, ["committed later"], listener)
    link.client.commit()
    expect.only(receiver, ["committed", "committed later"])


def _look(message: Any) -> Mapping[str, object]:
    """Show the parts of a message that its callback must be given."""
    return {
        "identifier": tried(lambda: message.jms_message_id),
        "type": tried(lambda: message.jms_type),
        "property": tried(lambda: message.get_int_property("number")),
    }


@asserts("7.3-9", ack=("auto", "transacted"))
def test_the_callback_is_passed_its_message(case: Case) -> None:
    """The callback gets the message of its own send, with identifier, header and property, for every kind of message."""
    link = case.link()
    sent: list[api.Message] = []
    listener = Callbacks(case, _look)
    for number, kind in enumerate((*KINDS, *KINDS)):
        message = link.message(kind)
        message.jms_type = kind
        message.set_int_property("number", number)
        send_async(link.sender, message, listener, mode=DELIVERY_MODES[number >= len(KINDS)])
        sent.append(message)
    listener.after(len(sent))
    shown = sorted(listener.results, key=lambda one: str(one["property"]) if isinstance(one, dict) else "")
    wanted = sorted((_look(message) for message in sent), key=lambda one: str(one["property"]))
    expect.equal("the messages passed to onCompletion", shown, wanted)


@asserts("7.3-10", ack=("auto", "client"))
def test_a_failed_send_is_reported_with_its_message(case: Case) -> None:
    """A call of onException gets the message whose send failed and a JMSException, between sends that succeed."""
    receiver = case.link("auto")
    link = case.link(destination=receiver.destination, consumes=False)
    outcomes: dict[str, Callbacks] = {text: Callbacks(case) for text in numbered(6)}
    for number, (text, listener) in enumerate(outcomes.items()):
        if number in {1, 4}:
            case.administer("fail-next-sends", destination=link.destination, count=1)
        send_async(link.sender, link.text(text), listener, mode=DELIVERY_MODES[number % 2])
        listener.one()
    expect.arrives(receiver, ["001", "003", "004", "006"])
    with expect.all_of():
        for number, (text, listener) in enumerate(outcomes.items()):
            call = listener.one()
            expect.equal(f"the message passed for {text}", call.text, text)
            expect.equal(f"whether {text} failed", call.failed, number in {1, 4})
            expect.equal(
                f"whether {text} has a JMSException", isinstance(call.error, api.JMSException), number in {1, 4}
            )
