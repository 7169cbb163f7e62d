"""Actors that try to consume where a provider must refuse it, and consume where it does not: then the trace shows it.

Trespassers use temporary destinations of other connections, rivals a second consumer on an unshared durable
subscription. May import consumers.
"""

from __future__ import annotations

from typing import Final

from tck import api
from tck.workload.actors.consumers import POLL_MS, Consumer
from tck.workload.consumer_link import ConsumerLink
from tck.workload.links import ExtraSession, Link

_AGAIN_MS: Final = 50


class Trespasser(Consumer):
    """Tries repeatedly to create a consumer on another's temporary destination; receives where it gets one."""

    def connect(self) -> Link:
        """Make a link without a consumer."""
        link = self.link = Link(self.shared, self.label, "auto")
        self.kept_for_drain = False
        self.consumer_links = []
        link.start()
        return link

    def work(self, link: Link) -> None:
        """Try, and receive if that is allowed."""
        while self.has_work() and link.alive():
            if not self.consumer_links and not self._entered(link):
                self.shared.wait(_AGAIN_MS)
            elif self.consumer_links:
                message, _ = self.consumer_links[0].receive(POLL_MS)
                self.counts.delivered += message is not None
                if message is not None and self.plan.think:
                    self.shared.wait(self.plan.think)

    def _entered(self, link: Link) -> bool:
        destination = self.destinations[0]
        if destination.raw is None:
            return False
        try:
            consumer_link = ConsumerLink(self.shared, link, destination, self.plan, self.label)
        except api.JMSException:
            return False
        self.consumer_links.append(consumer_link)
        return True

    def link_gone(self) -> None:
        """Clean up; the destination belongs to another."""
        for consumer_link in self.consumer_links:
            consumer_link.leave()
        self.consumer_links = []


class RivalConsumer(Consumer):
    """Tries to create a second consumer on its unshared durable subscription, in another session.

    Where it gets one it receives from both in turn.
    """

    _rival: ConsumerLink | None = None

    def connect(self) -> Link:
        """Make a link with its consumer, then try."""
        link = super().connect()
        extra = ExtraSession(link)
        try:
            self._rival = ConsumerLink(self.shared, extra, self.destinations[0], self.plan, self._name(0), self.client)
        except api.JMSException:
            extra.close()
        return link

    def _after_receive(self) -> None:
        if self._rival is not None:
            message, _ = self._rival.receive(POLL_MS)
            self.counts.delivered += message is not None

    def link_gone(self) -> None:
        """Record that both are closed."""
        super().link_gone()
        if self._rival is not None:
            self._rival.leave()
            self._rival = None
