"""Who tries to consume where a provider must not allow it, and goes on where it does: then the trace shows it.

Trespassers want temporary destinations of other connections, rivals a second consumer on an unshared durable
subscription. May import consumers.
"""

from __future__ import annotations

from typing import Final

from tck import api
from tck.workload.consumer_link import Intake
from tck.workload.consumers import POLL_MS, Consumer
from tck.workload.links import Beside, Link

_AGAIN_MS: Final = 50


class Trespasser(Consumer):
    """Asks for a consumer again and again; where it gets one it receives, which the trace then shows."""

    def connect(self) -> Link:
        """Make a link without a consumer."""
        link = self.link = Link(self.world, self.label, "auto")
        self.stays = False
        self.intakes = []
        link.start()
        return link

    def work(self, link: Link) -> None:
        """Try, and receive if that is let through."""
        while self.wanted() and link.alive():
            if not self.intakes and not self._entered(link):
                self.world.wait(_AGAIN_MS)
            elif self.intakes:
                message, _ = self.intakes[0].receive(POLL_MS)
                self.counts.delivered += message is not None
                if message is not None and self.plan.think:
                    self.world.wait(self.plan.think)

    def _entered(self, link: Link) -> bool:
        place = self.places[0]
        if place.raw is None:
            return False
        try:
            intake = Intake(self.world, link, place, self.plan, self.label)
        except api.JMSException:
            return False
        self.intakes.append(intake)
        return True

    def done(self) -> None:
        """Leave; the destination is not its own."""
        for intake in self.intakes:
            intake.leave()
        self.intakes = []


class Rivalled(Consumer):
    """Asks, when its consumer is there, for a second one on the same unshared durable subscription, in another session.

    Where it gets one it receives from both in turn.
    """

    _rival: Intake | None = None

    def connect(self) -> Link:
        """Make a link with its consumer, then try."""
        link = super().connect()
        beside = Beside(link)
        try:
            self._rival = Intake(self.world, beside, self.places[0], self.plan, self._name(0), self.client)
        except api.JMSException:
            beside.close()
        return link

    def _turn(self) -> None:
        if self._rival is not None:
            message, _ = self._rival.receive(POLL_MS)
            self.counts.delivered += message is not None

    def done(self) -> None:
        """Note that both are gone."""
        super().done()
        if self._rival is not None:
            self._rival.leave()
            self._rival = None
