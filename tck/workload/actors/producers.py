"""Producers: they send batches, commit or roll back, and record every send before and after.

May import links, actors and content; XA producers are in `xa`.
"""

from __future__ import annotations

from itertools import cycle
from typing import TYPE_CHECKING, Final

from tck import api
from tck.check.columns import NONE, Closer, Op, Out
from tck.workload.actors.actor import Actor
from tck.workload.content import SendOptions, read_head
from tck.workload.links import Link
from tck.workload.model import ProducerPlan
from tck.workload.shared_state import OpenDestination, Phase, SharedState

if TYPE_CHECKING:
    from tck.workload.recorder import Recorder

DWELL_EVERY: Final = 8
"""One callback in this many takes time, so that a wrongly concurrent one shows."""
DWELL_MS: Final = 2
_NO_PLACE_MS: Final = 20
"""How long to wait for a temporary destination that does not exist, milliseconds."""


class Sender:
    """Sends through one link, by its session or its context, and records."""

    def __init__(self, shared: SharedState, link: Link, *, asynchronous: bool = False) -> None:
        self.shared = shared
        self.link = link
        self._recorder = shared.recorder
        self.asynchronous = asynchronous
        self.stream = shared.new_stream(link.number, link.label)
        self._position = 0
        self._delay = 0
        self._options = shared.options[self.stream]
        self._simple: api.JMSProducer | None = None
        if link.context is not None:
            self._simple = link.context.create_producer()
        else:
            self._producer = link.session.create_producer(None)

    def send(self, destination: OpenDestination, kind_name: str, body_size: int, options: SendOptions) -> None:
        """Send one message.

        Args:
            destination: The destination.
            kind_name: The message kind.
            body_size: Length of the body.
            options: Mode, priority, time-to-live, delay.
        """
        link, rec = self.link, self._recorder
        number = (self.stream << 32) | self._position
        message, digest = self.shared.message_kinds[kind_name].make(link.maker, number, body_size)
        self._position += 1
        self._options.append(options)
        raw, simple, listener = destination.raw, self._simple, None
        mode, priority, ttl, _, _ = options
        if self.asynchronous:
            listener = _Completion(self, number, link.unit)
        self._set(options, listener)
        row = rec.begin_send(
            link.number, link.conn, self.asynchronous, options, destination.number, number, link.unit, digest
        )
        if listener is not None:
            listener.row = row
        try:
            if simple is not None:
                simple.send(raw, message)
            elif listener is not None:
                self._producer.send(
                    message,
                    destination=raw,
                    delivery_mode=mode,
                    priority=priority,
                    time_to_live=ttl,
                    completion_listener=listener,
                )
            else:
                self._producer.send(message, destination=raw, delivery_mode=mode, priority=priority, time_to_live=ttl)
        except Exception:
            rec.end(row, Out.FAIL)
            raise
        except BaseException:
            rec.end_unknown(row)
            raise
        if listener is not None:
            link.last_alive = rec.end(row)
            return
        link.last_alive = now = rec.now()
        rec.end_send(row, now, digest, read_head(message, self.shared.modern))

    def _set(self, options: SendOptions, listener: _Completion | None) -> None:
        """Set the options of the next send on its producer; only options that the plan uses, since a provider may lack others."""
        if self._simple is not None:
            self._simple.set_delivery_mode(options.mode).set_priority(options.priority).set_time_to_live(options.ttl)
            if listener is not None:
                self._simple.set_async(listener)
        if options.delay != self._delay:
            if self._simple is not None:
                self._simple.set_delivery_delay(options.delay)
            else:
                self._producer.delivery_delay = options.delay
            self._delay = options.delay


class _Completion(api.CompletionListener):
    """Records the end of one asynchronous send."""

    def __init__(self, sender: Sender, number: int, unit: int) -> None:
        self._sender = sender
        self._number = number
        self._unit = unit
        self.row = -1

    def _begin(self) -> tuple[Recorder, int]:
        link, rec = self._sender.link, self._sender.shared.recorder
        return rec, rec.begin(Op.COMPLETE, link.number, link.conn, msg=self._number, unit=self._unit)

    def on_completion(self, message: api.Message) -> None:
        rec, row = self._begin()
        rec.set_header(self.row, read_head(message, self._sender.shared.modern))
        if (self._number & 0xFFFFFFFF) % DWELL_EVERY == 1:
            self._sender.shared.provider.clock.event().wait(DWELL_MS)
        rec.end(row)

    def on_exception(self, message: api.Message, exception: Exception) -> None:  # noqa: ARG002 - the interface
        rec, row = self._begin()
        self._sender.shared.count_failure(exception)
        rec.end(row, Out.FAIL)


class Producer(Actor):
    """Sends batches of messages."""

    def __init__(self, shared: SharedState, plan: ProducerPlan, number: int, quota: int | None) -> None:
        super().__init__(shared, plan.name, number)
        self.plan = plan
        self.quota = quota
        self.destinations = [destination for name in plan.to for destination in shared.destinations[name]]
        names = plan.messages or tuple(shared.message_kinds)
        self._names = list(names)
        self._shares = [shared.message_kinds[name].plan.share for name in names]
        self._due = 0
        self._remaining = NONE
        self._turn = cycle(range(len(self.destinations)))

    def has_work(self) -> bool:
        """Whether it may send, and has messages left to send."""
        return self.shared.phase == Phase.WORKING and (self.quota is None or self.counts.sent < self.quota)

    def connect(self) -> Link:
        """Make a link and a producer on it."""
        plan = self.plan
        whole = Closer.CONTEXT if plan.api == "simplified" else Closer.CONNECTION
        closer = Closer.SESSION if plan.closes == "session" else whole
        link = Link(self.shared, self.label, plan.session, closer=closer)
        self._remaining = self.choice.randint(*plan.lifetime) if max(plan.lifetime) else NONE
        self.link = link
        self._sender = Sender(self.shared, link, asynchronous=self.plan.asynchronous)
        return link

    def work(self, link: Link) -> None:
        """Send batch after batch, as long as its lifetime lasts."""
        while self.has_work() and link.alive() and self._remaining != 0:
            size = self.choice.randint(*self.plan.batch)
            undo = self.plan.rollback > 0 and self.choice.random() < self.plan.rollback
            for _ in range(size):
                if self._remaining == 0 or not (self.has_work() and link.alive()):
                    break
                self.send_one()
            if self.plan.session == "transacted":
                if undo:
                    link.rollback()
                else:
                    link.commit()
                self.shared.turns[self.group].over()
            self.counts.settled += size
            if self.plan.think:
                self.shared.wait(self.plan.think)

    def send_one(self) -> None:
        """Send one message, at the rate of the plan."""
        choice = self.choice
        destination = self.destinations[choice.randrange(len(self.destinations))]
        message_kind = self.shared.message_kinds[choice.choices(self._names, self._shares)[0]]
        options, size = message_kind.choose_options(choice), choice.randint(*message_kind.plan.size)
        if destination.raw is None:
            self.shared.wait(_NO_PLACE_MS)
            return
        self._pace()
        self._sender.send(destination, message_kind.plan.name, size, options)
        self.counts.sent += 1
        self._remaining -= self._remaining > 0

    def _pace(self) -> None:
        if not self.plan.rate:
            return
        now = self.recorder.now()
        self._due = max(self._due, now - 1_000_000_000) + round(1e9 / self.plan.rate)
        if self._due > now:
            self.shared.wait((self._due - now) / 1e6)
