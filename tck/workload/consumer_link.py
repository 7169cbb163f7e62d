"""Consumer links: one consumer on a link each, which receives messages and records them.

May import links; the work of a consumer with a message is in `actors.consumers`.
"""

from __future__ import annotations

from typing import Final

from tck import api
from tck.check.columns import NEVER, NONE, Op, Out
from tck.record.packed import DRAINED, OPEN, RECEIVE
from tck.workload.content import SendOptions, read_content, read_head, read_number, read_repeat
from tck.workload.links import Link
from tck.workload.model import ConsumerPlan
from tck.workload.recorder import Receiver, RowTemplate
from tck.workload.shared_state import OpenDestination, SharedState, Subscription

_EARLY: Final = 500_000
"""Nanoseconds per millisecond of a timeout; a receive without a message that returned before this returned too early."""
_MANY: Final = 4
"""After this many deliveries a message is no longer returned, since the provider may give it up."""
_NOTHING: Final = SendOptions(0, 0, NONE, NONE, 0)


class ConsumerLink:
    """One consumer on a link: receives and records messages.

    Args:
        shared: The shared state.
        link: The link with its session.
        destination: The destination.
        plan: Gives subscription and selector.
        name: Name of the subscription, or of the consumer.
        client: Client identifier of the connection.

    Raises:
        JMSException, JMSRuntimeException: The provider refuses.
    """

    def __init__(
        self,
        shared: SharedState,
        link: Link,
        destination: OpenDestination,
        plan: ConsumerPlan,
        name: str,
        client: str | None = None,
    ) -> None:
        self.shared = shared
        self.link = link
        self.recorder = shared.recorder
        self.destination = destination
        self.plan = plan
        self.subscription: Subscription | None = None
        self.last = 0
        """Time of the last message, or of the opening."""
        self.busy = False
        self.unknown = 0
        """Number of messages that no actor sent."""
        rec = self.recorder
        if destination.is_queue:
            self.end = destination.end
        else:
            self.subscription = shared.subscription(destination, plan, name, client, link.conn)
            self.end = self.subscription.end
        selector = shared.selector(plan)
        self.number = number = rec.register(
            "consumer", label=name, end=self.end, session=link.number, selector=selector
        )
        self._from = Receiver(Op.DELIVER, link.auto_settled, link.number, link.conn, number, self.end)
        self._receiving = RowTemplate(RECEIVE, link.number, link.conn, consumer=number, end=self.end)
        began = rec.now()
        row = NONE if destination.is_queue else rec.begin(Op.SUBSCRIBE, link.number, link.conn, end=self.end)
        opened = rec.begin(OPEN, link.number, link.conn, consumer=self.number, end=self.end)
        out = refused = Out.FAIL
        try:
            self.raw = self._create(shared.provider_name(name))
            out = refused = Out.OK
        except api.UnsupportedOperationException:
            refused = Out.UNKNOWN
            raise
        finally:
            if out != Out.OK:
                self.leave()
            rec.end(opened, out)
            if row != NONE:
                # What a lost link took away, or the provider lacks, was not refused.
                rec.end(row, refused if link.alive() or out == Out.OK else Out.UNKNOWN)
        self.last = began

    def _create(self, name: str) -> api.MessageConsumer:
        session, raw, plan = self.link.session, self.destination.raw, self.plan
        selector = plan.selector or None
        topic: api.Topic = raw  # type: ignore[assignment]  # of a subscription by name
        if self.destination.is_queue or plan.subscription == "nondurable":
            if plan.no_local:
                return session.create_consumer(raw, selector, no_local=True)
            return session.create_consumer(raw, selector) if selector else session.create_consumer(raw)
        if plan.subscription == "shared":
            return session.create_shared_consumer(topic, name, *([selector] if selector else []))
        if plan.subscription == "shared-durable":
            return session.create_shared_durable_consumer(topic, name, *([selector] if selector else []))
        if not self.shared.modern:
            extra = (selector, plan.no_local) if selector or plan.no_local else ()
            return session.create_durable_subscriber(topic, name, *extra)
        if selector or plan.no_local:
            return session.create_durable_consumer(topic, name, selector, plan.no_local)
        return session.create_durable_consumer(topic, name)

    def leave(self) -> None:
        """Record that the consumer is closed."""
        if self.subscription is not None:
            self.shared.consumer_gone(self.subscription)
            self.subscription = None

    def close(self) -> None:
        """Close the consumer."""
        link = self.link
        row = self.recorder.begin(Op.CLOSE, link.number, link.conn, consumer=self.number, end=self.end)
        try:
            self.raw.close()
        except BaseException:
            self.recorder.end_unknown(row)
            raise
        self.recorder.end(row)
        self.leave()

    def receive(self, timeout: int) -> tuple[api.Message | None, bool]:
        """Receive; return the message, and whether it has been delivered often.

        Args:
            timeout: Milliseconds.
        """
        link, rec = self.link, self.recorder
        began = rec.now()
        row = rec.begin_like(self._receiving, timeout, link.unit, began)
        try:
            message = self.raw.receive(timeout)
        except Exception:
            rec.end(row, Out.FAIL)
            raise
        except BaseException:
            rec.end_unknown(row)
            raise
        if message is None:
            link.last_alive = now = rec.end(row)
            if now - began < timeout * _EARLY:
                # Without this wait, a receive that returns at once would block a virtual clock, and use a whole processor.
                self.shared.wait(timeout)
            return None, False
        link.last_alive = now = rec.now()
        unknown = self.unknown
        again, _ = self.record(message, now, row, now)
        if self.unknown > unknown:
            self.shared.wait(timeout)  # likewise where unknown messages arrive
        return message, again

    def record(self, message: api.Message, t0: int, row: int | None = None, t1: int = NEVER) -> tuple[bool, int]:
        """Record a delivered message; return whether it has been delivered often, and the row.

        Args:
            message: The message.
            t0: Time of the delivery.
            row: The row of the receive; None in a listener.
            t1: Time of the end; if not given, the caller ends the row.
        """
        shared = self.shared
        self.last = t0
        number = read_number(message)
        options = shared.options_of(number)
        if options is None:
            number, options, content = shared.number_unknown(), _NOTHING, 0
            self.unknown += 1
        else:
            content = read_content(message, shared.properties[options.klass])
        modern = shared.modern
        head = read_head(message, modern)
        repeat = red, count = read_repeat(message, modern)
        try:
            dest = shared.destination_number(message.jms_destination)
        except Exception:  # noqa: BLE001 - a header that cannot be read is not judged
            dest = self.destination.number
        row = self.recorder.delivered(
            row, self._from, options, number, self.link.unit, dest, content, head, repeat, t0, t1
        )
        return red and (count == NONE or count >= _MANY), row

    def drained(self, since: int, until: int) -> None:
        """Record that no message came in this time while the consumer waited."""
        self.recorder.add(DRAINED, self.link.number, self.link.conn, since, until, end=self.end, consumer=self.number)
