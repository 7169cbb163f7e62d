"""Faults in 8.5: receive(), receive(timeout), receiveNoWait()."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from faults.kit.common import unsupported
from faults.kit.declaring import nearly_right, saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import PhysicalQueue
from reference_provider.broker.transactions import Work
from reference_provider.client.consumers import ReferenceConsumer, ReferenceReceiver
from reference_provider.client.sessions import ReferenceSession
from tck.api import OMITTED, JMSException, Message, Omitted, UnsupportedOperationException


@saboteur("8.5-1", "every second receive() without a timeout skips a message")
def _(patch: Patch) -> None:
    calls: Counter[int] = Counter()
    kept: list[ReferenceConsumer] = []
    original = ReferenceConsumer.receive

    def receive(self: ReferenceConsumer, timeout: int | Omitted = OMITTED) -> Message | None:
        if timeout is OMITTED:
            calls[id(self)] += 1
            kept.append(self)
            if calls[id(self)] % 2 == 0:
                original(self, 1)
        return original(self, timeout)

    patch.replace(ReferenceConsumer, "receive", receive)


@saboteur("8.5-2", "a receive that waited for its message returns it only at its timeout")
def _(patch: Patch) -> None:
    def next_delivery(
        original: Callable[..., Delivery | None], consumer: ReferenceConsumer, timeout: int | None
    ) -> Delivery | None:
        clock = consumer.session.broker.clock
        began = clock.now()
        delivery = original(consumer, timeout)
        if timeout and delivery is not None and clock.now() > began:
            clock.event().wait(began + timeout - clock.now())
        return delivery

    patch.at(fault_points.MESSAGE_AWAITED, next_delivery)


@saboteur("8.5-3", "receiveNoWait always returns null", collateral={"8.5-9": "it polls for its third message"})
def _(patch: Patch) -> None:
    patch.replace(ReferenceConsumer, "receive_no_wait", lambda self: None)


def _receive_instead(patch: Patch, given: int | Omitted, used: int) -> None:
    original = ReferenceConsumer.receive

    def receive(self: ReferenceConsumer, timeout: int | Omitted = OMITTED) -> Message | None:
        same = timeout is OMITTED if given is OMITTED else timeout == given
        return original(self, used if same else timeout)

    patch.replace(ReferenceConsumer, "receive", receive)


@saboteur("8.5-4", "receive() returns null after ten seconds")
def _(patch: Patch) -> None:
    _receive_instead(patch, OMITTED, 10_000)


@saboteur("8.5-5", "receive(timeout) raises an exception at its timeout")
def _(patch: Patch) -> None:
    original = ReferenceConsumer.receive

    def receive(self: ReferenceConsumer, timeout: int | Omitted = OMITTED) -> Message | None:
        message = original(self, timeout)
        if message is None and timeout is not OMITTED and not self.closed:
            raise JMSException(f"nothing came within {timeout} ms")
        return message

    patch.replace(ReferenceConsumer, "receive", receive)


@saboteur("8.5-6", "receive(0) does not wait")
def _(patch: Patch) -> None:
    original = ReferenceConsumer.receive

    def receive(self: ReferenceConsumer, timeout: int | Omitted = OMITTED) -> Message | None:
        return self.receive_no_wait() if timeout == 0 else original(self, timeout)

    patch.replace(ReferenceConsumer, "receive", receive)


@saboteur("8.5-7", "receiveNoWait waits for a message")
def _(patch: Patch) -> None:
    patch.replace(ReferenceConsumer, "receive_no_wait", lambda self: self.receive_as(None, self.hand_out))


@saboteur("8.5-8", "rollback drops the single queue message of a transaction")
def _(patch: Patch) -> None:
    def roll_back(original: Callable[..., None], session: ReferenceSession, work: Work) -> None:
        if len(work.acks) == 1 and isinstance(work.acks[0].source.physical, PhysicalQueue):
            work.acks = []
        original(session, work)

    patch.at(fault_points.ROLLBACK, roll_back)


@saboteur(
    "8.5-9",
    "receiveNoWait is not supported",
    collateral={
        **dict.fromkeys(("8.5-2", "8.5-5", "8.5-6"), "in the domain-specific interface it calls receive(timeout)"),
        **dict.fromkeys(("8.5-3", "8.5-7"), "it calls receiveNoWait()"),
    },
)
def _(patch: Patch) -> None:
    unsupported(patch, ReferenceConsumer, "receive_no_wait", "receiveNoWait is not implemented")


@nearly_right(
    "queue-receiver-has-no-receive-with-timeout", "a QueueReceiver does not support receive(timeout)", "8.5-9"
)
def _(patch: Patch) -> None:
    def receive(self: ReferenceReceiver, timeout: int | Omitted = OMITTED) -> Message | None:
        if timeout is not OMITTED:
            raise UnsupportedOperationException("receive(timeout) is not implemented")
        return ReferenceConsumer.receive(self)

    patch.replace(ReferenceReceiver, "receive", receive)
