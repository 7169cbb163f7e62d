"""3.4.3 JMSMessageID."""

from __future__ import annotations

from tck.api import DeliveryMode
from tck.suite.support import Case, asserts, expect
from tck.suite.support.values.kinds import KINDS


@asserts("3.4.3-1")
def test_a_preset_id_is_ignored(case: Case) -> None:
    """An id set on the message before the send is replaced by the provider's own, at both ends."""
    link = case.link()
    message = link.text("x")
    message.jms_message_id = "ID:mine"
    link.send(message)
    expect.differs("JMSMessageID after the send", message.jms_message_id, "ID:mine")
    expect.differs("JMSMessageID at the receiver", link.receive().jms_message_id, "ID:mine")


@asserts("3.4.3-2")
def test_send_sets_the_id(case: Case) -> None:
    """When the send returns, the sender's message has an id."""
    expect.differs("JMSMessageID after the send", case.link().send("x").jms_message_id, "")


@asserts("3.4.3-3")
def test_ids_begin_with_the_prefix(case: Case) -> None:
    """Every id begins with ID:, for each kind of message, at both ends."""
    link = case.link()
    for kind in KINDS:
        sent = link.send(link.message(kind))
        for end, message in (("after the send", sent), ("at the receiver", link.receive())):
            seen = str(message.jms_message_id)
            expect.true(
                f"JMSMessageID of a {kind} message {end} begins with ID:", seen.startswith("ID:"), f"it was {seen!r}"
            )


@asserts("3.4.3-4")
def test_no_two_sends_share_an_id(case: Case) -> None:
    """Ids differ over connections, sessions, producers, and when one object is sent again."""
    links = [case.link(), case.link()]
    senders = [client.sender(link.destination) for link in links for client in (link.client, link.client.peer())]
    again = links[0].text("sent again and again")
    ids = []
    for sender in [sender.set(mode=DeliveryMode.NON_PERSISTENT) for sender in senders]:
        for _ in range(8):
            message = links[0].text("fresh")
            sender.send(message)
            sender.send(again)
            ids += [message.jms_message_id, again.jms_message_id]
    expect.distinct("JMSMessageID", ids)


@asserts("3.4.3-4", variant="sent on")
def test_a_message_sent_on_gets_another_id(case: Case) -> None:
    """A received message that is sent on, again and again, has another id after each send."""
    link = case.link()
    for kind in KINDS:
        message = link.message(kind)
        ids = []
        for _ in range(3):
            link.send(message)
            ids.append(message.jms_message_id)
            message = expect.arrival(link)
        expect.distinct(f"JMSMessageID of a {kind} message sent on", ids)


@asserts("3.4.3-5")
def test_ids_stay_different_across_a_restart_of_the_client(case: Case) -> None:
    """Ids of clients one after the other, and of several at once, do not meet: they can key a history."""
    ids = []
    for _ in range(3):
        together = [case.link(consumes=False), case.link(consumes=False)]
        ids += [link.send("x").jms_message_id for link in together for _ in range(8)]
        for link in together:
            link.client.close()
    expect.distinct("JMSMessageID over clients that came and went", ids)


@asserts("3.4.3-7")
def test_the_receiver_sees_the_senders_id(case: Case) -> None:
    """The id that the sender got is the one each receiver sees."""
    link = case.link()
    sent = link.send("x")
    expect.differs("JMSMessageID after the send", sent.jms_message_id, "")
    expect.equal("JMSMessageID at the receiver", link.receive().jms_message_id, sent.jms_message_id)


@asserts("3.4.3-8")
def test_a_disabled_id_is_null_or_whole(case: Case) -> None:
    """With the hint to disable ids, an id is null or a well-formed one, nothing in between, and both ends agree."""
    link = case.link()
    link.sender.set(disable_id=True)
    sent = link.send("x")
    received = link.receive()
    seen = sent.jms_message_id
    whole = seen is None or (seen.startswith("ID:") and len(seen) > len("ID:"))
    expect.true("JMSMessageID is null or well formed", whole, f"JMSMessageID was {seen!r}")
    expect.equal("JMSMessageID at the receiver", received.jms_message_id, seen)
    expect.record("message ids can be disabled" if seen is None else "the hint to disable message ids is ignored")


@asserts("3.4.3-9")
def test_ids_that_are_not_disabled_stay_unique(case: Case) -> None:
    """With the hint to disable ids, those that are there all the same are normal and differ from each other."""
    link = case.link()
    link.sender.set(disable_id=True)
    ids = [link.send("x").jms_message_id for _ in range(8)]
    expect.arrives(link, ["x"] * len(ids))
    normal = [seen for seen in ids if seen is not None]
    expect.true("ids begin with ID:", all(seen.startswith("ID:") for seen in normal), f"ids were {normal[:3]!r}")
    expect.true("ids differ", len(set(normal)) == len(normal), f"{len(set(normal))} different ids in {len(normal)}")
    expect.record("message ids can be disabled" if not normal else "the hint to disable message ids is ignored")
