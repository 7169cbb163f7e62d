"""A chat room on a topic: the person is one member, Ann is another, and both hear all that is said."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tck import api

WAIT = 5000
"""How long the person waits for Ann, in ms."""


class Member(api.MessageListener):
    """A member of a room: a session to listen and a session to talk, on one connection."""

    def __init__(self, provider: api.Provider, room: api.Topic, name: str, hear: Callable[[str], None]) -> None:
        self.name = name
        self._hear = hear
        self._connection = provider.topic_connection_factory().create_topic_connection()
        ears = self._connection.create_topic_session(False, api.Session.AUTO_ACKNOWLEDGE)
        ears.create_subscriber(room).message_listener = self
        self._mouth = self._connection.create_topic_session(False, api.Session.AUTO_ACKNOWLEDGE)
        self._publisher = self._mouth.create_publisher(room)
        self._connection.start()

    def on_message(self, message: api.Message) -> None:
        """Hear a line of the room."""
        if isinstance(message, api.TextMessage):
            self._hear(str(message.text))

    def say(self, line: str) -> None:
        """Say a line to the room."""
        self._publisher.publish(self._mouth.create_text_message(f"{self.name}: {line}"))

    def leave(self) -> None:
        """Leave the room."""
        self._connection.close()


class Ann(Member):
    """A member who answers each line of the others; her answers are said by a session that she only talks with."""

    def __init__(self, provider: api.Provider, room: api.Topic) -> None:
        super().__init__(provider, room, "Ann", self._answer)

    def _answer(self, line: str) -> None:
        name, _, text = line.partition(": ")
        if name != self.name:
            self.say(f"{text}? Tell me more, {name}.")


def play(
    provider: api.Provider, shape: Callable[[str], str], lines: Iterable[str], show: Callable[[str], None]
) -> None:
    """Let the person talk with Ann, line by line, until `/leave` or the end of the lines."""
    room = provider.create_topic(shape("JavaGuru"))
    answered = [provider.clock.event()]

    def hear(line: str) -> None:
        show(line)
        if line.startswith("Ann: "):
            answered[0].set()

    ann, you = Ann(provider, room), Member(provider, room, "You", hear)
    show("You are in the room JavaGuru; Ann is here too. /leave ends the chat.")
    for line in lines:
        if line == "/leave":
            break
        answered[0] = provider.clock.event()
        you.say(line)
        if not answered[0].wait(WAIT):
            show("(Ann says nothing.)")
    you.leave()
    ann.leave()
