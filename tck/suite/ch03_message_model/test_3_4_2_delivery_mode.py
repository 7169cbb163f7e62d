"""3.4.2 JMSDeliveryMode."""

from __future__ import annotations

from tck.api import DeliveryMode
from tck.suite.support import Case, asserts, expect

MODES = (DeliveryMode.PERSISTENT, DeliveryMode.NON_PERSISTENT)


@asserts("3.4.2-1", "7.7-8")
def test_a_preset_mode_is_ignored(case: Case) -> None:
    """The mode set on the message counts for nothing: the producer's is seen after the send and at the receiver."""
    link = case.link()
    for preset, used in (MODES, reversed(MODES)):
        link.sender.set(mode=used)
        message = link.text("x")
        message.jms_delivery_mode = preset
        link.send(message)
        expect.equal("JMSDeliveryMode after the send", message.jms_delivery_mode, used)
        expect.equal("JMSDeliveryMode at the receiver", link.receive().jms_delivery_mode, used)


@asserts("3.4.2-2")
def test_send_sets_the_mode(case: Case) -> None:
    """After the send JMSDeliveryMode is the argument, or without one the producer's default."""
    link = case.link()
    for default in MODES:
        link.sender.set(mode=default)
        expect.equal("JMSDeliveryMode after a plain send", link.send("plain").jms_delivery_mode, default)
        for argument in MODES:
            sent = link.send("with an argument", mode=argument)
            expect.equal(f"JMSDeliveryMode after a send with {argument}", sent.jms_delivery_mode, argument)


@asserts("3.4.2-3")
def test_the_receiver_sees_the_mode(case: Case) -> None:
    """The receiver sees the mode each message was sent with."""
    link = case.link()
    for mode in MODES:
        link.sender.set(mode=mode)
        link.send("x")
        expect.equal(f"JMSDeliveryMode at the receiver of {mode}", link.receive().jms_delivery_mode, mode)
