"""Faults in 8.5: receive(), receive(timeout), receiveNoWait()."""

from collections import Counter

from faults.kit import *


@saboteur("8.5-1", "every second receive() without a timeout skips a message")
def _(patch):
    calls = Counter()
    kept = []
    original = ReferenceConsumer.receive

    def receive(self, timeout=OMITTED):
        if timeout is OMITTED:
            calls[id(self)] += 1
            kept.append(self)
            if calls[id(self)] % 2 == 0:
                original(self, 1)
        return original(self, timeout)

    patch.replace(ReferenceConsumer, "receive", receive)


@saboteur(
    "8.5-2", "a receive that waited for its message returns it only at its timeout", at=fault_points.MESSAGE_AWAITED
)
def _(original, consumer, timeout):
    clock = consumer.session.broker.clock
    began = clock.now()
    delivery = original(consumer, timeout)
    if timeout and delivery is not None and clock.now() > began:
        clock.event().wait(began + timeout - clock.now())
    return delivery


saboteur(
    "8.5-3",
    "receiveNoWait always returns null",
    lambda patch: patch.replace(ReferenceConsumer, "receive_no_wait", lambda self: None),
    collateral={"8.5-9": "it polls for its third message"},
)


def _receive_instead(patch, given, used):
    original = ReferenceConsumer.receive

    def receive(self, timeout=OMITTED):
        same = timeout is OMITTED if given is OMITTED else timeout == given
        return original(self, used if same else timeout)

    patch.replace(ReferenceConsumer, "receive", receive)


saboteur("8.5-4", "receive() returns null after ten seconds", lambda patch: _receive_instead(patch, OMITTED, 10_000))


@saboteur("8.5-5", "receive(timeout) raises an exception at its timeout", around=(ReferenceConsumer, "receive"))
def _(original, self, timeout=OMITTED):
    message = original(self, timeout)
    if message is None and timeout is not OMITTED and not self.closed:
        raise JMSException(f"nothing came within {timeout} ms")
    return message


@saboteur("8.5-6", "receive(0) does not wait", around=(ReferenceConsumer, "receive"))
def _(original, self, timeout=OMITTED):
    return self.receive_no_wait() if timeout == 0 else original(self, timeout)


saboteur(
    "8.5-7",
    "receiveNoWait waits for a message",
    lambda patch: patch.replace(
        ReferenceConsumer, "receive_no_wait", lambda self: self.receive_as(None, self.hand_out)
    ),
)


@saboteur("8.5-8", "rollback drops the single queue message of a transaction", at=fault_points.ROLLBACK)
def _(original, session, work):
    if len(work.acks) == 1 and isinstance(work.acks[0].source.physical, PhysicalQueue):
        work.acks = []
    original(session, work)


saboteur(
    "8.5-9",
    "receiveNoWait is not supported",
    lambda patch: unsupported(patch, ReferenceConsumer, "receive_no_wait", "receiveNoWait is not implemented"),
    collateral={
        **dict.fromkeys(("8.5-2", "8.5-5", "8.5-6"), "in the domain-specific interface it calls receive(timeout)"),
        **dict.fromkeys(("8.5-3", "8.5-7"), "it calls receiveNoWait()"),
    },
)


@nearly_right(
    "queue-receiver-has-no-receive-with-timeout", "a QueueReceiver does not support receive(timeout)", "8.5-9"
)
def _(patch):
    def receive(self, timeout=OMITTED):
        if timeout is not OMITTED:
            raise UnsupportedOperationException("receive(timeout) is not implemented")
        return ReferenceConsumer.receive(self)

    patch.replace(ReferenceReceiver, "receive", receive)
