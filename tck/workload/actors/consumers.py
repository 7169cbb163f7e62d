"""Consumers: receive or listen, settle in batches, forward, pause, and end after a lifetime.

May import links, actors, producers and consumer links; XA consumers are in `xa`.
"""

from __future__ import annotations

from typing import Final

from tck import api
from tck.check.columns import CLIENT, NONE, Op, Out
from tck.workload.actors.actor import Actor
from tck.workload.actors.producers import Sender
from tck.workload.consumer_link import ConsumerLink
from tck.workload.links import Link
from tck.workload.model import ConsumerPlan
from tck.workload.shared_state import OpenDestination, Phase, SharedState, Subscription

POLL_MS: Final = 200
"""Timeout of one receive; the longest delay until an actor notices the end of a phase."""
WATCH_MS: Final = 200
"""Interval at which the thread of a listener checks phase and link."""


class ListenerFailed(Exception):  # noqa: N818 - raised on purpose, into the provider
    """Raised by a listener that has to fail by the plan."""


class Consumer(Actor):
    """Consumes: `plan.per_session` consumers in one session."""

    def __init__(
        self, shared: SharedState, plan: ConsumerPlan, number: int, destinations: list[OpenDestination]
    ) -> None:
        super().__init__(shared, plan.name, number)
        self.plan = plan
        self.destinations = destinations
        self.first = number * plan.per_session
        self.kept_for_drain = any(destination.temporary for destination in destinations) or (
            plan.subscription in ("nondurable", "shared") and not destinations[0].is_queue
        )
        """A drain cannot replace this consumer: it continues until no message arrives any more."""
        self.consumer_links: list[ConsumerLink] = []
        self.client = (
            shared.provider_name(self.label)
            if plan.subscription == "durable" and not destinations[0].is_queue
            else None
        )
        self._unsettled = 0
        self._batch = 1
        self._remaining = 0
        self._delivered_often = False
        self._sender: Sender | None = None
        self._last: api.Message

    # -- coming and going ----------------------------------------------------------------------------------------

    def has_work(self) -> bool:
        """Whether such consumers still consume in this phase."""
        return self.shared.phase < (Phase.OVER if self.kept_for_drain else Phase.DRAINING)

    def connect(self) -> Link:
        """Make a link with all its consumers, and start it."""
        shared, plan = self.shared, self.plan
        link = self.link = Link(shared, self.label, plan.session, self.client)
        self._begin_batch()
        self._remaining = self.choice.randint(*plan.lifetime) if max(plan.lifetime) else NONE
        self._sender = Sender(shared, link) if plan.forward else None
        self.consumer_links = []
        self._meet()
        for destination in self.destinations:
            if destination.temporary:
                self._make_temporary(link, destination)
            self.consumer_links.append(
                ConsumerLink(shared, link, destination, plan, self._name(len(self.consumer_links)), self.client)
            )
        if plan.how == "listener":
            for consumer_link in self.consumer_links:
                consumer_link.raw.message_listener = _Listener(self, consumer_link)
        link.start()
        return link

    def _meet(self) -> None:
        """Wait for the rest of a group that acts together."""
        if self.plan.together and self.shared.phase == Phase.WORKING:
            self.shared.meetings[self.plan.name].wait()

    def _name(self, index: int) -> str:
        if self.plan.subscription.startswith("shared") and not self.destinations[0].is_queue:
            return f"{self.plan.name}-sub-{(self.first + index) % self.plan.subscriptions + 1}"
        return f"{self.plan.name}-{self.first + index + 1}"

    def _make_temporary(self, link: Link, destination: OpenDestination) -> None:
        made = link.session.create_temporary_queue() if destination.is_queue else link.session.create_temporary_topic()
        self.shared.replace_temporary(destination, made, link.conn)

    def link_gone(self) -> None:
        """Record that its consumers are closed."""
        for consumer_link in self.consumer_links:
            consumer_link.leave()
            if consumer_link.destination.temporary:
                consumer_link.destination.raw = None
        self.consumer_links = []

    # -- consuming -----------------------------------------------------------------------------------------------

    def work(self, link: Link) -> None:
        """Consume until its lifetime, its link or its phase is over."""
        if self.plan.how == "listener":
            self._supervise(link)
        else:
            self._receive(link)
        if not link.alive():
            return
        if self._remaining == 0 and self.shared.phase == Phase.WORKING:
            self._leave_early(link)
        else:
            self._settle_rest(link)

    def _receive(self, link: Link) -> None:
        consumer_link = self.consumer_links[0]
        while self.has_work() and link.alive() and self._remaining != 0:
            message, delivered_often = consumer_link.receive(POLL_MS)
            if message is not None:
                self._handle(link, message, delivered_often=delivered_often)
            self._after_receive()

    def _after_receive(self) -> None:
        """Do more work after each receive; for subclasses."""

    def _supervise(self, link: Link) -> None:
        while self.has_work() and link.alive() and self._remaining != 0:
            link.wake.wait(WATCH_MS)
            if self.plan.pause and self.shared.phase == Phase.WORKING and self.choice.random() < self.plan.pause:
                link.stop()
                self.shared.wait(WATCH_MS)
                link.start()

    def _handle(self, link: Link, message: api.Message, *, delivered_often: bool) -> None:
        """Count a message, forward it, settle the batch if it is full, wait the think time."""
        self.counts.delivered += 1
        self._unsettled += 1
        self._delivered_often = self._delivered_often or delivered_often
        if self._remaining > 0:
            self._remaining -= 1
        if self._sender is not None and self.choice.random() < self.plan.forward_share:
            self._forward()
        if link.auto_settled:
            self.counts.settled += 1
        elif self._unsettled >= self._batch:
            self._settle(link, message)
        self._last = message
        if self.plan.think:
            self.shared.wait(self.plan.think)

    def _settle(self, link: Link, message: api.Message) -> None:
        undo = self.plan.rollback > 0 and not self._delivered_often and self.choice.random() < self.plan.rollback
        held = self._unsettled
        self._begin_batch()
        if undo:
            self._meet()
        if link.mode == CLIENT:
            if undo:
                link.recover()
            else:
                link.acknowledge(message)
        elif undo:
            link.rollback()
        else:
            link.commit()
        self.counts.settled += held

    def _begin_batch(self) -> None:
        self._unsettled, self._delivered_often = 0, False
        self._batch = max(1, self.choice.randint(*self.plan.batch))

    def _forward(self) -> None:
        if self.shared.phase != Phase.WORKING or self._sender is None:
            return
        destinations = self.shared.destinations[self.plan.forward]
        destination = destinations[self.choice.randrange(len(destinations))]
        names = list(self.shared.message_kinds)
        message_kind = self.shared.message_kinds[names[self.choice.randrange(len(names))]]
        if destination.raw is not None:
            self._sender.send(
                destination,
                message_kind.plan.name,
                self.choice.randint(*message_kind.plan.size),
                message_kind.choose_options(self.choice),
            )
            self.counts.sent += 1

    # -- leaving -------------------------------------------------------------------------------------------------

    def _leave_early(self, link: Link) -> None:
        """Close early, with unsettled messages; perhaps remove the subscription."""
        if self.choice.random() < 0.5 or self.plan.unsubscribe:
            for consumer_link in list(self.consumer_links):
                subscription = consumer_link.subscription
                consumer_link.close()
                if subscription is not None and self.choice.random() < self.plan.unsubscribe:
                    self._unsubscribe(link, subscription)

    def _unsubscribe(self, link: Link, subscription: Subscription) -> None:
        opened = subscription.opened
        if subscription.users:
            return
        row = self.recorder.begin(Op.UNSUBSCRIBE, link.number, link.conn, end=subscription.end)
        try:
            link.session.unsubscribe(self.shared.provider_name(subscription.name))
        except BaseException:
            self.recorder.end_unknown(row)
            raise
        # One that may still exist is opened by the next consumer as if it did.
        self.recorder.end(row, Out.OK if self.shared.subscription_removed(subscription, opened) else Out.UNKNOWN)

    def _settle_rest(self, link: Link) -> None:
        """Settle the unsettled messages; a listener settles by itself or leaves them."""
        if self.plan.how == "receive" and self._unsettled and not link.auto_settled:
            self._settle(link, self._last)

    def quiet_since(self) -> int | None:
        """Return the time since which no message came to any of its consumers; None if unknown."""
        link, consumer_links = self.link, list(self.consumer_links)
        if (
            link is None
            or not link.alive()
            or not consumer_links
            or any(consumer_link.busy for consumer_link in consumer_links)
        ):
            return None
        return max(consumer_link.last for consumer_link in consumer_links)


class _Listener(api.MessageListener):
    """Records a delivery from its start to its return, and handles the message between."""

    def __init__(self, consumer: Consumer, consumer_link: ConsumerLink) -> None:
        self._consumer = consumer
        self._consumer_link = consumer_link

    def on_message(self, message: api.Message) -> None:
        consumer, consumer_link = self._consumer, self._consumer_link
        link, rec = consumer_link.link, consumer_link.recorder
        if rec.closed:
            return
        now = rec.now()
        consumer_link.busy = True
        out = Out.OK
        delivered_often, row = consumer_link.record(message, now, None)
        try:
            fail = consumer.plan.fail > 0 and not delivered_often and consumer.choice.random() < consumer.plan.fail
            if fail:
                out = Out.FAIL
                raise ListenerFailed("the plan makes this listener fail")
            consumer._handle(link, message, delivered_often=delivered_often)  # noqa: SLF001 - the listener is the consumer's own
        except api.JMSException as error:
            consumer.shared.count_failure(error)
            link.lost = True
            link.wake.set()
        finally:
            link.last_alive = rec.end(row, out)
            consumer_link.busy = False
        if consumer._remaining == 0:  # noqa: SLF001 - as above
            link.wake.set()
