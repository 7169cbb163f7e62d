"""Browsers: they look at queues and record what they saw. May import links, actors and the reading of messages."""

from __future__ import annotations

from tck.check.columns import NONE, Op
from tck.workload.actors import Actor
from tck.workload.content import read_content, read_head, read_number, read_repeat
from tck.workload.links import Link
from tck.workload.model import BrowserPlan
from tck.workload.recorder import Whence
from tck.workload.shared_state import Phase, Place, World


class Browser(Actor):
    """Browses one queue again and again."""

    def __init__(self, world: World, plan: BrowserPlan, number: int, place: Place) -> None:
        super().__init__(world, plan.name, number)
        self.plan = plan
        self.place = place

    def wanted(self) -> bool:
        """Whether the work goes on."""
        return self.world.phase == Phase.WORKING

    def connect(self) -> Link:
        """Make a link and start it."""
        link = self.link = Link(self.world, self.label, "auto")
        link.start()
        return link

    def work(self, link: Link) -> None:
        """Look, wait, look again."""
        while self.wanted() and link.alive():
            if self.place.raw is not None:
                self._look(link)
                self.counts.settled += 1
            self.world.wait(self.plan.think)

    def _look(self, link: Link) -> None:
        browser = link.session.create_browser(self.place.raw)  # type: ignore[arg-type]  # a queue, by its kind
        seen = 0
        for message in browser.get_enumeration():
            self._record(link, message)
            seen += 1
            if seen >= self.plan.limit or not self.wanted():
                break
        browser.close()
        self.counts.browsed += seen

    def _record(self, link: Link, message: object) -> None:
        world, now = self.world, self.recorder.now()
        number = read_number(message)  # type: ignore[arg-type]  # the enumeration gives messages
        asked = world.ask_of(number)
        if asked is None:
            return
        head = read_head(message, world.modern)  # type: ignore[arg-type]  # as above
        repeat = read_repeat(message, world.modern)  # type: ignore[arg-type]  # as above
        whence = Whence(Op.BROWSE, False, link.number, link.conn, NONE, self.place.end)
        content = read_content(message, world.properties[asked.klass])  # type: ignore[arg-type]  # as above
        self.recorder.delivered(None, whence, asked, number, NONE, self.place.number, content, head, repeat, now, now)
