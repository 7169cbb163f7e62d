"""A phone over queues: the person dials Bob, who answers from a thread of his own, and they talk until one hangs up."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable

from tck import api

WAIT, TTL = 5000, 15_000
"""How long a party waits for the other, and how long a message is kept, in ms."""
DIAL, OK, HANGUP = "ControlMessage:Dial", "ControlMessage:OK", "ControlMessage:Hangup"


class Phone:
    """A phone: it hears what comes to its own queue, and speaks to the queue of the other party."""

    def __init__(self, provider: api.Provider, own: api.Queue, other: api.Queue) -> None:
        self._connection = provider.queue_connection_factory().create_queue_connection()
        self._session = self._connection.create_queue_session(False, api.Session.AUTO_ACKNOWLEDGE)
        self._ear = self._session.create_receiver(own)
        self._mouth = self._session.create_sender(other)
        self._connection.start()

    def says(self, line: str) -> None:
        """Say a line, NON_PERSISTENT and urgent: who is not there does not hear it later."""
        message = self._session.create_text_message(line)
        self._mouth.send(message, delivery_mode=api.DeliveryMode.NON_PERSISTENT, priority=9, time_to_live=TTL)

    def hears(self) -> str | None:
        """Wait for a line; None if none comes in time."""
        message = self._ear.receive(WAIT)
        return message.text if isinstance(message, api.TextMessage) else None

    def hang_up(self) -> None:
        """Close the connection."""
        self._connection.close()


def bob(provider: api.Provider, phone: Phone) -> None:
    """Answer a call, repeat what is said, and hang up when the other does."""
    with provider.clock.actor():
        while (line := phone.hears()) not in {HANGUP, None}:
            phone.says(OK if line == DIAL else f"You say {line!r}? I see.")
        phone.hang_up()


def play(
    provider: api.Provider, shape: Callable[[str], str], lines: Iterable[str], show: Callable[[str], None]
) -> None:
    """Let the person call Bob and talk to him, line by line, until `/hangup` or the end of the lines."""
    to_bob, to_you = (provider.create_queue(shape(name)) for name in ("BobReceiver", "YourReceiver"))
    you, his = Phone(provider, to_you, to_bob), Phone(provider, to_bob, to_you)
    thread = threading.Thread(target=bob, args=(provider, his), name="Bob", daemon=True)
    thread.start()
    you.says(DIAL)
    show("Bob answers. /hangup ends the call." if you.hears() == OK else "Nobody answers.")
    for line in lines:
        if line == "/hangup":
            break
        you.says(line)
        show(f"Bob: {you.hears() or '(silence)'}")
    you.says(HANGUP)
    you.hang_up()
    thread.join(WAIT / 1000)
