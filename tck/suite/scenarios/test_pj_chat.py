"""Chat rooms on topics: members join, talk, leave and come back."""

from __future__ import annotations

from itertools import count

from tck import api
from tck.suite.support import Case, expect, scenario
from tck.suite.support.clients.listeners import CollectingListener

LINES = 20


@scenario("pj-chat")
def test_chat_rooms(case: Case) -> None:
    """Three members talk in a room; one leaves and comes back, another goes to the next room."""
    java_guru, other = case.topic(), case.topic()
    ann, ben, cid = (
        Member(case, name, java_guru, missed=earlier) for earlier, name in enumerate(("Ann", "Ben", "Cid"))
    )
    talks = [case.spawn(each.name, lambda each=each: each.talk(LINES)) for each in (ann, ben, cid)]  # type: ignore[misc]
    for talk in talks:
        talk.result()
    everything = 3 + 3 * LINES
    for each in (ann, ben, cid):
        each.hears(everything)
    ben.say("goodbye")
    for each in (ann, cid):
        each.hears(everything + 1)
    ben.leave()
    before = ben.heard
    ann.talk(5)
    cid.hears(everything + 6)
    ben_again = Member(case, "Ben", java_guru)
    cid.hears(everything + 7)
    cid.leave()
    heard_by_cid = cid.heard
    cid_elsewhere = Member(case, "Cid", other)
    ann.talk(5)
    cid_elsewhere.talk(1)
    ben_again.hears(1 + 5)
    ann.hears(everything + 1 + 5 + 1 + 5)
    cid_elsewhere.hears(2)

    with expect.for_row("pj-chat-1"):
        for each in (ann, ben, cid):
            for said_by in sorted({"Ann", "Ben", "Cid"} - {each.name}):
                lines = [line for line in each.heard if line.startswith(f"{said_by}: line")][:LINES]
                expect.equal(f"the lines of {said_by} that {each.name} saw", lines, said(said_by, LINES))
    with expect.for_row("pj-chat-2"):
        for each in (ann, ben, cid):
            own = [line for line in each.heard if line.startswith(f"{each.name}: line")][:LINES]
            expect.equal(f"{each.name}'s own lines", own, said(each.name, LINES))
    with expect.for_row("pj-chat-3"):
        for each in (ann, cid):
            expect.equal(f"Ben's goodbye to {each.name}", each.heard.count("Ben: goodbye"), 1)
    with expect.for_row("pj-chat-4"):
        expect.equal("the lines that Ben saw when he was back", ben_again.heard, ["Ben: joins", *said("Ann", 30)[25:]])
    with expect.for_row("pj-chat-5"):
        expect.equal("the lines in the other room", cid_elsewhere.heard, ["Cid: joins", "Cid: line 1"])
    with expect.for_row("pj-chat-6"):
        expect.equal("the lines that Ben had seen when he left, and later", ben.heard, before)
        expect.equal("the lines that Cid had seen when he left, and later", cid.heard, heard_by_cid)
    with expect.for_row("pj-chat-7"):
        case.witness("all lines of the room were seen")
        expect.record(f"the leaver {'sees' if 'Ben: goodbye' in before else 'does not see'} its own goodbye")


def said(name: str, lines: int) -> list[str]:
    """Return the first lines that a member says."""
    return [f"{name}: line {number}" for number in range(1, lines + 1)]


class Member:
    """A member of a room: one connection with a session to listen and a session to talk."""

    def __init__(self, case: Case, name: str, room: api.Topic, missed: int = 0) -> None:
        self.name = name
        self._missed = missed
        self._ears = case.client()
        self._listener = CollectingListener(case)
        self._subscriber = self._ears.consumer(room)
        self._subscriber.message_listener = self._listener
        self._mouth = self._ears.peer()
        self._publisher = self._mouth.sender(room)
        self._lines = count(1)
        self.say("joins")

    @property
    def heard(self) -> list[str]:
        """The lines so far."""
        return [str(line) for line in self._listener.bodies]

    def say(self, line: str) -> None:
        """Publish a line to the room."""
        self._publisher.send(self._mouth.text(f"{self.name}: {line}"))

    def talk(self, lines: int) -> None:
        """Say the next numbered lines."""
        for _ in range(lines):
            self.say(f"line {next(self._lines)}")

    def hears(self, lines: int) -> None:
        """Wait until all of so many lines have come, but for those that were said before it joined."""
        self._listener.after(lines - self._missed)

    def leave(self) -> None:
        """Close the subscriber and the publisher."""
        self._subscriber.close()
        self._publisher.close()
