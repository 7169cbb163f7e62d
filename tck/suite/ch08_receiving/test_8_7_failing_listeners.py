"""8.7 Message listeners that fail: redelivery, acknowledgement and transactions."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.deliveries import delivery_count
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.listeners import CollectingListener
from tck.suite.support.harness.outcome import Undecided
from tck.suite.support.values.seen import body

BY_ITSELF = ("auto", "dups_ok")
BOTH_MODES = (api.DeliveryMode.PERSISTENT, api.DeliveryMode.NON_PERSISTENT)
FIVE = numbered(5)
FAILING: tuple[Collection[str], ...] = (FIVE[:1], FIVE[2:3], FIVE[4:], FIVE)
"""Which of five messages a listener fails at: the first, one in the middle, the last, all."""
SETUPS = tuple((early, mode) for early in (True, False) for mode in BOTH_MODES)
"""Whether the listener is set before the messages are sent, and their delivery mode."""
Look = Callable[[api.Message], object]


class ListenerFailureError(RuntimeError):
    """The exception that the listeners of these cases raise."""


class _Acting(CollectingListener):
    """A listener that acts with each text and the ordinal of its call, by raising for instance, and then keeps the text."""

    def __init__(self, case: Case, act: Callable[[str, int], object], look: Look | None = None) -> None:
        super().__init__(case)
        self._act = act
        self._look = look
        self.marks: dict[object, list[object]] = {}

    def on_message(self, message: api.Message) -> None:
        """Look at the message, act, and keep the text."""
        text = str(body(message))
        if self._look is not None:
            self.marks.setdefault(text, []).append(self._look(message))
        try:
            self._act(text, len(self.bodies) + 1)
        finally:
            super().on_message(message)


def _fails(texts: Collection[str], times: int = 1) -> Callable[[str, int], None]:
    """Return an act that raises for some texts at their first calls."""
    seen: list[str] = []

    def act(text: str, _ordinal: int) -> None:
        seen.append(text)
        if text in texts and seen.count(text) <= times:
            raise ListenerFailureError(f"the listener fails at {text}")

    return act


def _sender(case: Case, link: Link) -> Link:
    return case.link("auto", destination=link.destination, consumes=False)


def _listening(case: Case, listener: _Acting, *, early: bool, mode: int) -> tuple[Link, _Acting]:
    """Set a listener on a consumer, before five messages are sent to it or after."""
    link = case.link()
    if early:
        link.consumer.message_listener = listener
    sender = _sender(case, link)
    for text in FIVE:
        sender.send(text, mode=mode)
    if not early:
        link.consumer.message_listener = listener
    return link, listener


def _comes_again_at_once(case: Case) -> None:
    """Demand that a listener is called again with each message it fails at, before it gets another one."""
    for texts in FAILING:
        for early, mode in SETUPS:
            link, listener = _listening(case, _Acting(case, _fails(texts)), early=early, mode=mode)
            wanted = [text for each in FIVE for text in ([each, each] if each in texts else [each])]
            listener.after(len(wanted))
            _sender(case, link).send("behind", mode=mode)
            expect.equal(
                f"what a listener got that failed at {list(texts)}",
                listener.after(len(wanted) + 1),
                [*wanted, "behind"],
            )


@asserts("8.7-2", ack=("auto",), variant="each-place")
def test_an_automatically_acknowledged_message_comes_again_at_once(case: Case) -> None:
    """In AUTO_ACKNOWLEDGE a message is redelivered next, whether the listener failed at the first, a later, the last or each."""
    _comes_again_at_once(case)


@asserts("8.7-3", ack=("dups_ok",))
def test_a_lazily_acknowledged_message_comes_again_at_once(case: Case) -> None:
    """In DUPS_OK_ACKNOWLEDGE a message is redelivered next, whether the listener failed at the first, a later, the last or each."""
    _comes_again_at_once(case)


def _comes_again_before_others(case: Case, *domains: str) -> None:
    """Demand that the next call in a session with two listeners is for the message at which one of them failed.

    The first finding ends it: a client may be busy for long after it.
    """
    for failing, texts in ((0, FIVE[:1]), (1, FIVE[2:3]), (0, FIVE[::2]), (1, FIVE[:2])):
        calls = _calls_of_two(case, failing, texts, domains)
        failed = [(failing, text) for text in texts]
        followed = [calls[calls.index(call) + 1 :][:1] for call in failed if call in calls]
        what = f"the next call after each failure of listener {failing} of two at {list(texts)}"
        expect.equal(what, followed, [[call] for call in failed])


def _calls_of_two(case: Case, failing: int, texts: Collection[str], domains: Collection[str]) -> list[tuple[int, str]]:
    """Return the calls of two listeners of a session, with five messages for each, of which one fails at some at first."""
    calls: list[tuple[int, str]] = []
    client = case.client()
    links = [case.link(client=client, destination=case.destination(domain)) for domain in domains]
    client.stop()
    fail = _fails(texts)

    def act(number: int, text: str, _ordinal: int) -> None:
        calls.append((number, text))
        if number == failing:
            fail(text, 0)

    listeners = [_Acting(case, partial(act, number)) for number in range(2)]
    for link, listener in zip(links, listeners, strict=True):
        link.consumer.message_listener = listener
        sender = _sender(case, link)
        sender.sender.set(mode=BOTH_MODES[failing])
        sender.send_all(FIVE)
    client.start()
    listeners[failing].after(5 + len(texts))
    return calls


@asserts("8.7-2", ack=("auto",), domain=("queue",), api=("classic", "simplified"), variant="beside-others")
def test_a_message_comes_again_before_those_of_other_listeners(case: Case) -> None:
    """In AUTO_ACKNOWLEDGE the next call in the session is for the message a listener failed at, of a queue or a topic."""
    _comes_again_before_others(case, "queue", "topic")


@asserts("8.7-3", ack=("dups_ok",), domain=("queue",), api=("classic", "simplified"), variant="beside-others")
def test_a_lazily_acknowledged_message_comes_again_before_those_of_other_listeners(case: Case) -> None:
    """In DUPS_OK_ACKNOWLEDGE the next call in the session is for the message a listener failed at, though another has messages."""
    _comes_again_before_others(case, "queue", "queue")


def _marks(case: Case, times: int, mode: int, look: Look) -> dict[object, list[object]]:
    """Fail at three of four messages `times` times; return what a look showed at each call for those that came again.

    Raises:
        Undecided: none came again; rows of their own demand that.
    """
    link = case.link()
    listener = _Acting(case, _fails(FIVE[:3], times), look)
    link.consumer.message_listener = listener
    sender = _sender(case, link)
    for text in FIVE[:4]:
        sender.send(text, mode=mode)
    listener.after(3 * (times + 1) + 1)
    again: dict[object, list[object]] = {
        text: marks for text, marks in listener.marks.items() if text in FIVE[:3] and len(marks) > 1
    }
    if not again:
        raise Undecided("no message came again after the listener had failed at it (8.7-2, 8.7-3)")
    return again


@asserts("8.7-4", ack=BY_ITSELF)
def test_what_comes_again_is_marked_as_redelivered(case: Case) -> None:
    """JMSRedelivered is true at each later call for a message the listener failed at, persistent or not."""
    with expect.all_of():
        for mode in BOTH_MODES:
            for times in (1, 2):
                marks = _marks(case, times, mode, lambda message: message.jms_redelivered)
                flags = {text: set(each[1:]) for text, each in marks.items()}
                expect.equal("JMSRedelivered at the later calls", flags, {text: {True} for text in flags})


@asserts("8.7-5", ack=BY_ITSELF)
def test_what_comes_again_is_counted(case: Case) -> None:
    """JMSXDeliveryCount is one more at each call; a provider may give up after the second."""
    with expect.all_of():
        for mode in BOTH_MODES:
            for times in (1, 2):
                counts = _marks(case, times, mode, delivery_count)
                wanted = {text: list(range(1, len(each) + 1)) for text, each in counts.items()}
                expect.equal("JMSXDeliveryCount at each call", counts, wanted)


def _goes_on(case: Case) -> None:
    """Demand that a listener gets each message once, in order, though it fails at some."""
    for texts in FAILING:
        for early, mode in SETUPS:
            link, listener = _listening(case, _Acting(case, _fails(texts, 99)), early=early, mode=mode)
            listener.after(5)
            _sender(case, link).send("behind", mode=mode)
            expect.equal(f"what a listener got that fails at {list(texts)}", listener.after(6), [*FIVE, "behind"])


@asserts("8.7-7", ack=("client",))
def test_the_next_message_comes_in_client_acknowledge(case: Case) -> None:
    """Each message comes once and in order, whether the listener fails at the first, a later, the last or each."""
    _goes_on(case)


@asserts("8.7-9", ack=("transacted",))
def test_the_next_message_comes_in_a_transaction(case: Case) -> None:
    """Each message comes once and in order, whether the listener fails at the first, a later, the last or each."""
    _goes_on(case)


@asserts("8.7-8", ack=("client",))
def test_recover_brings_back_what_the_listener_failed_at(case: Case) -> None:
    """After recover() in a later call, and after the close of the connection, the failed messages are redelivered with the others."""
    for texts in FAILING:
        for recovers in (True, False):
            name = case.name("s")
            link = case.link(durable=name)
            fail = _fails(texts, 1)

            def act(text: str, ordinal: int, *, link: Link = link, fail: Callable[[str, int], None] = fail) -> None:
                if text == "now" and ordinal == 6:
                    link.client.recover()
                fail(text, ordinal)

            listener = _Acting(case, act)
            link.consumer.message_listener = listener
            sender = _sender(case, link)
            sender.send_all(FIVE)
            expect.equal("what the listener got", sorted(map(str, listener.after(5))), FIVE)
            if recovers:
                sender.send("now")
                expect.equal("what came after recover()", sorted(map(str, listener.after(12)[6:])), [*FIVE, "now"])
            link.client.close()
            again = case.link(destination=link.destination, durable=name)
            expect.arrives(again, [*FIVE, *(["now"] if recovers else [])], ordered=False)
            again.client.close()


def _transaction(
    case: Case, texts: Collection[str], end: Callable[[Link], None], mode: int = api.DeliveryMode.PERSISTENT
) -> tuple[Link, Link, _Acting, str]:
    """Have a listener answer and then fail at some texts, and end the transaction at its first call with `now`.

    Return the link of the listener, that of the answers, the listener, and the name of the subscription.
    """
    name, answers = case.name("s"), case.link("auto")
    link = case.link(durable=name)
    answering = link.client.sender(answers.destination)
    fail = _fails(texts)
    ended: list[str] = []

    def act(text: str, ordinal: int) -> None:
        if text == "now" and not ended:
            ended.append(text)
            end(link)
        elif not ended:
            answering.send(link.text(f"answer to {text}"))
            fail(text, ordinal)

    listener = _Acting(case, act)
    link.consumer.message_listener = listener
    sender = _sender(case, link)
    sender.sender.set(mode=mode)
    sender.send_all([*FIVE, "now"])
    return link, answers, listener, name


@asserts("8.7-10", ack=("transacted",))
def test_a_failure_leaves_the_transaction_open(case: Case) -> None:
    """A later call commits: all answers are out, those of failed calls too, and no message is redelivered."""
    for texts in FAILING:
        for mode in BOTH_MODES:
            link, answers, listener, name = _transaction(case, texts, lambda link: link.client.commit(), mode)
            expect.equal("what the listener got", listener.after(6), [*FIVE, "now"])
            expect.only(answers, [f"answer to {text}" for text in FIVE])
            link.client.close()
            expect.only(case.link(destination=link.destination, durable=name))


@asserts("8.7-10", ack=("transacted",), variant="committed")
def test_a_failure_after_a_commit_undoes_nothing(case: Case) -> None:
    """A listener that commits and then fails has consumed its message and sent its answer."""
    name, answers = case.name("s"), case.link("auto")
    link = case.link(durable=name)
    answering = link.client.sender(answers.destination)

    def act(text: str, _ordinal: int) -> None:
        answering.send(link.text(f"answer to {text}"))
        link.client.commit()
        raise ListenerFailureError(text)

    listener = _Acting(case, act)
    link.consumer.message_listener = listener
    _sender(case, link).send_all(FIVE)
    expect.equal("what the listener got", listener.after(5), FIVE)
    link.client.close()
    expect.only(answers, [f"answer to {text}" for text in FIVE])
    expect.only(case.link(destination=link.destination, durable=name))


@asserts("8.7-11", ack=("transacted",))
def test_a_rollback_brings_back_what_the_listener_failed_at(case: Case) -> None:
    """A later call rolls back: the failed messages are redelivered with the others, and no answer is out."""
    for texts in FAILING:
        link, answers, listener, name = _transaction(case, texts, lambda link: link.client.rollback())
        listener.after(6)
        expect.equal("what came after rollback()", sorted(map(str, listener.after(12)[6:])), [*FIVE, "now"])
        expect.only(answers)
        link.client.close()
        again = case.link(destination=link.destination, durable=name)
        expect.arrives(again, [*FIVE, "now"], ordered=False)
        again.client.close()
