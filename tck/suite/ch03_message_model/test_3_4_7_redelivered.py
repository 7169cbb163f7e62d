"""3.4.7 JMSRedelivered."""

from __future__ import annotations

from tck.suite.support import Case, asserts, expect


@asserts("3.4.7-1", ack=("auto", "client", "transacted"))
def test_a_repeated_delivery_is_flagged(case: Case) -> None:
    """What recover, rollback or a failing listener brings back is flagged, and was not flagged at first."""
    link = case.link()
    link.send("x")
    first, again = case.deliver_twice(link)
    expect.equal("JMSRedelivered at first, then again", [first, again], [False, True])
    expect.trace("repeat-is-flagged")


@asserts("3.4.7-2", ack=("client", "transacted"), domain=("queue",))
def test_the_flag_follows_a_message_to_another_consumer(case: Case) -> None:
    """A message that a closed session left unacknowledged comes flagged to a consumer of another connection."""
    link = case.link()
    link.send("x")
    expect.equal("JMSRedelivered at first", link.take().jms_redelivered, False)
    link.client.close()
    other = case.link("auto", destination=link.destination)
    expect.equal("JMSRedelivered at the other consumer", expect.arrival(other).jms_redelivered, True)


@asserts("3.4.7-2", ack=("client", "transacted"), domain=("topic",))
def test_the_flag_stays_with_a_durable_subscription(case: Case) -> None:
    """A message that a closed session left unacknowledged comes flagged when its durable subscription is resumed."""
    name = case.name("s")
    link = case.link(durable=name)
    link.send("x")
    expect.equal("JMSRedelivered at first", link.take().jms_redelivered, False)
    link.client.close()
    other = case.link("auto", destination=link.destination, durable=name)
    expect.equal("JMSRedelivered at the next consumer", expect.arrival(other).jms_redelivered, True)


@asserts("3.4.7-4")
def test_send_leaves_the_flag_alone(case: Case) -> None:
    """Send does not touch JMSRedelivered on the sender's message, whether it was set or not."""
    link = case.link()
    preset = link.text("preset")
    preset.jms_redelivered = True
    link.send(preset)
    expect.equal("JMSRedelivered of the sender's message, preset", preset.jms_redelivered, True)
    expect.arrives(link, ["preset"])
    expect.equal("JMSRedelivered of the sender's message, not preset", link.send("plain").jms_redelivered, False)
