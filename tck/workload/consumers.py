"""Consumers: receive or listen, settle batch by batch, forward, pause, come and go.

May import links, actors, producers and intakes; XA consumers are in `xa`.
"""

from __future__ import annotations

from typing import Final

from tck import api
from tck.check.columns import CLIENT, NONE, Op, Out
from tck.workload.actors import Actor
from tck.workload.consumer_link import Intake
from tck.workload.links import Link
from tck.workload.model import ConsumerPlan
from tck.workload.producers import Sender
from tck.workload.shared_state import Phase, Place, Subscription, World

POLL_MS: Final = 200
"""How long one receive waits; so soon an actor sees that a phase is over."""
WATCH_MS: Final = 200
"""How often the thread behind a listener looks around."""


class ListenerFailed(Exception):  # noqa: N818 - raised on purpose, into the provider
    """What a listener raises when the plan wants it to fail."""


class Consumer(Actor):
    """Consumes: `plan.per_session` consumers in one session."""

    def __init__(self, world: World, plan: ConsumerPlan, number: int, places: list[Place]) -> None:
        super().__init__(world, plan.name, number)
        self.plan = plan
        self.places = places
        self.first = number * plan.per_session
        self.stays = any(place.temporary for place in places) or (
            plan.subscription in ("nondurable", "shared") and not places[0].is_queue
        )
        """Nobody can take its place in a drain: it goes on until nothing comes any more."""
        self.intakes: list[Intake] = []
        self.client = world.plain(self.label) if plan.subscription == "durable" and not places[0].is_queue else None
        self._held = 0
        self._batch = 1
        self._left = 0
        self._often = False
        self._sender: Sender | None = None
        self._last: api.Message

    # -- coming and going ----------------------------------------------------------------------------------------

    def wanted(self) -> bool:
        """Whether consumers of its sort still consume."""
        return self.world.phase < (Phase.OVER if self.stays else Phase.DRAINING)

    def connect(self) -> Link:
        """Make a link with all its consumers, and start it."""
        world, plan = self.world, self.plan
        link = self.link = Link(world, self.label, plan.session, self.client)
        self._begin_batch()
        self._left = self.choice.randint(*plan.lifetime) if max(plan.lifetime) else NONE
        self._sender = Sender(world, link) if plan.forward else None
        self.intakes = []
        for place in self.places:
            if place.temporary:
                self._make_temporary(link, place)
            self.intakes.append(Intake(world, link, place, plan, self._name(len(self.intakes)), self.client))
        if plan.how == "listener":
            for intake in self.intakes:
                intake.raw.message_listener = _Listener(self, intake)
        link.start()
        return link

    def _name(self, place: int) -> str:
        if self.plan.subscription.startswith("shared") and not self.places[0].is_queue:
            return f"{self.plan.name}-sub-{(self.first + place) % self.plan.subscriptions + 1}"
        return f"{self.plan.name}-{self.first + place + 1}"

    def _make_temporary(self, link: Link, place: Place) -> None:
        made = link.session.create_temporary_queue() if place.is_queue else link.session.create_temporary_topic()
        self.world.renew(place, made, link.conn)

    def done(self) -> None:
        """Note that its consumers are gone."""
        for intake in self.intakes:
            intake.leave()
            if intake.place.temporary:
                intake.place.raw = None
        self.intakes = []

    # -- consuming -----------------------------------------------------------------------------------------------

    def work(self, link: Link) -> None:
        """Consume until its lifetime, its link or its phase is over."""
        if self.plan.how == "listener":
            self._watch(link)
        else:
            self._receive(link)
        if not link.alive():
            return
        if self._left == 0 and self.world.phase == Phase.WORKING:
            self._part(link)
        else:
            self._finish(link)

    def _receive(self, link: Link) -> None:
        intake = self.intakes[0]
        while self.wanted() and link.alive() and self._left != 0:
            message, often = intake.receive(POLL_MS)
            if message is not None:
                self._took(link, message, often=often)
            self._turn()

    def _turn(self) -> None:
        """Do what else is to be done after each receive."""

    def _watch(self, link: Link) -> None:
        while self.wanted() and link.alive() and self._left != 0:
            link.wake.wait(WATCH_MS)
            if self.plan.pause and self.world.phase == Phase.WORKING and self.choice.random() < self.plan.pause:
                link.stop()
                self.world.wait(WATCH_MS)
                link.start()

    def _took(self, link: Link, message: api.Message, *, often: bool) -> None:
        """Count a message; forward it; settle the batch if it is full; think."""
        self.counts.delivered += 1
        self._held += 1
        self._often = self._often or often
        if self._left > 0:
            self._left -= 1
        if self._sender is not None and self.choice.random() < self.plan.forward_share:
            self._forward()
        if link.by_itself:
            self.counts.settled += 1
        elif self._held >= self._batch:
            self._settle(link, message)
        self._last = message
        if self.plan.think:
            self.world.wait(self.plan.think)

    def _settle(self, link: Link, message: api.Message) -> None:
        undo = self.plan.rollback > 0 and not self._often and self.choice.random() < self.plan.rollback
        held = self._held
        self._begin_batch()
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
        self._held, self._often = 0, False
        self._batch = max(1, self.choice.randint(*self.plan.batch))

    def _forward(self) -> None:
        if self.world.phase != Phase.WORKING or self._sender is None:
            return
        places = self.world.places[self.plan.forward]
        place = places[self.choice.randrange(len(places))]
        names = list(self.world.sorts)
        sort = self.world.sorts[names[self.choice.randrange(len(names))]]
        if place.raw is not None:
            self._sender.send(place, sort.plan.name, self.choice.randint(*sort.plan.size), sort.ask(self.choice))
            self.counts.sent += 1

    # -- leaving -------------------------------------------------------------------------------------------------

    def _part(self, link: Link) -> None:
        """Leave in the middle, with what is unsettled; perhaps remove the subscription."""
        if self.choice.random() < 0.5 or self.plan.unsubscribe:
            for intake in list(self.intakes):
                intake_subscription = intake.subscription
                intake.close()
                if intake_subscription is not None and self.choice.random() < self.plan.unsubscribe:
                    self._unsubscribe(link, intake_subscription)

    def _unsubscribe(self, link: Link, subscription: Subscription) -> None:
        opened = subscription.opened
        if subscription.users:
            return
        row = self.recorder.begin(Op.UNSUBSCRIBE, link.number, link.conn, end=subscription.end)
        try:
            link.session.unsubscribe(self.world.plain(subscription.name))
        except BaseException:
            self.recorder.cut(row)
            raise
        # One that may be there still is the same to whoever opens it next.
        self.recorder.end(row, Out.OK if self.world.forget(subscription, opened) else Out.UNKNOWN)

    def _finish(self, link: Link) -> None:
        """Settle what is held; a listener does it for itself or leaves it."""
        if self.plan.how == "receive" and self._held and not link.by_itself:
            self._settle(link, self._last)

    def quiet_since(self) -> int | None:
        """Since when nothing came to any of its consumers; None if that cannot be said."""
        link, intakes = self.link, list(self.intakes)
        if link is None or not link.alive() or not intakes or any(intake.busy for intake in intakes):
            return None
        return max(intake.last for intake in intakes)


class _Listener(api.MessageListener):
    """Records a delivery from its entry to its return, and does in between what the plan wants."""

    def __init__(self, consumer: Consumer, intake: Intake) -> None:
        self._consumer = consumer
        self._intake = intake

    def on_message(self, message: api.Message) -> None:
        consumer, intake = self._consumer, self._intake
        link, rec = intake.link, intake.recorder
        if rec.closed:
            return
        now = rec.now()
        intake.busy = True
        out = Out.OK
        often, row = intake.record(message, now, None)
        try:
            fail = consumer.plan.fail > 0 and not often and consumer.choice.random() < consumer.plan.fail
            if fail:
                out = Out.FAIL
                raise ListenerFailed("the plan wants this listener to fail")
            consumer._took(link, message, often=often)  # noqa: SLF001 - the listener is the consumer's own
        except api.JMSException as error:
            consumer.world.fail(error)
            link.lost = True
            link.wake.set()
        finally:
            link.fine = rec.end(row, out)
            intake.busy = False
        if consumer._left == 0:  # noqa: SLF001 - as above
            link.wake.set()
