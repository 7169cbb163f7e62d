"""6.2.9.2 Order of message sends: over priorities, delivery modes, delays and transactions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tck import api
from tck.api import DeliveryMode
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.sender import Sender
from tck.suite.support.values.seen import body

SENDERS = ("auto", "transacted")
PRIORITIES = (9, 8, 4, 9, 0, 5, 4, 4, 1, 9, 7, 3, 8, 0, 2, 6, 9, 1, 4, 0, 5, 5, 3, 8)
"""The priorities of a burst, in the order of sending: each falls and rises, near and far."""
MODES = (DeliveryMode.PERSISTENT, DeliveryMode.NON_PERSISTENT)


def _waiting(case: Case) -> tuple[Link, str]:
    """Open a link on a queue or a durable subscription and close its consumer, so that messages wait there."""
    name = case.name("s")
    link = case.link("auto", durable=name)
    link.client.close()
    return case.link(destination=link.destination, consumes=False), name


def _received(case: Case, link: Link, name: str, count: int) -> list[str]:
    """Receive what waits, over a new connection; return the bodies."""
    receiver = case.link("auto", destination=link.destination, durable=name)
    return [str(body(receiver.receive())) for _ in range(count)]


def _overtaken(came: Sequence[str], priorities: Mapping[str, int]) -> list[str]:
    """Return each message that one of lower priority, sent later, overtook."""
    texts = list(priorities)
    return [
        f"{early} of priority {priorities[early]} by {late} of {priorities[late]}"
        for place, early in enumerate(texts)
        for late in texts[place + 1 :]
        if priorities[late] < priorities[early] and came.index(late) < came.index(early)
    ]


def _burst(case: Case, *, waits: bool) -> tuple[list[str], Mapping[str, int]]:
    """Send a burst of mixed priorities, to a consumer that is there or comes later; return what came, and the priorities."""
    priorities = dict(zip(numbered(len(PRIORITIES)), PRIORITIES, strict=True))
    if waits:
        sender, name = _waiting(case)
        _send(sender, priorities)
        return _received(case, sender, name, len(priorities)), priorities
    receiver = case.link("auto")
    _send(case.link(destination=receiver.destination, consumes=False), priorities)
    return [str(body(receiver.receive())) for _ in priorities], priorities


def _send(link: Link, priorities: Mapping[str, int]) -> None:
    for text, priority in priorities.items():
        link.put(text, priority=priority)
    link.client.settle()


def _all_came(came: Sequence[str], texts: Sequence[str]) -> None:
    expect.equal("what came in all", sorted(came), sorted(texts))


@asserts("6.2.9.2-2", ack=SENDERS)
def test_a_lower_priority_never_overtakes(case: Case) -> None:
    """No message of a lower priority comes before an earlier one of a higher priority, waiting or not."""
    for waits in (True, False):
        came, priorities = _burst(case, waits=waits)
        _all_came(came, list(priorities))
        expect.equal("messages that were overtaken", _overtaken(came, priorities), [])


@asserts("6.2.9.2-3", ack=SENDERS)
def test_messages_of_one_priority_keep_their_order(case: Case) -> None:
    """Among messages of mixed priorities those of the same one come in the order of sending, waiting or not."""
    for waits in (True, False):
        came, priorities = _burst(case, waits=waits)
        _all_came(came, list(priorities))
        seen = {str(level): [text for text in came if priorities[text] == level] for level in range(10)}
        expect.equal("what came of each priority", seen, {level: sorted(texts) for level, texts in seen.items()})


@asserts("6.2.9.2-5", ack=SENDERS)
def test_messages_of_one_delay_keep_their_order(case: Case) -> None:
    """Messages sent with the same delivery delay come in the order of sending, among some without delay."""
    sender, name = _waiting(case)
    prompt = sender.client.sender(sender.destination)
    sender.sender.set(delay=case.timing.delay)
    for text in numbered(40):
        sender.put(text)
        prompt.send(sender.text(f"prompt {text}"))
    sender.client.settle()
    case.pass_time(2 * case.timing.delay, "the delay is over for all messages")
    came = _received(case, sender, name, 80)
    expect.equal("the delayed ones", [text for text in came if not text.startswith("prompt")], numbered(40))


def _mixed_modes(case: Case) -> tuple[list[str], list[str]]:
    """Send 24 messages in modes that alternate irregularly; return what came, PERSISTENT ones and the others."""
    sender, name = _waiting(case)
    persistent = [text for place, text in enumerate(numbered(24)) if place % 5 in {0, 2, 3}]
    for text in numbered(24):
        sender.put(text, mode=MODES[text not in persistent])
    sender.client.settle()
    came = _received(case, sender, name, 24)
    _all_came(came, numbered(24))
    return [text for text in came if text in persistent], [text for text in came if text not in persistent]


@asserts("6.2.9.2-8", ack=SENDERS)
def test_nonpersistent_messages_keep_their_order(case: Case) -> None:
    """Among messages of both delivery modes the NON_PERSISTENT ones come in the order of sending."""
    _, nonpersistent = _mixed_modes(case)
    expect.equal("the NON_PERSISTENT ones", nonpersistent, sorted(nonpersistent))


@asserts("6.2.9.2-9", ack=SENDERS)
def test_persistent_messages_keep_their_order(case: Case) -> None:
    """Among messages of both delivery modes the PERSISTENT ones come in the order of sending."""
    persistent, _ = _mixed_modes(case)
    expect.equal("the PERSISTENT ones", persistent, sorted(persistent))


@asserts("6.2.9.2-10", ack=("transacted",))
def test_the_messages_of_a_transaction_keep_their_order(case: Case) -> None:
    """What one transaction sends to each of two destinations comes there in the order of sending, by two producers in turn."""
    first, second = case.link("auto"), case.link("auto")
    client = case.client()
    senders = {link: [client.sender(link.destination), client.sender(link.destination)] for link in (first, second)}
    for place, text in enumerate(numbered(10)):
        for link in (first, second):
            senders[link][place % 2].send(client.text(text))
    client.commit()
    for link in (first, second):
        expect.only(link, numbered(10))


@asserts("6.2.9.2-10", ack=("transacted",), variant="sizes")
def test_the_messages_of_a_transaction_keep_their_order_whatever_their_size(case: Case) -> None:
    """Small messages and large ones, of 15,000 characters and of 100,000, that one transaction sends come in their order."""
    receiver = case.link("auto")
    link = case.link(destination=receiver.destination, consumes=False)
    for mode in (api.DeliveryMode.PERSISTENT, api.DeliveryMode.NON_PERSISTENT):
        for text in numbered(9):
            message = link.text(text)
            if text in {"002", "005", "006"}:
                parts, size = (1, 15_000) if text == "002" else (5, 20_000)  # none is long: 3.5.2-8
                for part in range(parts):
                    message.set_string_property(f"filling{part}", size * "x")
            link.put(message, mode=mode)
        link.client.commit()
        expect.only(receiver, numbered(9))


@asserts("6.2.9.2-10", ack=("transacted",), variant="with-receives")
def test_the_messages_of_a_transaction_with_receives_keep_their_order(case: Case) -> None:
    """What a transaction forwards, one message for each that it receives, comes in the order of sending, after a rollback too."""
    source, target = case.link(), case.link("auto")
    forward = source.client.sender(target.destination)
    source.send_all(numbered(6))
    _forwarded(source, forward)
    source.client.rollback()
    sent = _forwarded(source, forward)
    source.client.commit()
    expect.only(target, sent)


def _forwarded(source: Link, forward: Sender) -> list[str]:
    """Receive six messages and send one for each, without a commit; return the bodies in the order of sending."""
    texts = [f"forwarded {body(message)}" for message in source.take_all(6)]
    for text in texts:
        forward.send(source.text(text))
    return texts


@asserts("6.2.9.2-11", ack=("transacted",))
def test_consecutive_transactions_keep_their_order(case: Case) -> None:
    """What five transactions of one session send comes in their order, though one between them was rolled back."""
    receiver = case.link("auto")
    sender = case.link(destination=receiver.destination, consumes=False)
    for batch in range(5):
        for text in numbered(20)[4 * batch : 4 * batch + 4]:
            sender.put(text)
        sender.client.commit()
        sender.put("rolled back")
        sender.client.rollback()
    expect.only(receiver, numbered(20))
