"""3.4.10 JMSPriority."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.sender import Sender
from tck.suite.support.values.kinds import KINDS
from tck.suite.support.values.seen import body, tried

LEVELS = tuple(range(10))


@asserts("3.4.10-1")
def test_a_preset_priority_is_ignored(case: Case) -> None:
    """The priority set on the message counts for nothing: the producer's is seen at both ends."""
    link = case.link()
    for kind in KINDS:
        for preset in (9, 0):
            message = link.message(kind)
            message.jms_priority = preset
            for end, seen in link.both_ends(message):
                expect.equal(f"JMSPriority of a {kind} message {end}", seen.jms_priority, 4)


@asserts("3.4.10-2")
def test_send_sets_the_priority(case: Case) -> None:
    """After the send JMSPriority is the argument, or without one the producer's default, at both ends."""
    link = case.link()
    for default in (8, 9, 0, 1):
        link.sender.set(priority=default)
        sent = link.send("plain")
        expect.equal("JMSPriority after a plain send", sent.jms_priority, default)
        expect.equal("JMSPriority at its receiver", link.receive().jms_priority, default)
        for argument in (3, 7, 0, 9):
            sent = link.send("with an argument", priority=argument)
            expect.equal(f"JMSPriority after a send with {argument}", sent.jms_priority, argument)
            expect.equal("JMSPriority at its receiver", link.receive().jms_priority, argument)


@asserts("3.4.10-3")
def test_there_are_ten_levels(case: Case) -> None:
    """Each priority from 0 to 9 is accepted and arrives as itself."""
    link = case.link()
    link.send("witness")
    link.receive()
    for level in LEVELS:
        sent = expect.works(f"sending with priority {level}", partial(link.send, "x", priority=level))
        received = link.receive()
        expect.equal(
            "JMSPriority after the send and at the receiver", [sent.jms_priority, received.jms_priority], [level] * 2
        )


@asserts("3.4.10-4")
def test_expedited_messages_come_before_normal_ones(case: Case) -> None:
    """Of messages that wait, most of the expedited ones come before the normal ones sent earlier."""
    link = case.link()
    link.client.stop()
    for number in range(10):
        link.send(f"normal {number}", priority=4)
    for number in range(10):
        link.send(f"expedited {number}", priority=9)
    link.client.start()
    first = [str(body(link.receive())) for _ in range(20)][:10]
    ahead = sum(text.startswith("expedited") for text in first)
    expect.true("most expedited messages come in the first half", ahead > 5, f"{ahead} of 10 came in the first half")


def _other_sends(case: Case, client: Client, sender: Sender) -> dict[str, Callable[[], object]]:
    """Return sends of other messages by a producer, by what they are."""
    deleted, elsewhere = client.temporary(), case.destination()
    deleted.delete()
    return {
        "with another priority": lambda: sender.send(client.text("other"), to=elsewhere, priority=9),
        "to a deleted destination": lambda: sender.send(client.text("other"), to=deleted),
        "of null": lambda: sender.send(None, to=elsewhere),  # type: ignore[arg-type]  # refused
    }


def _is_set_after(link: Link, sender: Sender, default: int, what: str) -> None:
    """Demand the priority of a send without an argument and of one with, after another send."""
    for argument in (None, 6):
        message = link.text("x")
        sender.send(message, to=link.destination, priority=argument)
        link.client.settle()
        seen = [message.jms_priority, link.receive().jms_priority]
        wanted = default if argument is None else argument
        expect.equal(f"JMSPriority at both ends of a send with {argument}, after one {what}", seen, [wanted] * 2)


@asserts("3.4.10-2", ack=("auto", "transacted"), plain=True, variant="company")
def test_send_sets_the_priority_whatever_was_sent_before(case: Case) -> None:
    """JMSPriority is that of the send, though the producer sent otherwise before, or failed to."""
    link = case.link()
    with expect.all_of():
        for default in (4, 3, 0):
            sender = link.client.sender().set(priority=default)
            for what, send in _other_sends(case, link.client, sender).items():
                tried(send)
                _is_set_after(link, sender, default, what)


@asserts("3.4.10-2", ack=("auto", "transacted"), variant="overridden-elsewhere")
def test_send_sets_the_priority_though_it_is_overridden_elsewhere(case: Case) -> None:
    """JMSPriority is that of the send, though the producer sent before to a destination whose priority an administrator prescribes."""
    case.presumes("admin-override")
    link, elsewhere = case.link(), case.destination()
    case.administer("override", destination=elsewhere, priority=9)
    with expect.all_of():
        for default in (4, 3, 0):
            sender = link.client.sender().set(priority=default)
            for argument in (None, 5):
                sender.send(link.text("other"), to=elsewhere, priority=argument)
                _is_set_after(link, sender, default, "to a destination whose priority is prescribed")
