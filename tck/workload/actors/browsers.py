"""Browsers: they browse queues and record the messages. May import links, actors and the reading of messages."""

from __future__ import annotations

from tck.check.columns import NONE, Op
from tck.workload.actors.actor import Actor
from tck.workload.content import read_content, read_head, read_number, read_repeat
from tck.workload.links import Link
from tck.workload.model import BrowserPlan
from tck.workload.recorder import Receiver
from tck.workload.shared_state import OpenDestination, Phase, SharedState


class Browser(Actor):
    """Browses one queue repeatedly."""

    def __init__(self, shared: SharedState, plan: BrowserPlan, number: int, destination: OpenDestination) -> None:
        super().__init__(shared, plan.name, number)
        self.plan = plan
        self.destination = destination

    def has_work(self) -> bool:
        """Whether the phase of work lasts."""
        return self.shared.phase == Phase.WORKING

    def connect(self) -> Link:
        """Make a link and start it."""
        link = self.link = Link(self.shared, self.label, "auto")
        link.start()
        return link

    def work(self, link: Link) -> None:
        """Browse, wait, repeat."""
        turn = self.shared.turns.get(self.plan.after)
        while self.has_work() and link.alive():
            comes = self.shared.changed if turn is None else turn.comes
            if self.destination.raw is not None:
                self._look(link)
                self.counts.settled += 1
            comes.wait(self.plan.think)

    def _look(self, link: Link) -> None:
        browser = link.session.create_browser(self.destination.raw)  # type: ignore[arg-type]  # a queue, by its kind
        seen = 0
        for message in browser.get_enumeration():
            self._record(link, message)
            seen += 1
            if seen >= self.plan.limit or not self.has_work():
                break
        browser.close()
        self.counts.browsed += seen

    def _record(self, link: Link, message: object) -> None:
        shared, now = self.shared, self.recorder.now()
        number = read_number(message)  # type: ignore[arg-type]  # the enumeration gives messages
        options = shared.options_of(number)
        if options is None:
            return
        head = read_head(message, shared.modern)  # type: ignore[arg-type]  # as above
        repeat = read_repeat(message, shared.modern)  # type: ignore[arg-type]  # as above
        receiver = Receiver(Op.BROWSE, False, link.number, link.conn, NONE, self.destination.end)
        content = read_content(message, shared.properties[options.klass])  # type: ignore[arg-type]  # as above
        self.recorder.delivered(
            None, receiver, options, number, NONE, self.destination.number, content, head, repeat, now, now
        )
